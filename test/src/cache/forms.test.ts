/** Compressed forms of kept answers: who gets which, when they are made, and what their tags are. */
import zlib from 'node:zlib';
import { addresses, startTestGateway } from '@sevenfold/gateway/testing';
import { ask } from '@sevenfold/gateway/testing/sockets';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost, makeTerm } from '@sevenfold/content/testing/factories';
import { speaker } from '@sevenfold/chassis/testing/service';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { type Sentinel, allHeard } from '../support/heard';
import { steadily } from '../support/steadily';

let content: ContentSite;
let gateway: RunningGateway;
let sentinel: Sentinel;

beforeAll(async () => {
  content = await startContent();
  const { id } = await makeTerm(content.deps.db, { taxonomy: 'post_tag', name: 'Sentinel' });
  sentinel = {
    path: `/rest/core/v2/tags/${id}`,
    change: (to) => content.deps.db.run('update terms set name = $2 where id = $1', [id, to]),
  };
  gateway = await startTestGateway({
    ...addresses('CONTENT', content.service),
    CLIENT_PROFILES: 'wordpress',
  });
  await until(async () => (await get('/posts')).headers['x-cache'] === 'hit');
});
afterAll(async () => {
  await gateway?.stop();
  await content?.stop();
});

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

async function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  below = '/rest/core/v2',
): Promise<Got> {
  const answer = await ask(`${gateway.url}${below}${path}`, { method, headers });
  return { ...answer, headers: answer.headers as Got['headers'] };
}
const taking = (codings: string): Record<string, string> => ({ 'Accept-Encoding': codings });
const opened: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
};
const textOf = ({ headers, bytes }: Got): string =>
  (opened[headers['content-encoding'] ?? '']?.(bytes) ?? bytes).toString();

/** Asks until the form that was asked for is made. */
const formed = async (path: string, coding: string): Promise<Got> => {
  let last = await get(path, taking(coding));
  await until(async () => {
    last = await get(path, taking(coding));
    return last.headers.etag?.endsWith(`-${coding}"`);
  });
  return last;
};

const words = 'Many words that are said again and again. ';
/** Of which the gateway has heard: news of it that came later would make old what was kept of it. */
const aPost = async (repeated: number): Promise<string> => {
  const { id } = await makePost(content.deps.db, { content_html: `<p>${words.repeat(repeated)}</p>` });
  await allHeard(sentinel, [speaker(gateway.url)]);
  return `/posts/${id}`;
};

steadily(
  'a kept answer is compressed once it is asked for again, and means the same in each form',
  async () => {
    const path = await aPost(50);
    const plain = await get(path);
    expect(plain.headers).toMatchObject({
      'x-cache': 'miss',
      vary: expect.stringMatching(/Accept-Encoding/),
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const tags = new Set([plain.headers.etag]);
    for (const coding of ['br', 'gzip']) {
      const form = await formed(path, coding);
      expect(form.headers).toMatchObject({
        'content-encoding': coding,
        'content-length': String(form.bytes.length),
        vary: expect.stringMatching(/Accept-Encoding/),
        'x-cache': 'hit',
      });
      expect(form.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(textOf(form)).toBe(plain.bytes.toString());
      tags.add(form.headers.etag);
    }
    // Bytes that differ have tags that differ.
    expect(tags.size).toBe(3);
    expect((await get(path)).bytes.equals(plain.bytes)).toBe(true);
    const head = await get(path, taking('br'), 'HEAD');
    expect([head.headers['content-encoding'], head.bytes.length]).toEqual(['br', 0]);
  },
);

const MEBIBYTE = 1024 * 1024;

test.each([
  ['in our words', '/rest/core/v2'],
  ['in those of a profile', '/wp-json/wp/v2'],
])('a large answer is compressed and kept as others are, %s', async (_, below) => {
  const path = await aPost((3 * MEBIBYTE) / words.length);
  const first = await get(path, taking('gzip'), 'GET', below);
  expect(first.headers).toMatchObject({ 'x-cache': 'miss', 'content-encoding': 'gzip' });
  const again = await get(path, taking('gzip'), 'GET', below);
  expect(again.headers['x-cache']).toBe('hit');
  expect(textOf(again)).toBe(textOf(first));
  expect(textOf(first).length).toBeGreaterThan(3 * MEBIBYTE);
});

test('one that is larger still is passed on as it comes', async () => {
  const path = await aPost((5 * MEBIBYTE) / words.length);
  for (let turn = 0; turn < 2; turn++) {
    const { status, headers, bytes } = await get(path, taking('gzip'));
    expect([status, headers['content-encoding'], headers['x-cache']]).toEqual([200, undefined, undefined]);
    expect(JSON.parse(bytes.toString())).toMatchObject({ id: Number(path.slice('/posts/'.length)) });
  }
});

describe('whoever has it is told so', () => {
  let path: string;
  let plain: string;
  const tag = (form: string): string => `${plain.slice(0, -1)}-${form}"`;
  beforeAll(async () => {
    path = await aPost(50);
    plain = (await get(path)).headers.etag as string;
    for (const coding of ['br', 'gzip']) expect((await formed(path, coding)).headers.etag).toBe(tag(coding));
  });
  /** `[TAG]` is that of the answer as it is. */
  const written = (named: string): string =>
    named.replaceAll(/\[TAG(-\w+)?\]/g, (_, form = '') => `${plain.slice(0, -1)}${form}"`);
  const asking = (named: string, codings?: string): Promise<Got> =>
    get(path, { 'If-None-Match': written(named), ...(codings !== undefined && taking(codings)) });

  test.each([
    ['[TAG-br]', 'br', '-br"'],
    ['[TAG-br]', 'gzip, br;q=0.5', '-br"'],
    ['[TAG]', 'br, gzip', '"'],
    ['[TAG]', undefined, '"'],
    // The form that would be sent, if it is among them.
    ['[TAG], [TAG-gzip], [TAG-br]', 'gzip, deflate, br', '-br"'],
    ['[TAG], [TAG-gzip], [TAG-br]', 'gzip', '-gzip"'],
    ['[TAG-br], [TAG-gzip], [TAG]', undefined, '"'],
    ['[TAG-br], [TAG-gzip], [TAG]', 'identity, *;q=0', '"'],
    ['[TAG-gzip], [TAG]', 'br, gzip', '-gzip"'],
    ['"other", [TAG-br]', '*', '-br"'],
    ['*', 'br', '-br"'],
    ['*', undefined, '"'],
  ])('%s by one who takes %s', async (named, codings, expected) => {
    const { status, bytes, headers } = await asking(named, codings);
    expect([status, bytes.length, headers.etag]).toEqual([304, 0, `${plain.slice(0, -1)}${expected}`]);
    expect(headers.vary).toMatch(/Accept-Encoding/);
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('a tag that is weak where he has it stays weak', async () => {
    expect((await asking('W/[TAG]', 'gzip')).headers.etag).toBe(`W/${plain}`);
    expect((await asking('"other", W/[TAG-gzip]', 'gzip')).headers.etag).toBe(`W/${tag('gzip')}`);
  });

  // A cache that has all of them would hand out the one that it is told of.
  test.each([
    ['[TAG-br]', 'gzip'],
    ['[TAG-br]', undefined],
    ['[TAG-br], [TAG-gzip]', ''],
    ['[TAG-br]', 'identity, *;q=0'],
    ['[TAG-br]', 'br;q=0, *'],
    ['[TAG]', 'identity;q=0, br'],
    ['"other-br"', 'br'],
    // A tag like others, and nobody's.
    ['"*"', 'br'],
    ['W/"*"', 'br'],
    ['"other", "*"', 'br'],
  ])('but not of %s where he takes %s', async (named, codings) => {
    expect((await asking(named, codings)).status).toBe(200);
  });

  test('nor where a POST stands for the read', async () => {
    for (const [query, header] of [
      ['?_method=GET', {}],
      ['', { 'X-HTTP-Method-Override': 'GET' }],
    ] as const) {
      const { headers: first } = await get(`${path}${query}`);
      const headers = { 'If-None-Match': first.etag as string, ...header };
      const { status, bytes } = await get(`${path}${query}`, headers, 'POST');
      expect([query, status, bytes.length > 0]).toEqual([query, 200, true]);
    }
  });

  test.each([
    ['*', 'br', 200],
    ['[TAG]', undefined, 200],
    ['[TAG]', 'br', 200],
    ['"other", [TAG-br]', 'br', 200],
    ['[TAG-br]', undefined, 412],
    ['W/[TAG]', undefined, 412],
    ['"other"', 'br', 412],
    ['"*"', 'br', 412],
    ['', 'br', 412],
  ])('If-Match: %s of one who takes %s is %i', async (named, codings, expected) => {
    // It is looked at first.
    const conditions = { 'If-Match': written(named), 'If-None-Match': '"other"' };
    const answer = await get(path, { ...conditions, ...(codings !== undefined && taking(codings)) });
    expect(answer.status).toBe(expected);
    if (expected === 412)
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({
        code: 'rest_precondition_failed',
        data: { status: 412 },
      });
  });
});

test('who wants another one is refused also where he asks first, and nobody else', async () => {
  const path = await aPost(50);
  const [refused, ...others] = await Promise.all([
    get(path, { 'If-Match': '"other"' }),
    get(path),
    get(path),
  ]);
  expect([refused.status, ...others.map(({ status }) => status)]).toEqual([412, 200, 200]);
});

steadily('wishes are weighed, and who takes nothing compressed gets nothing compressed', async () => {
  const path = await aPost(50);
  for (const coding of ['br', 'gzip']) await formed(path, coding);
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0', undefined],
    ['deflate', undefined],
    ['br;q=nonsense', undefined],
    ['br;q=7', undefined],
    [`${'a,'.repeat(300)}br`, undefined],
    [';;;,,,', undefined],
    ['', undefined],
  ];
  for (const [codings, expected] of cases)
    expect([codings, (await get(path, taking(codings))).headers['content-encoding']]).toEqual([
      codings,
      expected,
    ]);
  // An envelope is made anew for each, around the answer as it is.
  expect((await get(`${path}?_envelope`, taking('br'))).headers['content-encoding']).toBeUndefined();
});

steadily('what is sent for the first time is compressed while it is sent, where it is large', async () => {
  const [large, small] = [await aPost(2_000), await aPost(1)];
  for (const [coding, query] of [
    ['gzip', ''],
    ['br', '?_fields=content'],
  ] as const) {
    const first = await get(`${large}${query}`, taking(coding));
    expect(first.headers).toMatchObject({ 'x-cache': 'miss', 'content-encoding': coding });
    const plain = await get(`${large}${query}`);
    expect(textOf(first)).toBe(plain.bytes.toString());
    const etag = `W/${(plain.headers.etag as string).slice(0, -1)}-${coding}"`;
    expect(first.headers.etag).toBe(etag);
    const known = await get(`${large}${query}`, { 'If-None-Match': etag, ...taking(coding) });
    expect([known.status, known.headers.etag]).toEqual([304, etag]);
    expect((await get(`${large}${query}`, { 'If-None-Match': etag })).status).toBe(200);
  }
  expect((await get(`${small}?_fields=id`, taking('br'))).headers['content-encoding']).toBeUndefined();
  for (let again = 0; again < 3; again++)
    expect((await get(`${small}?_fields=id`, taking('br'))).headers).toMatchObject({
      'x-cache': expect.any(String),
    });
  expect((await get(`${small}?_fields=id`, taking('br'))).headers.vary).not.toMatch(/Encoding/);
});

steadily('clients that leave in the middle of a compressed answer harm nobody', async () => {
  const path = await aPost(20_000);
  for (let turn = 0; turn < 5; turn++) {
    const controller = new AbortController();
    const answer = await fetch(`${gateway.url}/rest/core/v2${path}?turn=${turn}`, {
      headers: taking('gzip'),
      signal: controller.signal,
    });
    controller.abort();
    expect(answer.headers.get('content-encoding')).toBe('gzip');
  }
  expect(textOf(await get(path, taking('gzip')))).toContain(words);
});

steadily(
  'equal answers have equal tags whoever counted them, and in the words of a profile tags of their own',
  async () => {
    const path = await aPost(50);
    const inProfile = (query: string): Promise<Got> => get(`${path}${query}`, {}, 'GET', '/wp-json/wp/v2');
    // The second one is given again by the service, which then says the hash itself.
    const [first, again] = [await get(`${path}?n=1`), await get(`${path}?n=2`)];
    const [told, toldAgain] = [await inProfile('?n=3'), await inProfile('?n=4')];
    for (const { headers } of [first, again, told, toldAgain]) expect(headers['x-cache']).toBe('miss');
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(toldAgain.headers.etag).toBe(told.headers.etag);
    expect(told.headers.etag).not.toBe(first.headers.etag);
    expect(told.bytes.toString()).toContain('/wp-json/wp/v2/');
    expect(toldAgain.bytes.equals(told.bytes)).toBe(true);
    await content.deps.db.run(`update posts set title_html = 'Renamed' where id = $1`, [
      Number(path.slice('/posts/'.length)),
    ]);
    await until(async () => (await inProfile('?n=3')).bytes.toString().includes('Renamed'));
    const renamed = await inProfile('?n=4');
    expect(renamed.bytes.toString()).toContain('Renamed');
    expect(renamed.headers.etag).not.toBe(told.headers.etag);
  },
);

test('forms go with what they were made of', async () => {
  const path = await aPost(100);
  await formed(path, 'br');
  await content.deps.db.run(`update posts set content_html = $2 where id = $1`, [
    Number(path.slice('/posts/'.length)),
    `<p>${'Something else. '.repeat(200)}</p>`,
  ]);
  await until(async () => textOf(await get(path, taking('br'))).includes('Something else'));
  expect(textOf(await formed(path, 'br'))).toContain('Something else');
});
