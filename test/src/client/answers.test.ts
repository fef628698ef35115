/** What the client makes of answers and of their absence: when it asks again, what it throws, and when it gives up. */
import { type Client, type ClientOptions, SevenfoldError, createClient } from '@sevenfold/client';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@sevenfold/chassis/testing/until';
import { type Asked, type Said, type Scripted, refusal, startScripted } from './scripted';

const running: Scripted[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

/** A client of a site that answers so. */
async function of(
  answer: (asked: Asked, number: number) => Said,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; site: Scripted }> {
  const site = await startScripted(answer);
  running.push(site);
  return { site, client: createClient({ url: `${site.url}/`, ...options }) };
}

const POST = { id: 7, title: { rendered: 'One' } };
const fault = (promise: Promise<unknown>): Promise<SevenfoldError> =>
  promise.then(
    () => Promise.reject(new Error('it was answered')),
    (error: SevenfoldError) => error,
  );
const methods = ({ asked }: Scripted): string[] => asked.map(({ method }) => method);
const SOON = { 'Retry-After': '0' };
const NOT_DONE = { done: false };
const HALF: Said = { headers: { 'Content-Length': '100' }, body: '{"id"' };
/** Longer than a busy machine takes to bring a question there, and an answer back. */
const LATE_MS = 2_000;

describe('asked again', () => {
  /** The first answer, then a good one. */
  const first = (said: Said, options?: Partial<ClientOptions>) =>
    of((_, number) => (number === 1 ? said : { body: POST }), options);
  type Act = (client: Client) => Promise<unknown>;
  const read: Act = ({ posts }) => posts.get(7);
  const create: Act = ({ posts }) => posts.create({ title: 'Two' });
  const update: Act = ({ posts }) => posts.update(7, { title: 'Two' });
  const remove: Act = ({ posts }) => posts.delete(7);

  test.each<[string, Act, Said]>([
    ['a read, when too many came', read, refusal(429, {}, SOON)],
    ['a write, when too many came', create, refusal(429, {}, SOON)],
    ['a read, when something is away', read, refusal(503, {}, SOON)],
    ['a read without a word of when', read, refusal(503)],
    ['a deletion, when something is away', remove, refusal(503, {}, SOON)],
    ['a write of which nothing was done', create, refusal(503, NOT_DONE, SOON)],
    ['a change of which nothing was done', update, refusal(503, NOT_DONE, SOON)],
    ['a read whose connection ended', read, { instead: 'hang up' }],
    ['a deletion whose connection ended', remove, { instead: 'hang up' }],
    ['a read without an answer in time', read, { instead: 'silence' }],
    ['a read with half an answer in time', read, HALF],
    ['a deletion without an answer in time', remove, { instead: 'silence' }],
  ])('%s', async (_name, act, said) => {
    const { client, site } = await first(said, { timeoutMs: LATE_MS });
    expect(await act(client)).toEqual(POST);
    const [one, other] = site.asked as [Asked, Asked];
    expect([other.method, other.path, other.body]).toEqual([one.method, one.path, one.body]);
    expect(site.asked).toHaveLength(2);
  });

  test.each<[string, Act, Said, string]>([
    ['a write that may have been done', create, refusal(503, {}, SOON), 'code_503'],
    ['a change that may have been done', update, refusal(503, { done: true }, SOON), 'code_503'],
    ['a write whose connection ended', create, { instead: 'hang up' }, 'unreachable'],
    ['a write without an answer in time', create, { instead: 'silence' }, 'timeout'],
    ['what is wrong', read, refusal(400), 'code_400'],
    ['what is not there', remove, refusal(404), 'code_404'],
    ['what took too long', read, refusal(504, {}, SOON), 'code_504'],
    ['what may not be asked for so soon', read, refusal(429, {}, { 'Retry-After': '61' }), 'code_429'],
  ])('but not %s', async (_name, act, said, code) => {
    const { client, site } = await first(said, { timeoutMs: LATE_MS });
    expect(await fault(act(client))).toMatchObject({ code, attempts: 1 });
    expect(site.asked).toHaveLength(1);
  });

  test('only so often, and the last refusal is thrown', async () => {
    const { client, site } = await of(() => refusal(503, {}, SOON), { retries: 2 });
    expect(await fault(client.posts.get(7))).toMatchObject({ status: 503, attempts: 3 });
    expect(site.asked).toHaveLength(3);
    expect(await fault(client.posts.get(7, {}, { retries: 0 }))).toMatchObject({ attempts: 1 });
    expect(site.asked).toHaveLength(4);
  });

  test('as often as the client says, where a call leaves that open', async () => {
    const { client, site } = await of(() => refusal(503, {}, SOON), { retries: 0 });
    const left = { retries: undefined, timeoutMs: undefined, longestPauseMs: undefined };
    expect(await fault(client.posts.get(7, {}, left))).toMatchObject({ attempts: 1 });
    expect(site.asked).toHaveLength(1);
  });

  test('not before a pause that no timer knows', async () => {
    const days = String(30 * 24 * 3600);
    const { client, site } = await of(
      ({ path }) => refusal(503, {}, path.endsWith('/7') ? { 'Retry-After': days } : SOON),
      { longestPauseMs: Infinity },
    );
    const ending = new AbortController();
    const asked = client.posts.get(7, {}, { signal: ending.signal });
    await until(() => site.asked.length === 1);
    // A pause that was over at once would have let it ask again as often as this one does.
    expect(await fault(client.posts.get(8))).toMatchObject({ attempts: 4 });
    ending.abort('enough');
    await expect(asked).rejects.toBe('enough');
    expect(site.asked.filter(({ path }) => path.endsWith('/7'))).toHaveLength(1);
  });

  test('by the calls of openapi-fetch as well, which throw nothing', async () => {
    const { client, site } = await of((_, number) => (number < 3 ? refusal(429, {}, SOON) : { body: POST }));
    const { data } = await client.raw.PATCH('/core/v2/posts/{id}', {
      params: { path: { id: 7 } },
      body: { title: 'Two' },
    });
    expect([data, methods(site)]).toEqual([POST, ['PATCH', 'PATCH', 'PATCH']]);
    expect(site.asked[2]?.body).toBe('{"title":"Two"}');
  });

  test('no sooner than the site says, in seconds or as a date', async () => {
    const { client, site } = await of((_, number) =>
      number === 1 ? refusal(429, {}, { 'Retry-After': '1' }) : { body: POST },
    );
    const began = performance.now();
    await client.posts.get(7);
    // A timer may be a millisecond early, never more.
    expect([performance.now() - began >= 998, site.asked.length]).toEqual([true, 2]);

    const asks = async (value: string): Promise<number | undefined> => {
      const { client: other } = await of(() => refusal(429, {}, { 'Retry-After': value }), { retries: 0 });
      return (await fault(other.posts.get(7))).retryAfterMs;
    };
    expect(await asks('120')).toBe(120_000);
    const inAnHour = await asks(new Date(Date.now() + 3_600_000).toUTCString());
    expect(inAnHour).toBeLessThanOrEqual(3_600_000);
    expect(inAnHour).toBeGreaterThan(3_000_000);
    expect(await asks(new Date(0).toUTCString())).toBe(0);
    expect(await asks('soon')).toBeUndefined();
  });
});

describe('thrown', () => {
  test('what is wrong with which argument, and how to find the request', async () => {
    const params = { status: 'It is none of these.', sticky: 'It is no boolean.' };
    const { client } = await of(() => refusal(400, { params, more: 1 }));
    const error = await fault(client.posts.create({ title: 'x' }));
    expect(error).toBeInstanceOf(SevenfoldError);
    expect(error).toMatchObject({
      name: 'SevenfoldError',
      code: 'code_400',
      status: 400,
      message: 'Refused with 400.',
      params,
      data: { status: 400, params, more: 1 },
      requestId: 'r-1',
    });
    const { client: other } = await of(() => refusal(400, { params: ['title', 'start_date'] }));
    expect(Object.keys((await fault(other.posts.get(7))).params)).toEqual(['title', 'start_date']);
  });

  test('what somebody on the way says, who is not the site', async () => {
    const html = { 'Content-Type': 'text/html' };
    const { client } = await of(() => ({ status: 502, headers: html, body: '<h1>Bad gateway</h1>' }));
    expect(await fault(client.posts.get(7))).toMatchObject({ code: 'http_502', status: 502, params: {} });
    const { client: broken } = await of(() => ({ body: '{"id": 7' }));
    expect(await fault(broken.posts.get(7))).toMatchObject({ code: 'invalid_answer', requestId: 'r-1' });
    const { client: odd } = await of(() => ({ body: [POST] }));
    expect(await fault(odd.posts.list().page(1))).toMatchObject({ code: 'invalid_answer' });
    const { client: text } = await of(() => ({ headers: { 'Content-Type': 'text/xml' }, body: '<oembed/>' }));
    expect(await text.oembed.embed.get({ url: 'x', format: 'xml' })).toBe('<oembed/>');
  });

  test('that a page came which nobody asked for, and nothing of the interface', async () => {
    const html = { 'Content-Type': 'text/html; charset=UTF-8' };
    const { client } = await of(({ path }) =>
      path.includes('/login') || !path.includes('/posts/')
        ? { headers: html, body: '<!doctype html><form>' }
        : { status: 302, headers: { Location: '/login' } },
    );
    const page = { code: 'invalid_answer', status: 200, requestId: 'r-1' };
    const file = new Blob(['x']);
    for (const call of [
      () => client.posts.get(7),
      () => client.posts.create({ title: 'x' }),
      () => client.users.me.update({ name: 'x' }),
      () => client.comments.delete(7, { force: true }),
      () => client.media.upload(file, { fileName: 'x' }),
      () => client.posts.list().page(1),
      () => client.console.submissions.list().page(),
    ])
      expect(await fault(call())).toMatchObject(page);
    const headers = { Accept: 'text/html' };
    expect(await client.console.head.get({ url: 'x' }, { headers })).toBe('<!doctype html><form>');
  });

  test('that another origin answered, which knows nothing of the credentials', async () => {
    const { site: there } = await of(() => ({ body: POST }));
    const { client, site } = await of(({ path }) => ({
      status: 301,
      headers: { Location: `${there.url}/rest${path}` },
    }));
    expect(await client.posts.get(7)).toEqual(POST);
    const credentials = { username: 'a', applicationPassword: 'b' };
    const error = await fault(createClient({ url: site.url, credentials }).posts.get(7));
    expect(error).toMatchObject({ code: 'invalid_answer', status: 200 });
    expect(error.message).toContain(there.url);
    expect(there.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test('that a write was sent elsewhere, where it would arrive as a read', async () => {
    const { client, site } = await of(({ path }) =>
      path.includes('/posts') ? { status: 302, headers: { Location: '/elsewhere' } } : { body: POST },
    );
    expect(await fault(client.posts.create({ title: 'x' }))).toMatchObject({
      code: 'unreachable',
      status: 0,
    });
    expect(methods(site)).toEqual(['POST']);
    expect(await client.posts.get(7)).toEqual(POST);
  });

  test('that an answer never ends', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    const server = http.createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const more = (): void =>
        void (response.destroyed || (response.write(megabyte) ? setImmediate(more) : 0));
      response.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    running.push({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      asked: [],
      stop: async () => {
        server.closeAllConnections();
        server.close();
      },
    });
    const client = createClient({ url: running.at(-1)?.url as string });
    expect(await fault(client.posts.get(7))).toMatchObject({ code: 'invalid_answer' });
  });

  test('that there is nobody', async () => {
    const { client, site } = await of(() => ({}), { retries: 0 });
    await site.stop();
    const error = await fault(client.posts.get(7));
    expect(error).toMatchObject({ code: 'unreachable', status: 0, attempts: 1 });
    expect(error.message).toContain('ECONNREFUSED');
  });

  test('nothing, where no time is too long', async () => {
    const { client } = await of(() => ({ body: POST }), { timeoutMs: Infinity, retries: 0 });
    expect(await client.posts.get(7)).toEqual(POST);
    expect(await client.posts.get(7, {}, { timeoutMs: 30 * 24 * 3_600_000 })).toEqual(POST);
  });

  test.each<[string, Said]>([
    ['no answer', { instead: 'silence' }],
    ['half an answer', HALF],
  ])('that %s came in time, of each try', async (_name, said) => {
    const { client, site } = await of(() => said, { timeoutMs: LATE_MS, retries: 1 });
    const error = await fault(client.posts.get(7));
    expect(error).toMatchObject({ code: 'timeout', attempts: 2 });
    expect(error.message).toContain(`within ${LATE_MS} ms`);
    expect(site.asked).toHaveLength(2);
  });
});

describe('addresses', () => {
  test('what would vanish from one, and make another operation of it, is not sent', async () => {
    const { client, site } = await of(() => ({ body: [] }));
    const { sessions } = client.console;
    for (const nothing of ['', '.', '..', null, undefined, [], {}] as string[]) {
      await expect(sessions.delete(nothing)).rejects.toThrow(/^`id` names nothing/);
      await expect(client.calendar.events.bySlug.update(nothing, {})).rejects.toThrow(TypeError);
      await expect(client.posts.revisions.list(nothing as never).page(1)).rejects.toThrow(TypeError);
    }
    const path = { id: '' };
    await expect(
      client.console.raw.DELETE('/console/api/sessions/{id}', { params: { path } }),
    ).rejects.toThrow(TypeError);
    expect(site.asked).toEqual([]);
    await client.calendar.events.bySlug.get('../a b.');
    expect(site.asked[0]?.path).toBe('/calendar/events/v1/events/by-slug/..%2Fa%20b.');
  });

  test('dates are written in them as in a body', async () => {
    const { client, site } = await of(() => ({ body: {} }));
    const date = new Date('2027-01-02T03:04:05Z') as unknown as string;
    await client.posts
      .list({ after: date, search: 'a&b=é,c', include: [3, 5] })
      .page(1)
      .catch(String);
    expect(site.asked[0]?.path).toBe(
      '/core/v2/posts?after=2027-01-02T03%3A04%3A05.000Z&search=a%26b%3D%C3%A9%2Cc&include=3,5&per_page=100&page=1',
    );
  });
});

describe('given up, with the reason that was given', () => {
  const reason = new Error('enough');

  test('before anything is sent', async () => {
    const { client, site } = await of(() => ({ body: POST }));
    const signal = AbortSignal.abort(reason);
    await expect(client.posts.get(7, {}, { signal })).rejects.toBe(reason);
    await expect(client.media.upload(new Blob(['x']), { fileName: 'x', signal })).rejects.toBe(reason);
    expect(site.asked).toEqual([]);
  });

  test('in the moment of the call', async () => {
    const { client, site } = await of(() => ({ body: POST }));
    const calls = [
      (signal: AbortSignal) => client.posts.get(7, {}, { signal }),
      (signal: AbortSignal) => client.posts.delete(7, { force: true }, { signal }),
      (signal: AbortSignal) => client.posts.list({}, { signal })[Symbol.asyncIterator]().next(),
    ];
    for (const call of calls) {
      const ending = new AbortController();
      const asked = call(ending.signal);
      ending.abort(reason);
      await expect(asked).rejects.toBe(reason);
    }
    expect(site.asked).toEqual([]);
  });

  test.each<[string, Said]>([
    ['an answer is waited for', { instead: 'silence' }],
    ['the rest of an answer is', { headers: { 'Content-Length': '100' }, body: '{"id"' }],
    ['the next try is', refusal(503, {}, { 'Retry-After': '50' })],
  ])('while %s', async (_name, said) => {
    const { client, site } = await of(() => said);
    const ending = new AbortController();
    const asked = client.posts.get(7, {}, { signal: ending.signal });
    asked.catch(() => undefined);
    await until(() => site.asked.length === 1);
    ending.abort(reason);
    await expect(asked).rejects.toBe(reason);
    expect(site.asked).toHaveLength(1);
  });

  test('between two pages; and many calls leave nothing on a signal', async () => {
    const { client, site } = await of(() => ({
      headers: { 'X-Total': '9', 'X-Total-Pages': '9' },
      body: [POST],
    }));
    const ending = new AbortController();
    const walk = async (): Promise<void> => {
      for await (const post of client.posts.list({ per_page: 1 }, { signal: ending.signal }))
        if (post.id === 7) ending.abort(reason);
    };
    await expect(walk()).rejects.toBe(reason);
    expect(site.asked).toHaveLength(1);

    const { signal } = new AbortController();
    let listening = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening -= 1;
      remove(...args);
    };
    for (let turn = 0; turn < 20; turn += 1) await client.posts.get(turn, {}, { signal });
    expect(listening).toBe(0);
  });
});
