import { type Place, createBulkhead } from './bulkhead';

const places: Place[] = [];
/** Nobody's clock goes on behind the test; those who came last leave first, so that none begins. */
afterEach(() =>
  places
    .splice(0)
    .reverse()
    .forEach((place) => place.leave()),
);

function open(atOnce: number, mostWaiting: number, waitMs = 3_600_000) {
  const said: string[] = [];
  let refused = 0;
  const bulkhead = createBulkhead({ atOnce, mostWaiting, waitMs, onRefused: () => (refused += 1) });
  const enter = (name: string, address?: unknown): Place => {
    const place = bulkhead.place({
      address: typeof address === 'string' ? address : undefined,
      start: () => void said.push(`${name} runs`),
      refuse: () => void said.push(`${name} is refused`),
    });
    place.enter();
    places.push(place);
    return place;
  };
  const now = (): number[] => [bulkhead.running(), bulkhead.waiting(), refused];
  return { said, enter, now, bulkhead };
}

test('so many run, so many wait in their order, and the rest are refused at once', () => {
  const { said, enter, now } = open(2, 2);
  const [a, b] = ['a', 'b', 'c', 'd', 'e'].map(enter) as [Place, Place];
  expect([said.splice(0), now()]).toEqual([
    ['a runs', 'b runs', 'e is refused'],
    [2, 2, 1],
  ]);
  b.leave();
  a.leave();
  // Whoever has left is gone, however often that is said.
  a.leave();
  expect([said, now()]).toEqual([
    ['c runs', 'd runs'],
    [2, 0, 1],
  ]);
});

test('whoever leaves while waiting never runs', () => {
  const { said, enter, now } = open(1, 2);
  const [a, b] = ['a', 'b', 'c'].map(enter) as [Place, Place];
  b.leave();
  a.leave();
  expect([said, now()]).toEqual([
    ['a runs', 'c runs'],
    [1, 0, 0],
  ]);
});

test('whoever fills the line makes room in it for others, and not for more of his own', () => {
  const { said, enter, now } = open(1, 3);
  for (const name of ['a', 'b', 'c', 'd']) enter(name, `192.0.2.${name.charCodeAt(0)}`);
  enter('another', '198.51.100.1');
  enter('e', '192.0.2.9');
  enter('a third', '2001:db8::1');
  // Two, one and none: nobody has more than he would have himself.
  enter('one of another', '198.51.100.2');
  expect([said, now()]).toEqual([
    ['a runs', 'd is refused', 'e is refused', 'c is refused', 'one of another is refused'],
    [1, 3, 4],
  ]);
});

test('nobody waits for longer than is said', async () => {
  const { said, enter, now } = open(1, 1, 1);
  enter('a');
  enter('b');
  while (said.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  expect([said, now()]).toEqual([
    ['a runs', 'b is refused'],
    [1, 0, 1],
  ]);
});

test('whoever is brought forward has the next place, and all others keep their order', () => {
  const { said, enter, bulkhead } = open(1, 3);
  const [a] = ['a', 'b', 'c', 'd'].map(enter) as [Place];
  bulkhead.bringForward(bulkhead.line().slice(1, 2));
  a.leave();
  expect(said).toEqual(['a runs', 'c runs']);
  expect(bulkhead.line()).toHaveLength(2);
  // Who has gone by now comes no more.
  const [b, d] = bulkhead.line();
  bulkhead.bringForward([{ address: 'x' }, d!, b!]);
  expect(bulkhead.line()).toEqual([b, d]);
});
