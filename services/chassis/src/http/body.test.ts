/** What is made of bodies before anybody looks at them. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readBody } from './body';

/** Of a request, what is looked at. */
const sent = (json: string): IncomingMessage =>
  Object.assign(Readable.from([Buffer.from(json)]), {
    headers: { 'content-type': 'application/json', 'content-length': String(json.length) },
  }) as never;

const inChunks = (count: number, chunk: string): IncomingMessage =>
  Object.assign(
    Readable.from(['[', ...Array<string>(count).fill(chunk), ']'].map((one) => Buffer.from(one))),
    {
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    },
  ) as never;

test('so many small chunks are none, and such that hold something are a body', async () => {
  expect((await readBody(inChunks(4_000, ' '), 100_000)).value).toEqual([]);
  await expect(readBody(inChunks(6_000, ' '), 100_000)).rejects.toMatchObject({
    status: 413,
    code: 'payload_too_large',
  });
  expect((await readBody(inChunks(6_000, ' '.repeat(64)), 1_000_000)).value).toEqual([]);
});

test('names of members are cleaned as texts are', async () => {
  const { value } = await readBody(sent('{"a\\u0000b":"1\\u0000","c":{"\\ud800":[]}}'), 1_000);
  expect(value).toEqual({ ab: '1', c: { '\ufffd': [] } });
});

test('a name that hides another one is that name, and nothing more', async () => {
  const { value } = await readBody(
    sent('{"__proto__\\u0000":{"evil":true},"a":{"__proto__":{"evil":true}}}'),
    1_000,
  );
  const given = value as { a: object; evil?: boolean };
  for (const one of [given, given.a]) {
    expect(Object.getPrototypeOf(one)).toBe(Object.prototype);
    expect(Object.keys(one)).toContain('__proto__');
  }
  expect(given.evil).toBeUndefined();
});

test('text that is not UTF-8 is refused, not kept as U+FFFD', async () => {
  const latin1 = Buffer.from('{"title":"café"}', 'latin1');
  const request = Object.assign(Readable.from([latin1]), {
    headers: {
      'content-type': 'application/json; charset=iso-8859-1',
      'content-length': String(latin1.length),
    },
  }) as never;
  await expect(readBody(request, 1_000)).rejects.toMatchObject({
    status: 400,
    code: 'rest_invalid_json',
    data: { json_error_code: 5 },
  });
});
