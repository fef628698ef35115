import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import {
  type Deps,
  PASSWORD,
  basic,
  signedIn,
  signedInAsAdministrator,
  smallContent,
} from '../testing/small';

let content: RunningService<Deps>;
let gateway: RunningGateway;
let client: Speaker;

beforeAll(async () => {
  content = await startSmall(smallContent);
  // Long enough for a slow machine to still find it remembered.
  gateway = await startTestGateway({ ...addresses('CONTENT', content), CREDENTIAL_SECONDS: 60 });
  client = speaker(gateway.url);
});

afterAll(async () => {
  await gateway.stop();
  await content.stop();
});

const CLOSED = '/rest/core/v2/closed';

test('without a credential the caller is a stranger', async () => {
  const { status, body } = await client.get(CLOSED);
  expect([status, body.code]).toEqual([401, 'rest_forbidden']);
});

test('a user name and an application password make a user with capabilities', async () => {
  const { status, body, headers } = await client.get(CLOSED, signedIn);
  expect([status, body]).toEqual([
    200,
    { user: 'editor', capabilities: ['edit_posts', 'publish_pages', 'manage_imports'] },
  ]);
  expect(headers.get('cache-control')).toBe('no-cache, must-revalidate, max-age=0');
  expect(headers.get('expires')).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
});

test('the scheme is read in any case', async () => {
  const { Authorization } = signedIn;
  expect((await client.get(CLOSED, { Authorization: Authorization.replace('Basic', 'bASIC') })).status).toBe(
    200,
  );
});

test('a credential is checked once for requests that come together or soon after', async () => {
  // Another name of the same user is another credential.
  const fresh = signedInAsAdministrator;
  const before = content.deps.signIns;
  await Promise.all(Array.from({ length: 20 }, () => client.get(CLOSED, fresh)));
  await client.get(CLOSED, fresh);
  expect(content.deps.signIns).toBe(before + 1);
});

test('however it is written, a credential is one', async () => {
  await client.get(CLOSED, signedIn);
  const before = content.deps.signIns;
  const { Authorization } = signedIn;
  for (const written of [
    { Authorization: Authorization.replace('Basic ', 'basic    ') },
    { Authorization: Authorization.replace(/=+$/, '') },
    basic(' Editor', PASSWORD),
    basic('editor', PASSWORD.replaceAll(' ', '')),
    basic('EDITOR', PASSWORD.split('').join(' ')),
  ])
    expect((await client.get(CLOSED, written)).status).toBe(200);
  expect(content.deps.signIns).toBe(before);
});

test('a refusal is not remembered', async () => {
  const before = content.deps.signIns;
  const wrong = basic('editor', 'wrong');
  await client.get(CLOSED, wrong);
  await client.get(CLOSED, wrong);
  expect(content.deps.signIns).toBe(before + 2);
});

describe('wrong credentials', () => {
  const everywhere = [
    ['GET', '/rest/'],
    ['HEAD', '/rest/'],
    ['OPTIONS', '/rest/'],
    ['GET', '/rest/core/v2'],
    ['GET', '/rest/core/v2/echo'],
    ['POST', '/rest/core/v2/echo'],
    ['PUT', '/rest/core/v2/echo'],
    ['PATCH', '/rest/core/v2/echo'],
    ['DELETE', '/rest/core/v2/echo'],
    ['OPTIONS', '/rest/core/v2/echo'],
    ['GET', '/rest/seo/v1/statistics'],
    ['GET', '/rest/none/v1'],
  ] as const;
  test.each(everywhere)('%s %s is 401, never anonymous', async (method, path) => {
    const runs = content.deps.runs;
    const { status, headers, body } = await client.request(method, path, {
      headers: basic('editor', 'wrong'),
    });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Basic realm="site.test", charset="UTF-8"');
    if (method !== 'HEAD')
      expect([body.code, body.data]).toEqual(['rest_invalid_credentials', { status: 401 }]);
    expect(content.deps.runs).toBe(runs);
  });

  const malformed = [
    'Basic',
    'Basic !!!',
    `Basic ${Buffer.from('nocolon').toString('base64')}`,
    `Basic ${Buffer.from(':password').toString('base64')}`,
    `Basic ${Buffer.from('name:').toString('base64')}`,
    `Basic ${Buffer.from('a\0b:c').toString('base64')}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
    `Basic ${'A'.repeat(2000)}`,
    'Bearer something',
    'Digest username="a"',
    PASSWORD,
  ];
  test.each(malformed)('malformed or unknown: %s', async (Authorization) => {
    const before = content.deps.signIns;
    const { status, body } = await client.get('/rest/core/v2/echo', { Authorization });
    expect([status, body.code]).toEqual([401, 'rest_invalid_credentials']);
    expect(content.deps.signIns).toBe(before);
  });

  test('outside /rest they are not looked at', async () => {
    expect((await client.get('/uploads/cat.txt', basic('editor', 'wrong'))).status).toBe(200);
  });
});

test('when nobody can check a credential the answer is 503, not that to a stranger', async () => {
  const lonely = await startTestGateway({ CONTENT_HTTP: content.url });
  try {
    const { status, headers, body } = await speaker(lonely.url).get('/rest/core/v2/echo', signedIn);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2']);
    expect((await speaker(lonely.url).get('/rest/core/v2/echo')).status).toBe(200);
  } finally {
    await lonely.stop();
  }
});
