/** What pages of other sites may do: see BEHAVIOUR 36. */
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import type { RunningGateway } from '../gateway';
import { openTokens } from '../identity/tokens';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, SESSION, signedIn, smallContent } from '../testing/small';
import { ask } from '../testing/sockets';

const TOKEN_KEYS = 'the secret of tests that signs tokens';

let content: RunningService<Deps>;
let gateway: RunningGateway;

beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await startTestGateway({
    ...addresses('CONTENT', content),
    TOKEN_KEYS,
    CORS_ORIGINS: 'https://app.example,https://other.example:8443',
  });
});

afterAll(async () => {
  await gateway.stop();
  await content.stop();
});

const ECHO = '/rest/core/v2/echo';
const LISTED = { Origin: 'https://app.example' };
const FOREIGN = { Origin: 'https://evil.example' };

const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  ask(`${gateway.url}${path}`, { method, headers }, body);

describe('the headers', () => {
  test.each(['GET', 'POST'])(
    '%s: any origin may read, only listed ones with remembered credentials',
    async (method) => {
      const listed = await send(method, ECHO, LISTED);
      expect(listed.headers).toMatchObject({
        'access-control-allow-origin': LISTED.Origin,
        'access-control-allow-credentials': 'true',
      });
      for (const origin of [FOREIGN.Origin, 'null', 'https://app.example:444', 'http://app.example', '']) {
        const { headers } = await send(method, ECHO, { Origin: origin });
        expect([origin, headers['access-control-allow-origin']]).toEqual([origin, origin]);
        expect([origin, headers['access-control-allow-credentials']]).toEqual([origin, undefined]);
      }
    },
  );

  test('let scripts see what they need, on errors too', async () => {
    for (const path of [ECHO, '/rest/', '/rest/none/v1', '/rest/seo/v1/statistics']) {
      const { headers } = await send('GET', path, FOREIGN);
      expect(headers['access-control-expose-headers']?.split(', ')).toEqual(
        expect.arrayContaining(['X-Total', 'X-Total-Pages', 'Link', 'X-Request-Id', 'Retry-After']),
      );
    }
  });

  test('of a preflight hold for ten minutes, of other answers not', async () => {
    const asking = { ...FOREIGN, 'Access-Control-Request-Method': 'POST' };
    for (const path of [ECHO, '/rest/', '/rest/none/v1']) {
      const { status, headers } = await send('OPTIONS', path, asking);
      expect([status, headers['access-control-max-age']]).toEqual([200, '600']);
      expect(headers['access-control-allow-headers']?.split(', ')).toEqual([
        'Authorization',
        'Content-Disposition',
        'Content-MD5',
        'Content-Type',
        'Idempotency-Key',
        'X-Batch-Hash',
      ]);
    }
    expect((await send('GET', ECHO, FOREIGN)).headers['access-control-max-age']).toBeUndefined();
  });

  test('are given without a service, to browsers alone', async () => {
    const away = await startTestGateway({ CONTENT_HTTP: 'http://127.0.0.1:9', CONTENT_GRPC: '127.0.0.1:9' });
    try {
      const asked = (headers: Record<string, string>) =>
        ask(`${away.url}${ECHO}`, { method: 'OPTIONS', headers });
      const { status, text, headers } = await asked({ ...FOREIGN, 'Access-Control-Request-Method': 'PUT' });
      expect([status, text, headers['access-control-allow-origin']]).toEqual([200, '[]', FOREIGN.Origin]);
      expect((await asked(FOREIGN)).status).toBe(503);
    } finally {
      await away.stop();
    }
  });
});

describe('a write that comes from another site', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const cross = (more: Record<string, string>): Record<string, string> => ({
    'Sec-Fetch-Site': 'cross-site',
    ...FOREIGN,
    ...more,
  });
  const write = async (headers: Record<string, string>, path = ECHO) => {
    const before = content.deps.runs;
    const { status, text } = await send('POST', path, headers, 'text=x');
    return { status, text, ran: content.deps.runs - before };
  };

  test.each([
    ['Basic', signedIn],
    ['a session of the console', { Cookie: 'theme=dark; sevenfold_session=1' }],
    ['its name behind a prefix', { Cookie: '__Host-sevenfold_session=1' }],
  ])('with %s from the memory of the browser and no preflight is refused', async (_name, credential) => {
    for (const type of [FORM, 'text/plain', `${FORM}; charset=utf-8`, 'Multipart/Form-Data; boundary=x', ''])
      for (const path of [ECHO, `${ECHO}?_method=DELETE`, '/console/api/imports']) {
        const { status, text, ran } = await write(cross({ ...credential, 'Content-Type': type }), path);
        expect([type, path, status, ran]).toEqual([type, path, 403, 0]);
        expect(JSON.parse(text)).toMatchObject({ code: 'rest_cross_site', data: { status: 403 } });
      }
  });

  test('is allowed where it proves a preflight, comes from a listed origin, or has no credentials', async () => {
    const json = await send(
      'POST',
      ECHO,
      cross({ ...signedIn, 'Content-Type': 'application/json' }),
      '{"text":"x"}',
    );
    expect([json.status, JSON.parse(json.text).user]).toEqual([201, 'editor']);
    expect(await write(cross({ ...signedIn, 'Content-Type': FORM, ...LISTED }))).toMatchObject({
      status: 201,
    });
    expect(
      await write(cross({ ...signedIn, 'Content-Type': FORM, 'X-HTTP-Method-Override': 'PUT' })),
    ).toMatchObject({ status: 200 });
    expect(await write(cross({ 'Content-Type': FORM }))).toMatchObject({ status: 201 });
    for (const Cookie of ['session=1; _ga=GA1.2.3', 'not_sevenfold_session=1', 'a=sevenfold_session'])
      expect([Cookie, await write(cross({ 'Content-Type': FORM, Cookie }))]).toMatchObject([
        Cookie,
        { status: 201 },
      ]);
  });

  test('is allowed with an access token, which only a script can have sent, whatever it holds', async () => {
    const tokens = openTokens({ TOKEN_KEYS, SITE_URL: TEST_SITE_URL, ACCESS_TOKEN_SECONDS: 900 });
    const Authorization = `Bearer ${await tokens.sign(7, SESSION)}`;
    expect(await write(cross({ Authorization, 'Content-Type': FORM }))).toMatchObject({
      status: 201,
      ran: 1,
    });
    expect(await write(cross({ Authorization: 'Bearerish', 'Content-Type': FORM }))).toMatchObject({
      status: 403,
      ran: 0,
    });
  });

  test('is told from one of this site, and from programs', async () => {
    for (const site of ['same-origin', 'same-site', 'none'])
      expect(await write({ ...signedIn, 'Content-Type': FORM, 'Sec-Fetch-Site': site })).toMatchObject({
        status: 201,
      });
    expect(await write({ ...signedIn, 'Content-Type': FORM })).toMatchObject({ status: 201 });
  });

  test('reads stay open: their answers cannot be seen by the page', async () => {
    const { status, headers } = await send('GET', ECHO, cross(signedIn));
    expect([status, headers['access-control-allow-credentials']]).toEqual([200, undefined]);
  });
});
