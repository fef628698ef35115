/** Who is asking: passwords in any alphabet, tokens that end, and what renews them, once for all who wait. */
import { type Client, type Credentials, type Tokens, createClient, logIn } from '@sevenfold/client';
import { until } from '@sevenfold/chassis/testing/until';
import { type Asked, type Said, type Scripted, refusal, startScripted } from './scripted';

const running: Scripted[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

const REFRESH = '/console/api/sessions/refresh';

interface Setting {
  readonly client: Client;
  readonly site: Scripted;
  readonly renewals: Asked[];
  readonly headers: () => (string | undefined)[];
  /** No token is taken any more. */
  readonly expire: () => void;
}

/** A site that takes the newest access token only, and gives a new one for the newest refresh token. */
async function of(
  credentials: Credentials,
  renew: (asked: Asked, number: number) => Said | Promise<Said> = (_, number) => ({
    body: { access_token: `access ${number + 1}`, refresh_token: `refresh ${number + 1}` },
  }),
): Promise<Setting> {
  let valid = 'access 2';
  const renewals: Asked[] = [];
  const site = await startScripted(async (asked) => {
    if (asked.path === REFRESH) {
      renewals.push(asked);
      const said = await renew(asked, renewals.length);
      valid = (said.body as { access_token?: string } | undefined)?.access_token ?? valid;
      return said;
    }
    return asked.headers.authorization === `Bearer ${valid}` ? { body: { id: 7 } } : refusal(401);
  });
  running.push(site);
  const headers = (): (string | undefined)[] =>
    site.asked.filter(({ path }) => path !== REFRESH).map(({ headers: { authorization } }) => authorization);
  const expire = (): void => void (valid = '');
  return { site, renewals, headers, expire, client: createClient({ url: site.url, credentials }) };
}

const bodies = (renewals: readonly Asked[]): unknown[] => renewals.map(({ body }) => JSON.parse(body));

test('passwords are sent as UTF-8', async () => {
  const { client, headers } = await of({ username: 'Zoë', applicationPassword: 'ключ 🔑' });
  await expect(client.posts.get(7)).rejects.toMatchObject({ status: 401 });
  expect(headers()).toEqual([`Basic ${Buffer.from('Zoë:ключ 🔑').toString('base64')}`]);
});

test('a token that no header takes is refused by itself, and not shown', async () => {
  const url = 'http://site.test';
  for (const accessToken of ['se\ncret', 'sécret'])
    expect(() => createClient({ url, credentials: { accessToken } })).toThrow(
      new TypeError('The access token has characters that none has.'),
    );
  const { client, headers } = await of({ accessToken: ' access 2\n' });
  await client.posts.get(7);
  expect(headers()).toEqual(['Bearer access 2']);
});

test('a token that ended is renewed once, whoever meets that; writes are sent again with it', async () => {
  const told: Tokens[] = [];
  const { client, site, renewals, expire } = await of({
    accessToken: 'access 1',
    refresh: 'refresh 1',
    onRefreshed: (tokens) => told.push(tokens),
  });
  const reads = Array.from({ length: 5 }, (_, id) => client.posts.get(id));
  const written = client.posts.create({ title: 'One' });
  expect(await Promise.all([...reads, written])).toEqual(Array(6).fill({ id: 7 }));
  expect(bodies(renewals)).toEqual([{ refresh_token: 'refresh 1' }]);
  expect(renewals[0]?.headers.authorization).toBeUndefined();
  expect(told).toEqual([{ accessToken: 'access 2', refreshToken: 'refresh 2' }]);
  const writes = site.asked.filter(({ method, path }) => method === 'POST' && path !== REFRESH);
  expect(writes.at(-1)).toMatchObject({
    body: '{"title":"One"}',
    headers: { authorization: 'Bearer access 2' },
  });

  // The next one is got for the refresh token that came with the last, which is void by now.
  expire();
  await Promise.all([client.posts.get(1), client.posts.get(2)]);
  expect(bodies(renewals)).toEqual([{ refresh_token: 'refresh 1' }, { refresh_token: 'refresh 2' }]);
});

test('what is sent with each request is sent with those for tokens, too', async () => {
  const { site, renewals } = await of({ accessToken: 'access 1' });
  const headers = { 'X-Way-In': 'proxy' };
  const credentials = { accessToken: 'access 1', refresh: 'refresh 1' };
  expect(await createClient({ url: site.url, credentials, headers }).posts.get(7)).toEqual({ id: 7 });
  await logIn({ url: site.url, username: 'a', password: 'b', headers }).catch(() => undefined);
  expect(renewals).toHaveLength(1);
  expect(site.asked).toHaveLength(4);
  expect(site.asked.map((one) => one.headers['x-way-in'])).toEqual(Array(4).fill('proxy'));
});

test('a token that is refused when it is new is no reason to get another one', async () => {
  const { client, renewals, headers } = await of({ accessToken: 'old', refresh: async () => 'newer' });
  await expect(client.posts.get(7)).rejects.toMatchObject({ status: 401, attempts: 2 });
  expect([renewals, headers()]).toEqual([[], ['Bearer old', 'Bearer newer']]);
});

test('a function gets tokens by any other way; nothing is renewed where there is nothing to renew by', async () => {
  let calls = 0;
  const refresh = async (): Promise<Tokens> => ({ accessToken: `access ${(calls += 1) + 1}` });
  const { client, headers } = await of({ accessToken: 'access 1', refresh });
  expect(await client.posts.get(7)).toEqual({ id: 7 });
  expect([calls, headers()]).toEqual([1, ['Bearer access 1', 'Bearer access 2']]);
  const { client: without, headers: sent } = await of({ accessToken: 'access 1' });
  await expect(without.posts.get(7)).rejects.toMatchObject({ status: 401, attempts: 1 });
  expect(sent()).toEqual(['Bearer access 1']);
});

test('whoever waits is told when renewing fails, and the next one tries it again', async () => {
  const { client, renewals } = await of({ accessToken: 'access 1', refresh: 'refresh 1' }, (_, number) =>
    number === 1 ? refusal(403) : { body: { access_token: 'access 2', refresh_token: 'refresh 2' } },
  );
  const both = await Promise.allSettled([client.posts.get(1), client.posts.get(2)]);
  expect(both.map((one) => (one as PromiseRejectedResult).reason as unknown)).toEqual([
    expect.objectContaining({ code: 'code_403' }),
    expect.objectContaining({ code: 'code_403' }),
  ]);
  expect(await client.posts.get(3)).toEqual({ id: 7 });
  expect(bodies(renewals)).toEqual([{ refresh_token: 'refresh 1' }, { refresh_token: 'refresh 1' }]);
});

test('a log-in that is over may end the requests that wait for it, and that is all they hear', async () => {
  const ending = new AbortController();
  const over = new Error('log in again');
  const { client } = await of({
    accessToken: 'access 1',
    refresh: () => {
      ending.abort(over);
      return Promise.reject(new Error('the session has ended'));
    },
  });
  await expect(client.posts.get(1, {}, { signal: ending.signal })).rejects.toBe(over);
  // What nobody hears of is told by then, and would fail this test.
  await new Promise((resolve) => setImmediate(resolve));
});

test('one that is given up takes nobody else with it', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { client, renewals } = await of({ accessToken: 'access 1', refresh: 'refresh 1' }, async () => {
    await held;
    return { body: { access_token: 'access 2', refresh_token: 'refresh 2' } };
  });
  const reason = new Error('enough');
  const ending = new AbortController();
  const given = client.posts.get(1, {}, { signal: ending.signal });
  const other = client.posts.get(2);
  given.catch(() => undefined);
  await until(() => renewals.length === 1);
  ending.abort(reason);
  await expect(given).rejects.toBe(reason);
  release();
  expect(await other).toEqual({ id: 7 });
  expect(renewals).toHaveLength(1);
});

test('an answer with tokens that was lost on its way is asked for once more', async () => {
  const { client, renewals } = await of({ accessToken: 'access 1', refresh: 'refresh 1' }, (_, number) =>
    number === 1
      ? { instead: 'hang up' }
      : { body: { access_token: 'access 2', refresh_token: 'refresh 2' } },
  );
  expect(await client.posts.get(1)).toEqual({ id: 7 });
  expect(bodies(renewals)).toEqual([{ refresh_token: 'refresh 1' }, { refresh_token: 'refresh 1' }]);
});

test('an answer with tokens that does not come in time is not asked for again: by then the token counts as stolen', async () => {
  const { site, renewals } = await of({ accessToken: 'access 1' }, () => ({ instead: 'silence' }));
  const credentials = { accessToken: 'access 1', refresh: 'refresh 1' };
  const client = createClient({ url: site.url, credentials, timeoutMs: 2_000 });
  await expect(client.posts.get(1)).rejects.toMatchObject({ code: 'timeout', attempts: 1 });
  expect(bodies(renewals)).toEqual([{ refresh_token: 'refresh 1' }]);
});

test('a function that never answers keeps nobody', async () => {
  const { site } = await of({ accessToken: 'access 1' });
  const credentials = { accessToken: 'access 1', refresh: () => new Promise<string>(() => undefined) };
  const client = createClient({ url: site.url, credentials, timeoutMs: 200 });
  await expect(client.posts.get(1)).rejects.toMatchObject({ code: 'timeout' });
});
