/** Access tokens at the gateway: which are let in, what becomes of all others, and how log-ins are limited. */
import { createHmac, hkdfSync } from 'node:crypto';
import { ConfigError } from '@sevenfold/chassis/config';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { TEST_SITE_URL, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { type JWTPayload, SignJWT, decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import type { RunningGateway } from '../gateway';
import { inMinutesOfTheirOwn } from '../limits/testing';
import { addresses, startSmall, startTestGateway } from '../testing';
import {
  type Deps,
  EDITOR_MAIL,
  PASSWORD,
  REFRESH_TOKEN,
  SESSION,
  basic,
  signedIn,
  smallContent,
} from '../testing/small';
import { seo } from '../testing/small-seo';
import { openTokens } from './tokens';

const OLD = 'the old secret of tests that signs tokens';
const NEW = 'the new secret of tests that signs tokens';
const CLOSED = '/rest/core/v2/closed';
const SESSIONS = '/console/api/sessions';

let content: RunningService<Deps>;
let gateway: RunningGateway;
/** One that the gateway has given. */
let token: string;

const start = (settings: object = {}): Promise<RunningGateway> =>
  startTestGateway({ ...addresses('CONTENT', content), TOKEN_KEYS: OLD, ...settings });
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });
const closed = (text: string, where = gateway) => speaker(where.url).get(CLOSED, bearer(text));
const logIn = (where = gateway, headers = {}, username = 'editor', password = PASSWORD) =>
  speaker(where.url).post(SESSIONS, { username, password }, headers);
const tokenOf = async (where: RunningGateway): Promise<string> => (await logIn(where)).body.access_token;
const refused = 'Bearer realm="site.test", error="invalid_token", error_description=';

beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await start();
  token = await tokenOf(gateway);
});
beforeEach(() => {
  content.deps.sessionEnded = false;
});
afterAll(async () => {
  await gateway.stop();
  await content.stop();
});

test('a token names its user and its session, for a while, and no right', () => {
  expect(decodeProtectedHeader(token)).toEqual({
    alg: 'HS256',
    typ: 'at+jwt',
    kid: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  const { iat = 0, exp = 0, ...claims } = decodeJwt(token);
  expect(claims).toEqual({
    iss: TEST_SITE_URL,
    aud: `${TEST_SITE_URL}/rest`,
    sub: '7',
    sid: SESSION,
    jti: expect.any(String),
  });
  expect(exp - iat).toBe(900);
});

test('it makes the same user as an application password does, in any case of the scheme', async () => {
  const byPassword = await speaker(gateway.url).get(CLOSED, signedIn);
  for (const scheme of ['Bearer', 'bEARER'])
    expect(await speaker(gateway.url).get(CLOSED, { Authorization: `${scheme} ${token}` })).toMatchObject({
      status: 200,
      body: byPassword.body,
    });
});

describe('what is no token of this site is refused, and the content service is not asked', () => {
  const bytesOf = (secret: string, use: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'sevenfold access token', use, length));
  const key = bytesOf(OLD, 'key', 32);
  const kid = bytesOf(OLD, 'id', 6).toString('hex');
  const header = { alg: 'HS256', typ: 'at+jwt', kid };
  const claims = (): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: TEST_SITE_URL,
      aud: `${TEST_SITE_URL}/rest`,
      sub: '7',
      sid: SESSION,
      iat: now,
      exp: now + 60,
    };
  };
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** Signed by hand: the library does not sign what it should not. */
  const signed = (head: object, payload: object, hash = 'sha256', secret: Buffer = key): string => {
    const text = `${encoded(head)}.${encoded(payload)}`;
    return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
  };
  const without = (...names: string[]): JWTPayload =>
    Object.fromEntries(Object.entries(claims()).filter(([name]) => !names.includes(name)));

  test('signed as it should be, it would be let in', async () => {
    expect((await closed(signed(header, claims()))).status).toBe(200);
  });

  test('and is told that it is over where that is all that is wrong with it', async () => {
    const over = { ...claims(), exp: Math.floor(Date.now() / 1000) - 60 };
    for (const [text, description] of [
      [signed(header, over), 'The access token has expired.'],
      [signed(header, over, 'sha256', bytesOf(NEW, 'key', 32)), 'The access token is none of this site.'],
    ] as const) {
      const { status, headers } = await closed(text);
      expect([status, headers.get('www-authenticate')]).toEqual([401, `${refused}"${description}"`]);
    }
  });

  const forgeries: Readonly<Record<string, () => string | Promise<string>>> = {
    'without a signature': () => `${encoded({ ...header, alg: 'none' })}.${encoded(claims())}.`,
    'with one nevertheless': () => signed({ ...header, alg: 'none' }, claims()),
    'by another algorithm of the same key': () => signed({ ...header, alg: 'HS512' }, claims(), 'sha512'),
    'by a key that it brings': async () => {
      const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
      const jwk = await exportJWK(publicKey);
      return new SignJWT(claims()).setProtectedHeader({ ...header, alg: 'EdDSA', jwk }).sign(privateKey);
    },
    'by another key': () => signed(header, claims(), 'sha256', bytesOf(NEW, 'key', 32)),
    'by the text of the secret': () => signed(header, claims(), 'sha256', Buffer.from(OLD)),
    'with no key named': () => signed({ alg: 'HS256', typ: 'at+jwt' }, claims()),
    'with an unknown key named': () => signed({ ...header, kid: 'x' }, claims()),
    'with a name of every object': () => signed({ ...header, kid: '__proto__' }, claims()),
    'that wants to be understood in another way': () => signed({ ...header, crit: ['exp'] }, claims()),
    'of another issuer': () => signed(header, { ...claims(), iss: 'http://other.test' }),
    'for another audience': () => signed(header, { ...claims(), aud: 'http://other.test/rest' }),
    'for nobody': () => signed(header, without('aud')),
    'of another type': () => signed({ ...header, typ: 'JWT' }, claims()),
    'of no type': () => signed({ alg: 'HS256', kid }, claims()),
    'without an end': () => signed(header, without('exp')),
    'without a session': () => signed(header, without('sid')),
    'without a user': () => signed(header, without('sub')),
    'of nobody': () => signed(header, { ...claims(), sub: '0' }),
    'of a name': () => signed(header, { ...claims(), sub: 'editor' }),
    'of which the end is text': () => signed(header, { ...claims(), exp: 'never' }),
    'that begins later': () => signed(header, { ...claims(), nbf: Math.floor(Date.now() / 1000) + 3600 }),
    'of which one letter is changed': () => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`,
    'of which the claims are changed': () => {
      const [head, , signature] = token.split('.');
      return `${head}.${encoded({ ...decodeJwt(token), sub: '1' })}.${signature}`;
    },
    'that is cut': () => token.slice(0, token.lastIndexOf('.')),
    twice: () => `${token} ${token}`,
    'that is a refresh token': () => REFRESH_TOKEN,
    'that is too long': () => `${token}${'A'.repeat(5_000)}`,
    'that is nothing': () => '',
  };
  test.each(Object.entries(forgeries))('%s', async (_, make) => {
    const before = content.deps.signIns;
    const text = await make();
    for (const path of [CLOSED, '/rest/core/v2/echo', '/console/api/imports']) {
      const { status, headers, body } = await speaker(gateway.url).get(path, bearer(text));
      expect([status, body.code]).toEqual([401, 'rest_invalid_credentials']);
      expect(headers.get('www-authenticate')).toBe(`${refused}"The access token is none of this site."`);
    }
    expect(content.deps.signIns).toBe(before);
  });

  test('in an address it is not even looked at', async () => {
    const { status } = await speaker(gateway.url).get(`${CLOSED}?access_token=${token}`);
    expect(status).toBe(401);
  });
});

test('a token of another user than the session has is refused', async () => {
  const foreign = await openTokens({
    TOKEN_KEYS: OLD,
    SITE_URL: TEST_SITE_URL,
    ACCESS_TOKEN_SECONDS: 60,
  }).sign(1, '00000000-0000-4000-8000-000000000002');
  const { status, headers } = await closed(foreign);
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toBe(`${refused}"The session of the access token has ended."`);
});

describe('tokens that are over are counted', () => {
  inMinutesOfTheirOwn();

  test('those of a key that was changed at once are no guesses: their clients refresh, however many share an address', async () => {
    const changed = await start({ TOKEN_KEYS: NEW, RATE_LIMIT_ATTEMPTS: 2 });
    for (let n = 0; n < 5; n++) {
      const { status, headers } = await closed(token, changed);
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        `${refused}"The access token is none of this site."`,
      ]);
    }
    expect((await speaker(changed.url).get(CLOSED, signedIn)).status).toBe(200);
    // What names a key of ours and was not signed with it may be a guess.
    const [head, claims] = (await tokenOf(changed)).split('.');
    const guesses = [];
    for (const guess of ['a', 'b', 'c'])
      guesses.push((await closed(`${head}.${claims}.${guess.repeat(43)}`, changed)).status);
    expect(guesses).toEqual([401, 401, 429]);
    await changed.stop();
  });

  test('one that has expired is refused, although it is remembered; whoever sends it on is no guesser', async () => {
    const brief = await start({ ACCESS_TOKEN_SECONDS: 1, CREDENTIAL_SECONDS: 30, RATE_LIMIT_ATTEMPTS: 2 });
    const { body } = await logIn(brief);
    expect(body.expires_in).toBe(1);
    await until(async () => (await closed(body.access_token, brief)).status === 401);
    for (let n = 0; n < 5; n++) {
      const { status, headers } = await closed(body.access_token, brief);
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        `${refused}"The access token has expired."`,
      ]);
    }
    expect((await logIn(brief)).status).toBe(200);
    const guesses = [];
    for (const guess of ['a', 'b', 'c']) guesses.push((await closed(guess, brief)).status);
    expect(guesses).toEqual([401, 401, 429]);
    await brief.stop();
  });

  test('those that are over count as requests of strangers', async () => {
    const strict = await start({ RATE_LIMIT_ADDRESS: 3 });
    const mine = await tokenOf(strict);
    content.deps.sessionEnded = true;
    const before = content.deps.signIns;
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await closed(mine, strict)).status);
    // The log-in was the first of three.
    expect(statuses).toEqual([401, 401, 401, 429]);
    // A session that has ended is asked for once.
    expect(content.deps.signIns).toBe(before + 1);
    await strict.stop();
  });
});

test('keys are exchanged while everybody works: the first signs, all count', async () => {
  const [both, later] = [await start({ TOKEN_KEYS: `${NEW},${OLD}` }), await start({ TOKEN_KEYS: NEW })];
  const young = await tokenOf(both);
  expect((await closed(token, both)).status).toBe(200);
  expect((await closed(young, both)).status).toBe(200);
  expect((await closed(young, later)).status).toBe(200);
  expect((await closed(young)).status).toBe(401);
  expect((await closed(token, later)).status).toBe(401);
  await Promise.all([both.stop(), later.stop()]);
});

test('without keys there are no sessions, and a short key is none', async () => {
  const without = await start({ TOKEN_KEYS: '' });
  for (const path of [SESSIONS, `${SESSIONS}/refresh`]) {
    const given = { username: 'editor', password: PASSWORD, refresh_token: REFRESH_TOKEN };
    const { status, body } = await speaker(without.url).post(path, given);
    expect([status, body.code]).toEqual([501, 'rest_tokens_off']);
  }
  expect((await closed(token, without)).status).toBe(401);
  await without.stop();
  await expect(start({ TOKEN_KEYS: `${OLD},${'x'.repeat(31)}` })).rejects.toThrow(ConfigError);
  const shortest = { TOKEN_KEYS: 'x'.repeat(32), SITE_URL: TEST_SITE_URL, ACCESS_TOKEN_SECONDS: 60 };
  expect(openTokens(shortest).isOn).toBe(true);
});

test('while content is away, a token that was used lately goes on until it expires, another one waits', async () => {
  const statistics = await startSmall(seo);
  const owner = await startSmall(smallContent);
  const settings = {
    ...addresses('CONTENT', owner),
    ...addresses('SEO', statistics),
    TOKEN_KEYS: OLD,
    CREDENTIAL_SECONDS: 0.001,
  };
  const lasting = await startTestGateway(settings);
  const brief = await startTestGateway({ ...settings, ACCESS_TOKEN_SECONDS: 2 });
  const ask = async (where: RunningGateway, text: string) => {
    const { status, body } = await speaker(where.url).get('/rest/seo/v1/statistics', bearer(text));
    return [status, body.for];
  };
  await until(() => owner.deps.news.listenerCount('user') === 2);
  // Its answer comes behind the first of the news: from then on who was right is remembered for an outage.
  const used = await tokenOf(lasting);
  expect(await ask(lasting, used)).toEqual([200, 'editor']);
  const soonOver = await tokenOf(brief);
  await owner.stop();
  expect(await ask(lasting, used)).toEqual([200, 'editor']);
  expect((await logIn(lasting)).status).toBe(503);
  // Of a session that this gateway has not met.
  expect((await ask(brief, used))[0]).toBe(503);
  await until(async () => (await ask(brief, soonOver))[0] === 401);
  await Promise.all([lasting.stop(), brief.stop(), statistics.stop()]);
});

test('tokens find their way where strangers who guess take all the room', async () => {
  let release = (): void => undefined;
  const narrow = await start({ SIGN_INS_AT_ONCE: 1, REQUEST_TIMEOUT_SECONDS: 60 });
  const mine = await tokenOf(narrow);
  content.deps.held = new Promise((resolve) => (release = resolve));
  const before = content.deps.signIns;
  const guesses = [1, 2, 3].map((n) => speaker(narrow.url).get(CLOSED, basic('editor', `wrong ${n}`)));
  await until(() => content.deps.signIns === before + 1);
  const answer = closed(mine, narrow);
  await until(() => content.deps.signIns === before + 2);
  content.deps.held = undefined;
  release();
  expect((await answer).status).toBe(200);
  await Promise.all(guesses);
  await narrow.stop();
});

describe('log-ins are limited', () => {
  inMinutesOfTheirOwn();
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const wrong = async (where: RunningGateway, address: string, username = 'editor'): Promise<number> =>
    (await logIn(where, from(address), username, 'wrong')).status;

  test('by address; a refresh token is no guess, and goes on beside those', async () => {
    const strict = await start({ RATE_LIMIT_ATTEMPTS: 3, TRUST_PROXY: true });
    const refresh = async (address: string, given: string): Promise<number> => {
      const sent = { refresh_token: given };
      return (await speaker(strict.url).post(`${SESSIONS}/refresh`, sent, from(address))).status;
    };
    for (let n = 0; n < 5; n++) expect(await refresh('192.0.2.1', `none ${n}`)).toBe(401);
    for (const name of ['editor', 'nobody', 'editor'])
      expect(await wrong(strict, '192.0.2.1', name)).toBe(401);
    const asked = content.deps.logIns.length;
    const { status, headers, body } = await logIn(strict, from('192.0.2.1'));
    expect([status, body.code]).toEqual([429, 'rest_too_many_attempts']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(content.deps.logIns).toHaveLength(asked);
    expect(await refresh('192.0.2.1', REFRESH_TOKEN)).toBe(200);
    expect((await logIn(strict, from('192.0.2.2'))).status).toBe(200);
    await strict.stop();
  });

  test('by account, by whichever of its names and wherever they come from; who was right there goes on', async () => {
    // Where Redis is away each gateway counts for itself.
    const strict = await start({
      RATE_LIMIT_LOG_INS: 3,
      TRUST_PROXY: true,
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    expect((await logIn(strict, from('198.51.100.1'))).status).toBe(200);
    const names = ['editor', ' EDI\u0007TOR ', EDITOR_MAIL];
    const statuses = [];
    for (const [n, name] of names.entries()) statuses.push(await wrong(strict, `192.0.2.${n}`, name));
    expect(statuses).toEqual([401, 401, 401]);
    expect(await wrong(strict, '192.0.2.8', EDITOR_MAIL)).toBe(429);
    const { status, body } = await logIn(strict, from('192.0.2.9'));
    expect([status, body.code]).toEqual([429, 'rest_too_many_attempts']);
    // Of unknown names each has a count of its own, whatever it looks like.
    const unknown = ['nobody', ' NOBODY', 'nobody', 'nobody', 'somebody else', 'user 7', '7'];
    for (const [n, name] of unknown.entries())
      expect(await wrong(strict, `192.0.2.${10 + n}`, name)).toBe(n === 3 ? 429 : 401);
    expect((await logIn(strict, from('198.51.100.1'))).status).toBe(200);
    await strict.stop();
  });
});
