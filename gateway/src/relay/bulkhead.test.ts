import { type Place, createBulkhead } from './bulkhead';

function open(atOnce: number, mostWaiting: number, waitMs = 3_600_000) {
  const said: string[] = [];
  let refused = 0;
  const bulkhead = createBulkhead({ atOnce, mostWaiting, waitMs, onRefused: () => (refused += 1) });
  const enter = (name: string): Place => {
    const place = bulkhead.place({
      start: () => void said.push(`${name} runs`),
      refuse: () => void said.push(`${name} is refused`),
    });
    place.enter();
    return place;
  };
  const now = (): number[] => [bulkhead.running(), bulkhead.waiting(), refused];
  return { said, enter, now };
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
