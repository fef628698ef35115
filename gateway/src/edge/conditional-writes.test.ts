/** Writes under a condition are refused before any service hears of them; and who is nobody is told how to say who he is. */
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, smallContent } from '../testing/small';

let content: RunningService<Deps>;
let gateway: RunningGateway;
let client: Speaker;
beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await startTestGateway({ ...addresses('CONTENT', content), CLIENT_PROFILES: 'wordpress' });
  client = speaker(gateway.url);
});
afterAll(async () => {
  await gateway.stop();
  await content.stop();
});

const ECHO = '/rest/core/v2/echo';
const refused = { code: 'rest_precondition_failed', data: { status: 412 } };

describe.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s', (method) => {
  test.each([
    [{ 'If-Match': '"one"' }],
    [{ 'If-Match': 'W/"one", "two"' }],
    [{ 'If-Match': 'one' }],
    [{ 'If-Match': '"*"' }],
    [{ 'If-None-Match': '*' }],
    [{ 'If-None-Match': ' * ' }],
  ])('with %j is refused and not done', async (headers: Record<string, string>) => {
    const runs = content.deps.runs;
    for (const path of [ECHO, '/wp-json/wp/v2/echo', '/console/api/sessions']) {
      const { status, body } = await client.request(method, path, { headers });
      expect([path, status, body]).toEqual([path, 412, expect.objectContaining(refused)]);
      expect(body.message).toMatch(/not offered/);
    }
    expect(content.deps.runs).toBe(runs);
  });

  test.each([
    [{ 'If-Match': '*' }],
    [{ 'If-None-Match': '"one"' }],
    [{ 'If-None-Match': '"*"' }],
    [{ 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' }],
  ])('with %j is done', async (headers: Record<string, string>) => {
    const runs = content.deps.runs;
    expect((await client.request(method, ECHO, { headers })).status).toBe(method === 'POST' ? 201 : 200);
    expect(content.deps.runs).toBe(runs + 1);
  });
});

test('the method counts that came', async () => {
  const headers = { 'If-Match': '"one"' };
  const overridden = { ...headers, 'X-HTTP-Method-Override': 'DELETE' };
  expect((await client.request('POST', ECHO, { headers: overridden })).status).toBe(412);
  expect((await client.request('POST', `${ECHO}?_method=GET`, { headers })).status).toBe(412);
});

test('it is told of inside an envelope, too', async () => {
  const { status, body } = await client.request('POST', `${ECHO}?_envelope`, {
    headers: { 'If-Match': '"one"' },
  });
  expect([status, body]).toEqual([200, { status: 412, headers: [], body: expect.objectContaining(refused) }]);
});

test('what is read, or asked about, goes on where it has no tag', async () => {
  const headers = { 'If-Match': '"one"' };
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect([method, (await client.request(method, ECHO, { headers })).status]).toEqual([method, 200]);
});

test('a stranger is told how to say who he is: by a token, for which no browser shows a form', async () => {
  const [service, own] = [
    await client.get('/rest/core/v2/closed'),
    await client.get('/console/api/sessions'),
  ];
  for (const { status, headers } of [service, own]) {
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="site.test"']);
    expect(headers.get('access-control-expose-headers') ?? '').not.toMatch(/authenticate/i);
  }
});
