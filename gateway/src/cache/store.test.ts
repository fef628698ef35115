import { randomInt } from 'node:crypto';
import { type Kept, openStore } from './store';

const kept = (body: Buffer): Kept => ({
  status: 200,
  headers: {},
  body,
  isCompressible: true,
  tag: 'one',
  shown: [],
  begun: 0,
  until: Infinity,
});
const filled = (bytes: number, letter = 'a'): Kept => kept(Buffer.alloc(bytes, letter));

test('compressed forms count in the memory that is given', () => {
  const store = openStore(1_000_000);
  const one = filled(20_000);
  store.keep('one', one);
  const before = store.bytes;
  store.exchange('one', { ...one, forms: { br: Buffer.alloc(18_000), gzip: one.body } });
  // A form that is the body itself takes no room of its own.
  expect(store.bytes).toBe(before + 18_000);
  const now = store.find('one');
  expect(now?.forms?.gzip).toBe(now?.body);
  for (let other = 0; other < 200; other++) store.keep(`other ${other}`, filled(10_000));
  store.keep('two', { ...one, forms: { br: Buffer.alloc(990_000) } });
  expect(store.find('two')).toBeUndefined();
  expect(store.bytes).toBeLessThanOrEqual(1_000_000);
});

test('so do headers: an address of two thousand letters stands in them twice', () => {
  const store = openStore(1_000_000);
  const long = (n: number): Kept => ({ ...filled(2), headers: { Link: String(n).padEnd(8_000, 'x') } });
  for (let n = 0; n < 200; n++) store.keep(`answer ${n}`, long(n));
  expect(store.size * 8_000).toBeLessThan(1_000_000);
});

test('many small answers are a few large pieces of memory', () => {
  const store = openStore(1_600_000);
  const keys = Array.from({ length: 200 }, (_, number) => `answer ${number}`);
  for (const key of keys) store.keep(key, filled(5_000));
  const pieces = new Set(keys.map((key) => store.find(key)?.body.buffer));
  expect(pieces.has(undefined)).toBe(false);
  expect(pieces.size).toBeLessThanOrEqual(20);
});

test('an answer that is asked for stays, others pass by', () => {
  const store = openStore(1_000_000);
  store.keep('hot', filled(5_000));
  store.keep('hot and large', filled(60_000));
  store.keep('cold', filled(5_000));
  for (let other = 0; other < 2_000; other++) {
    store.keep(`other ${other}`, filled(5_000));
    if (other % 50 === 0) expect([store.find('hot'), store.find('hot and large')]).not.toContain(undefined);
  }
  expect(store.find('cold')).toBeUndefined();
});

test('one that is made again and again takes no room from the others', () => {
  const store = openStore(1_000_000);
  for (let other = 0; other < 40; other++) store.keep(`other ${other}`, filled(5_000));
  for (let time = 0; time < 2_000; time++) store.keep('list', filled(5_000));
  expect(store.size).toBe(41);
});

test('what is found is what was kept, within the memory that is given, whatever comes and goes', () => {
  const MOST = 400_000;
  const store = openStore(MOST);
  const given = new Map<string, string>();
  const held: [bytes: Buffer, letter: string][] = [];
  for (let step = 0; step < 10_000; step++) {
    const key = `key ${randomInt(120)}`;
    const now = store.find(key);
    if (randomInt(3) === 0) {
      const letter = String.fromCharCode(97 + randomInt(26));
      store.keep(key, filled(randomInt(10) === 0 ? randomInt(50_000) : randomInt(6_000), letter));
      given.set(key, letter);
    } else if (now && randomInt(4) === 0) {
      const br = Buffer.alloc(randomInt(2_000), given.get(key)!.toUpperCase());
      store.exchange(key, { ...now, forms: { gzip: now.body, br } });
    }
    const found = store.find(key);
    expect(store.bytes).toBeLessThanOrEqual(MOST);
    if (!found) continue;
    const letter = given.get(key)!;
    expect(isAll(found.body, letter)).toBe(true);
    expect(isAll(found.forms?.br ?? Buffer.alloc(0), letter.toUpperCase())).toBe(true);
    if (step % 100 === 0) held.push([found.body, letter]);
  }
  // Somebody may still be reading it.
  expect(held.every(([bytes, letter]) => isAll(bytes, letter))).toBe(true);
});

const isAll = (bytes: Buffer, letter: string): boolean => bytes.equals(Buffer.alloc(bytes.length, letter));
