/** How the pieces of a table reach the one stream of its rows. */
import { Readable, Writable } from 'node:stream';
import { pour } from './load';

test('many pieces, each awaited, leave nothing on the stream that takes them', async () => {
  const taken: Buffer[] = [];
  const rows = new Writable({
    highWaterMark: 4,
    write: (chunk: Buffer, _encoding, done) => {
      taken.push(chunk);
      setImmediate(done);
    },
  });
  const listeners = (): number =>
    rows.eventNames().reduce((sum, name) => sum + rows.listenerCount(name as string), 0);
  const before = listeners();
  for (let n = 0; n < 30; n++)
    await pour(Readable.from([Buffer.from(`row ${n}\n`), Buffer.from('more\n')]), rows);
  expect(Buffer.concat(taken).toString()).toBe(
    Array.from({ length: 30 }, (_, n) => `row ${n}\nmore\n`).join(''),
  );
  expect([listeners(), rows.writableEnded]).toEqual([before, false]);
});

test.each([
  ['while it is waited for', (done: (error: Error) => void) => setImmediate(() => done(new Error('full')))],
  ['at once', (done: (error: Error) => void) => done(new Error('full'))],
])('a fault of the database ends the piece, or the next one: %s', async (_when, write) => {
  const rows = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void write(done) });
  rows.on('error', () => undefined);
  const one = (): Promise<void> => pour(Readable.from([Buffer.from('row\n')]), rows);
  await expect(one()).rejects.toThrow('full');
  await expect(one()).rejects.toThrow('full');
});
