import { type Kept, openStore } from './store';

const kept = (bytes: number): Kept => ({
  status: 200,
  headers: {},
  body: Buffer.alloc(bytes),
  isCompressible: true,
  tag: 'one',
  shown: [],
  begun: 0,
  until: Infinity,
});

test('compressed forms count in the memory that is given', () => {
  const store = openStore(100_000);
  const one = kept(10_000);
  store.keep('one', one);
  const before = store.bytes;
  store.exchange('one', { ...one, forms: { br: Buffer.alloc(4_000), gzip: one.body } });
  // A form that is the body itself takes no room of its own.
  expect(store.bytes).toBe(before + 4_000);
  for (let other = 0; other < 20; other++) store.keep(`other ${other}`, kept(10_000));
  expect(store.bytes).toBeLessThanOrEqual(100_000);
  expect(store.find('one')).toBeUndefined();
});
