/** Answers inside something: an envelope, and a script for pages of a time before CORS, where that is configured. */
import vm from 'node:vm';
import { type Speaker, TEST_SITE_URL, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost } from '@sevenfold/content/testing/factories';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { type Site, startSite } from '../support/site';

const POSTS = '/rest/core/v2/posts';

let site: Site;
let uncached: RunningGateway;
/** Documents tell of answers that nothing is around. */
let client: Speaker;
let post: { id: number; slug: string };
beforeAll(async () => {
  site = await startSite({ JSONP: true, CLIENT_PROFILES: 'wordpress' });
  client = speaker(site.url);
  uncached = await site.gateway({ JSONP: true, CACHE_MEGABYTES: 0 });
  post = await makePost(site.content.deps.db, { title_html: 'Ends </script>\u2028here' });
});
afterAll(async () => {
  await uncached?.stop();
  await site?.stop();
});

/** What a page that loads it as a script is called with. */
function called(script: string, name: string): unknown {
  const told: unknown[] = [];
  const path = name.split('.');
  const last = path.pop() as string;
  const page: Record<string, unknown> = {};
  const holder = path.reduce<Record<string, unknown>>((at, part) => (at[part] = {}) as typeof at, page);
  holder[last] = (value: unknown) => told.push(value);
  vm.runInNewContext(script, page);
  expect(told).toHaveLength(1);
  // As of this realm.
  return JSON.parse(JSON.stringify(told[0]));
}

describe('a script', () => {
  test.each([
    ['with a cache', () => site.url],
    ['without one', () => uncached.url],
  ])('calls the function with what the answer is, %s', async (_, url) => {
    const asking = speaker(url());
    const plain = await asking.get(`${POSTS}/${post.id}`);
    const etag = plain.headers.get('etag');
    // Asked again and again under other names, as libraries do; and by one who has the plain answer.
    for (const name of ['jQuery_1', 'jQuery_2', 'a.b._c']) {
      const known: Record<string, string> = etag === null ? {} : { 'If-None-Match': etag };
      const answer = await asking.get(`${POSTS}/${post.id}?_jsonp=${name}`, known);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/javascript; charset=UTF-8');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('etag')).toBeNull();
      expect(answer.text.startsWith(`/**/${name}(`)).toBe(true);
      expect(called(answer.text, name)).toEqual(plain.body);
      expect(answer.headers.get('content-encoding')).toBeNull();
    }
    const list = await asking.get(`${POSTS}?_jsonp=one&include=${post.id}&_fields=id`);
    expect(called(list.text, 'one')).toEqual([{ id: post.id }]);
    expect(list.headers.get('x-total')).toBe('1');
    const index = await asking.get('/rest/?_jsonp=one');
    expect(called(index.text, 'one')).toHaveProperty('namespaces');
  });

  test('of any name comes from what is kept of the answer', async () => {
    let turn = 0;
    await until(async () => {
      const path = `${POSTS}/${post.id}?_jsonp=name${++turn}`;
      return (await client.get(path)).headers.get('x-cache') === 'hit';
    });
    const plain = await client.get(`${POSTS}/${post.id}`);
    expect(plain.headers.get('x-cache')).toBe('hit');
  });

  test('has the status of an answer that is an error, and an envelope inside if that is asked for', async () => {
    const missing = await client.get(`${POSTS}/999999999?_jsonp=one`);
    expect(missing.status).toBe(404);
    expect(called(missing.text, 'one')).toMatchObject({ code: 'rest_post_invalid_id' });
    for (const url of [site.url, uncached.url]) {
      const both = await speaker(url).get(`${POSTS}?_jsonp=one&_envelope&include=${post.id}`);
      expect(called(both.text, 'one')).toMatchObject({ status: 200, headers: { 'X-Total': 1 } });
      expect(both.headers.get('content-type')).toBe('application/javascript; charset=UTF-8');
      const gone = await speaker(url).get(`${POSTS}/999999999?_envelope&_jsonp=one`);
      expect([gone.status, called(gone.text, 'one')]).toEqual([
        200,
        expect.objectContaining({ status: 404 }),
      ]);
    }
  });

  test('speaks the words of a profile', async () => {
    const answer = await client.get(`/wp-json/wp/v2/posts/${post.id}?_jsonp=one&_fields=id`);
    expect(called(answer.text, 'one')).toEqual({ id: post.id });
  });

  test.each(['', 'alert(1)', '<b>', 'a%28', 'a-b', 'é', 'x'.repeat(201)])(
    'of the name "%s" is refused',
    async (name) => {
      const { status, body, headers } = await client.get(`${POSTS}?_jsonp=${encodeURIComponent(name)}`);
      expect([status, body.code, Object.keys(body.data.params)]).toEqual([
        400,
        'rest_callback_invalid',
        ['_jsonp'],
      ]);
      expect(headers.get('content-type')).toContain('application/json');
    },
  );

  test('is nothing that a credential opens: the page that loads it may be anybody’s', async () => {
    const administrator = await site.signIn(site.content.users.administrator);
    const { status, body } = await client.get(`${POSTS}?_jsonp=one&status=draft`, administrator);
    expect([status, body.code]).toEqual([403, 'rest_callback_forbidden']);
  });

  test('answers reads alone', async () => {
    const { headers, body } = await client.post(`${POSTS}?_jsonp=one`, {});
    expect([headers.get('content-type'), body.code]).toEqual([
      'application/json; charset=UTF-8',
      'rest_cannot_create',
    ]);
  });

  test('is not to be had where it is not configured', async () => {
    const plain = await site.gateway({});
    const { headers, body } = await speaker(plain.url).get(`${POSTS}/${post.id}?_jsonp=one`);
    expect([headers.get('content-type'), body.id]).toEqual(['application/json; charset=UTF-8', post.id]);
    await plain.stop();
  });
});

test('what is no JSON is a text inside, kept or not', async () => {
  const url = encodeURIComponent(`${TEST_SITE_URL}/2024/01/02/${post.slug}/`);
  const path = `/rest/oembed/1.0/embed?format=xml&url=${url}`;
  await until(async () => {
    const { text, headers } = await client.get(`${path}&_jsonp=one`);
    expect(called(text, 'one')).toMatch(/^<\?xml/);
    return headers.get('x-cache') === 'hit';
  });
  // Nothing outside an envelope tells what the cache had to do with it: by now it keeps what it is asked for.
  for (const turn of [1, 2, 3]) {
    const { text } = await client.get(`${path}&_envelope`);
    const { status, body } = JSON.parse(text) as { status: number; body: string };
    expect([turn, status, body.slice(0, 5)]).toEqual([turn, 200, '<?xml']);
  }
});
