import type { ApiError } from '@sevenfold/chassis/errors';
import { type Limits, type Waiting, laneOf, openTurns } from './turns';

const limits: Limits = {
  atOnce: 2,
  strangersAtOnce: 1,
  waitingInLane: 3,
  waitingInLanes: 6,
  waitingKnown: 2,
};

const known = { isKnown: true };

/** Work that ends when it is told to; remembers the order in which it began. */
function desk(settings: Partial<Limits> = {}) {
  const turns = openTurns({ ...limits, ...settings });
  const began: string[] = [];
  const ends = new Map<string, (value: string) => void>();
  const outcomes = new Map<string, string | number>();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    began,
    outcomes,
    come: async (name: string, lane: string, { signal, isKnown = false }: Partial<Waiting> = {}) => {
      const work = (): Promise<string> => {
        began.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      turns.take({ lane, isKnown, signal }, work).then(
        (value) => outcomes.set(name, value),
        (error: ApiError) => outcomes.set(name, error.status === 503 ? error.code : error.status),
      );
      await settle();
    },
    end: async (name: string) => {
      ends.get(name)!('done');
      await settle();
    },
  };
}

test('addresses take turns, however many wait in one of their lanes', async () => {
  const { come, end, began } = desk();
  for (const name of ['a1', 'a2', 'a3', 'a4']) await come(name, 'a');
  await come('b1', 'b');
  await come('c1', 'c');
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']) await end(name);
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
});

test('a full lane turns away its own only', async () => {
  const { come, end, began, outcomes } = desk();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await come(name, 'a');
  await come('b1', 'b');
  expect([...outcomes]).toEqual([['a5', 429]]);
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  expect([...outcomes]).toEqual([
    ['a5', 429],
    ['a1', 'done'],
    ['a2', 'done'],
    ['b1', 'done'],
  ]);
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('where all lanes together are full the longest one makes room', async () => {
  const { come, outcomes } = desk();
  for (const name of ['a0', 'a1', 'a2', 'a3']) await come(name, 'a');
  for (const name of ['b1', 'b2']) await come(name, 'b');
  await come('c1', 'c');
  expect([...outcomes]).toEqual([]);
  await come('d1', 'd');
  expect([...outcomes]).toEqual([['a3', 429]]);
  await come('e1', 'e');
  await come('f1', 'f');
  expect([...outcomes].slice(1)).toEqual([
    ['a2', 429],
    ['b2', 429],
  ]);
  // Everybody has one: nobody has to go.
  await come('g1', 'g');
  expect([...outcomes].slice(3)).toEqual([['g1', 'service_busy']]);
});

test('those who were right lately find a place that strangers cannot take, and go first', async () => {
  const { come, end, began, outcomes } = desk();
  for (const name of ['a1', 'a2', 'a3']) await come(name, 'a');
  expect(began).toEqual(['a1']);
  for (const name of ['k1', 'k2', 'k3', 'k4']) await come(name, name, known);
  expect(began).toEqual(['a1', 'k1']);
  expect([...outcomes]).toEqual([['k4', 'service_busy']]);
  for (const name of ['k1', 'k2', 'a1', 'k3']) await end(name);
  expect(began).toEqual(['a1', 'k1', 'k2', 'k3', 'a2']);
});

test('where no stranger waits the known have all of the room', async () => {
  const { come, began } = desk();
  for (const name of ['k1', 'k2', 'k3']) await come(name, name, known);
  expect(began).toEqual(['k1', 'k2']);
});

test('one of the known who comes without end holds up neither strangers nor others that are known', async () => {
  const { come, end, began, outcomes } = desk({ waitingKnown: 4 });
  for (const name of ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']) await come(name, 'k', known);
  await come('a1', 'a');
  await come('a2', 'a');
  await come('l1', 'l', known);
  expect([...outcomes]).toEqual([['k6', 429]]);
  // One of the two is the strangers' again, as soon as it is free.
  for (const name of ['k1', 'k2', 'a1', 'k3', 'l1']) await end(name);
  expect(began).toEqual(['k1', 'k2', 'a1', 'k3', 'a2', 'l1', 'k4']);
});

test('whoever does not wait any more is not checked', async () => {
  const { come, end, began, outcomes } = desk();
  const leaving = new AbortController();
  await come('a1', 'a');
  await come('b1', 'b', leaving);
  await come('c1', 'c');
  leaving.abort();
  await come('d1', 'd', leaving);
  for (const name of ['a1', 'c1']) await end(name);
  expect(began).toEqual(['a1', 'c1']);
  expect([...outcomes]).toEqual([
    ['b1', 'service_unavailable'],
    ['d1', 'service_unavailable'],
    ['a1', 'done'],
    ['c1', 'done'],
  ]);
});

test('work that fails gives its turn back', async () => {
  const turns = openTurns(limits);
  for (let turn = 0; turn < 10; turn++)
    await expect(
      turns.take({ lane: 'a', isKnown: false }, () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken');
  expect(await turns.take({ lane: 'a', isKnown: false }, () => Promise.resolve('well'))).toBe('well');
});

test('an address of version 6 stands for its network, one of version 4 for itself however it is written', () => {
  expect(laneOf('2001:db8:1:2::1')).toBe(laneOf('2001:db8:1:2:ffff::9'));
  expect(laneOf('2001:db8:1:2::1')).not.toBe(laneOf('2001:db8:1:3::1'));
  expect(laneOf('::ffff:192.0.2.1')).toBe(laneOf('192.0.2.1'));
  expect(laneOf('192.0.2.1')).not.toBe(laneOf('192.0.2.2'));
  expect(laneOf('unknown')).toBe(laneOf(''));
});
