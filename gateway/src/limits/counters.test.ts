import { WINDOW_MS, openCounters } from './counters';

const LIMIT = 100;
const NAME = 'address:192.0.2.1/32';

function clock(start: number) {
  let now = start;
  return { now: () => now, at: (ms: number) => (now = start + ms) };
}

const begun = WINDOW_MS * 1000;

test('what came counts less and less in the window after its own', () => {
  const time = clock(begun);
  const counters = openCounters(time.now);
  counters.add(NAME, LIMIT);
  expect(counters.standing(NAME, LIMIT).left).toBe(0);
  const lefts = [1, 1.25, 1.5, 2, 3].map((windows) => {
    time.at(windows * WINDOW_MS);
    return counters.standing(NAME, LIMIT).left;
  });
  expect(lefts).toEqual([0, 25, 50, 100, 100]);
});

test.each([
  ['in the window that it filled', LIMIT, 0, 20_000],
  ['in one that follows a full one', LIMIT, 30, 70_000],
  ['where one at a time is allowed', 1, 0, 5_000],
])('after the wait that is told, and not before it, one more fits: %s', (_, limit, more, passed) => {
  const time = clock(begun);
  const counters = openCounters(time.now);
  counters.add(NAME, limit);
  time.at(passed);
  counters.add(NAME, more);
  const { left, waitMs } = counters.standing(NAME, limit);
  expect(left).toBe(0);
  time.at(passed + waitMs - 1);
  expect(counters.standing(NAME, limit).left).toBe(0);
  time.at(passed + waitMs + 1);
  expect(counters.standing(NAME, limit).left).toBe(1);
});

test('each name counts for itself, and what is taken back does not count', () => {
  const counters = openCounters(clock(begun).now);
  counters.add(NAME, 3);
  counters.add(NAME, -1);
  expect([NAME, 'another'].map((name) => counters.standing(name, LIMIT).left)).toEqual([98, 100]);
});

test('what is given back after the window has turned is taken from the one before, and told to nobody', () => {
  const time = clock(begun);
  const counters = openCounters(time.now);
  counters.add(NAME, LIMIT);
  counters.takeUntold(1);
  time.at(WINDOW_MS);
  counters.add(NAME, -10);
  expect([counters.standing(NAME, LIMIT).left, counters.takeUntold(1)]).toEqual([10, []]);
  counters.add(NAME, 2);
  counters.add(NAME, -5);
  expect(counters.standing(NAME, LIMIT).left).toBe(13);
});

test('what was counted is told once, a part at a time', () => {
  const counters = openCounters(clock(begun).now);
  for (const name of ['a', 'b', 'c', 'a']) counters.add(name);
  const take = (): unknown[] =>
    counters.takeUntold(2).map((counter) => {
      const { name, untold } = counter;
      counter.untold = 0;
      return [name, untold];
    });
  expect([take(), take(), take()]).toEqual([
    [
      ['a', 2],
      ['b', 1],
    ],
    [['c', 1]],
    [],
  ]);
});
