/** The page of an item for frames of other sites, through the gateway. */
import { makeEvent } from '@sevenfold/calendar/testing/factories';
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import { makePost } from '@sevenfold/content/testing/factories';
import type { Deps as SeoDeps } from '@sevenfold/seo/deps';
import { put } from '@sevenfold/seo/testing/indexables';
import { type Site, startSite } from '../support/site';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const HOSTILE = '</title><script>alert(1)</script>"\'><img src=x onerror=alert(2)>';

test('a post has a page of its own for frames, and nothing of it can run but its one script', async () => {
  const { db } = site.content.deps;
  await makePost(db, {
    slug: 'shown',
    path: '2024/01/02/shown',
    title_html: HOSTILE,
    excerpt_html: '<p>First &amp; <b>words</b></p><script>alert(3)</script>',
  });
  const { status, headers, text } = await site.client.get('/2024/01/02/shown/embed/');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(headers.get('x-frame-options')).toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; img-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors \*$/,
  );
  expect(text).toContain('First &amp; words');
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).not.toMatch(/<img|onerror=alert|alert\(3\)/);
  const bare = await site.client.get('/2024/01/02/shown/embed?x=1');
  expect(bare.text).toBe(text);
});

test('what a password protects, and what not everybody may see, never tells its text', async () => {
  const { db } = site.content.deps;
  const secret = { content_html: '<p>the secret</p>', excerpt_html: '<p>the secret</p>' };
  await makePost(db, { slug: 'kept', path: '2024/01/02/kept', password: 'pw', ...secret });
  await makePost(db, { slug: 'private', path: '2024/01/02/private', status: 'private', ...secret });
  const kept = await site.client.get('/2024/01/02/kept/embed/');
  expect([kept.status, kept.text.includes('Protected: Post')]).toEqual([200, true]);
  expect(kept.text).not.toContain('the secret');
  expect((await site.client.get('/2024/01/02/private/embed/')).status).toBe(404);
});

test('events have one too; what names nothing has none', async () => {
  const { db } = site.service('calendar').deps as CalendarDeps;
  await makeEvent(db, { slug: 'opening', title_html: 'Opening' });
  expect((await site.client.get('/event/opening/embed/')).text).toContain('>Opening</a></h1>');
  for (const path of [
    '/embed/',
    '/nothing/embed/',
    '/event/nothing/embed/',
    '/?embed=true',
    '/?p=1&embed=true',
  ])
    expect([path, (await site.client.get(path)).status]).toEqual([path, 404]);
  expect((await site.client.post('/event/opening/embed/', {})).status).toBe(404);
  expect((await site.client.request('OPTIONS', '/event/opening/embed/')).headers.get('allow')).toBe('GET');
});

test('a frame that was taken while the item had another address shows it all the same', async () => {
  const { db } = site.content.deps;
  const seo = site.service('seo');
  const post = await makePost(db, { slug: 'after', path: '2024/01/02/after' });
  await put((seo.deps as SeoDeps).db, [{ id: post.id, permalink: `${TEST_SITE_URL}/2024/01/02/after/` }]);
  await (seo.deps as SeoDeps).db.run(
    `insert into addresses (path_key, object_type, object_id, path, is_current, held)
     select md5(path)::uuid, 'post', $1, path, path like '%after', 1
     from unnest(array['2024/01/02/after', '2024/01/02/before']) as path`,
    [post.id],
  );
  const before = await site.client.get('/2024/01/02/before/embed/');
  expect([before.status, before.headers.get('location')]).toEqual([
    301,
    `${TEST_SITE_URL}/2024/01/02/after/embed/`,
  ]);
  expect((await site.client.get('/2024/01/02/after/embed/')).status).toBe(200);
  // A number leads to no frame.
  expect((await site.client.get(`/?p=${post.id}&embed=true`)).status).toBe(404);
});
