/** What is no answer of one service rides on the cache, too: pages, frames, files for crawlers, oEmbed, indexes, documents. */
import { makeEvent, makeVenue } from '@sevenfold/calendar/testing/factories';
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { type Answer, TEST_SITE_URL, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost, makeTerm, makeUser } from '@sevenfold/content/testing/factories';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { type Sentinel, allHeard } from '../support/heard';
import { type Site, startSite } from '../support/site';
import { steadily } from '../support/steadily';

let site: Site;
let elsewhere: RunningGateway;
let administrator: Record<string, string>;
let sentinel: Sentinel;
beforeAll(async () => {
  site = await startSite();
  elsewhere = await site.gateway({});
  administrator = await site.signIn(site.content.users.administrator);
  const { id } = await makeTerm(content(), { taxonomy: 'post_tag', name: 'Sentinel' });
  sentinel = {
    path: `/rest/core/v2/tags/${id}`,
    change: (to) => content().run('update terms set name = $2 where id = $1', [id, to]),
  };
  for (const path of ['/rest/core/v2/posts', '/rest/calendar/events/v1/events', '/robots.txt'])
    for (const base of [site.url, elsewhere.url])
      await until(async () => how(await from(base, path)) === 'hit');
});
afterAll(async () => {
  await elsewhere?.stop();
  await site?.stop();
});

const from = (base: string, path: string, headers = {}): Promise<Answer> => speaker(base).get(path, headers);
const read = (path: string, headers = {}): Promise<Answer> => from(site.url, path, headers);
const how = ({ headers }: Answer): string | null => headers.get('x-cache');
const content = () => site.content.deps.db;
const calendar = () => (site.service('calendar').deps as CalendarDeps).db;
const write = async (path: string, body: object): Promise<Answer> => {
  const answer = await site.client.post(`/rest/${path}`, body, administrator);
  expect(answer.status).toBeLessThan(300);
  return answer;
};
const remove = (path: string): Promise<Answer> =>
  site.client.request('DELETE', `/rest/${path}`, { headers: administrator });
const oembed = (address: string): string =>
  `/rest/oembed/1.0/embed?url=${encodeURIComponent(`${TEST_SITE_URL}${address}`)}`;
/** Kept through both gateways. */
const warm = async (...paths: string[]): Promise<void> => {
  for (const path of paths)
    for (const base of [site.url, elsewhere.url])
      await until(async () => how(await from(base, path)) === 'hit');
};

let made = 0;
const aPost = async (more: object = {}): Promise<{ id: number; address: string }> => {
  made += 1;
  const slug = `item-${made}`;
  const { body } = await write('core/v2/posts', { title: slug, slug, status: 'publish', ...more });
  return { id: body.id, address: new URL(body.link).pathname };
};

steadily(
  'a page, its frame and its oEmbed data are kept until something of it changes, and show that at once',
  async () => {
    const post = await aPost();
    const other = await aPost();
    const paths = [post.address, `${post.address}embed/`, oembed(post.address)];
    const others = [other.address, `${other.address}embed/`, oembed(other.address)];
    // News of what was just made, which come once more by the way of all news, would make old what is kept of it.
    await allHeard(sentinel, [site.client, speaker(elsewhere.url)]);
    await warm(...paths, ...others);
    await write(`core/v2/posts/${post.id}`, { title: 'Renamed' });
    for (const path of paths) {
      expect([path, (await read(path)).text.includes('Renamed')]).toEqual([path, true]);
      await until(async () => (await from(elsewhere.url, path)).text.includes('Renamed'));
    }
    // What shows nothing of it stays, once it is known that all news have come.
    await until(async () => how(await read(others[0] as string)) === 'hit');
    expect(await Promise.all(others.map(async (path) => how(await read(path))))).toEqual([
      'hit',
      'hit',
      'hit',
    ]);
  },
);

test('a new page is news to its own address alone, and a setting to what shows it', async () => {
  const { address } = await aPost();
  const [lists, tag] = [
    ['core/v2/posts', 'calendar/events/v1/venues'],
    'core/v2/posts?after=2020-01-01T00:00:00',
  ];
  const [own, dated] = [lists.map((path) => `/rest/${path}`), `/rest/${tag}`];
  // A line of news that is silent for a moment makes everything old: what a write left alone is seen where none was.
  const page = await until(async () => {
    await warm(address, ...own, dated);
    const written = await write('core/v2/pages', { title: 'Elsewhere', status: 'publish' });
    return how(await read(address)) === 'hit' && written;
  });
  // Where a page comes to stand, it goes before what stood there.
  await content().run('update posts set path = $1 where id = $2', [
    address.replace(/^\/|\/$/g, ''),
    page.body.id,
  ]);
  await until(async () => (await read(address)).text.includes('Elsewhere'));
  const areKept = async (paths: readonly string[]): Promise<boolean> =>
    (await Promise.all(paths.map(async (path) => how(await read(path))))).every((kept) => kept === 'hit');
  let title = '';
  await until(async () => {
    await warm(...own, dated);
    title = `Named anew ${(made += 1)}`;
    await write('core/v2/settings', { title });
    return areKept([...own, dated]);
  });
  expect((await read('/')).text).toContain(title);
  await until(async () => {
    await warm(...own, dated);
    await write('core/v2/settings', { timezone: (made += 1) % 2 === 0 ? 'Asia/Tokyo' : 'Asia/Seoul' });
    expect(how(await read(dated))).not.toBe('hit');
    return areKept(own);
  });
});

test('the author, the terms and the name of the site are as new as the page that shows them', async () => {
  const term = await makeTerm(content(), { name: 'Before', slug: 'before' });
  const { address } = await aPost({ categories: [term.id] });
  await warm(address, oembed(address));
  expect((await read(address)).text).toContain('Before');
  await write(`core/v2/categories/${term.id}`, { name: 'Afterwards' });
  expect((await read(address)).text).toContain('Afterwards');
  await warm(address, oembed(address));
  await write(`core/v2/users/${site.content.users.administrator.id}`, { name: 'Another Name' });
  for (const path of [address, oembed(address)]) expect((await read(path)).text).toContain('Another Name');
  const named = [address, `${address}embed/`, oembed(address)];
  await warm(...named);
  await write('core/v2/settings', { title: 'Another Site' });
  for (const path of named) {
    expect([path, (await read(path)).text.includes('Another Site')]).toEqual([path, true]);
    await until(async () => (await from(elsewhere.url, path)).text.includes('Another Site'));
  }
});

test('the home page and archives gain what is published and lose what is taken back', async () => {
  const term = await makeTerm(content(), { name: 'Archive', slug: 'archive-of' });
  const paths = ['/', `/category/${term.slug}/`];

  await warm('/', `/category/${term.slug}/`);
  const { id } = await aPost({ title: 'Fresh from the press', categories: [term.id] });
  for (const path of paths) expect((await read(path)).text).toContain('Fresh from the press');
  for (const path of paths)
    await until(async () => (await from(elsewhere.url, path)).text.includes('Fresh from the press'));
  await write(`core/v2/posts/${id}`, { status: 'private' });
  for (const path of paths) expect((await read(path)).text).not.toContain('Fresh from the press');
  for (const path of paths)
    await until(async () => !(await from(elsewhere.url, path)).text.includes('Fresh from the press'));
});

test('a draft behind a 404 is there once it is published, and what was taken back is not', async () => {
  const { id, address } = await aPost({ status: 'publish' });
  await write(`core/v2/posts/${id}`, { status: 'draft' });
  const paths = [address, oembed(address), `/rest/core/v2/posts/${id}`];
  const statuses = (base: string): Promise<number[]> =>
    Promise.all(paths.map(async (path) => (await from(base, path)).status));
  for (let look = 0; look < 2; look++)
    for (const base of [site.url, elsewhere.url])
      expect((await statuses(base)).every((status) => status >= 400)).toBe(true);
  await write(`core/v2/posts/${id}`, { status: 'publish' });
  expect(await statuses(site.url)).toEqual([200, 200, 200]);
  await until(async () => (await statuses(elsewhere.url)).every((status) => status === 200));
  await warm(...paths);
  await remove(`core/v2/posts/${id}?force=true`);
  expect((await statuses(site.url)).every((status) => status >= 400)).toBe(true);
  await until(async () => (await statuses(elsewhere.url)).every((status) => status >= 400));
});

test('the page and the feed of an author go with the last thing he published, which may be a page', async () => {
  const slug = 'page-writer';
  const { id: author } = await makeUser(content(), undefined, { slug });
  const page = await makePost(content(), { type: 'page', author, path: 'of-his', slug: 'of-his' });
  const paths = [`/author/${slug}/`, `/author/${slug}/feed/`];
  await warm(...paths);
  await remove(`core/v2/pages/${page.id}`);
  for (const path of paths) {
    expect([path, (await read(path)).status]).toEqual([path, 404]);
    await until(async () => (await from(elsewhere.url, path)).status === 404);
  }
});

test('an empty list gains its first, and loses its last', async () => {
  const term = await makeTerm(content(), { name: 'Empty', slug: 'empty' });
  const lists = [
    `core/v2/posts?categories=${term.id}`,
    'core/v2/posts?search=unheardof',
    `core/v2/tags?search=unheardof`,
    'calendar/events/v1/venues?search=unheardof',
  ].map((path) => `/rest/${path}`);
  await warm(...lists);
  const count = async (base: string): Promise<number[]> =>
    Promise.all(
      lists.map(async (path) => {
        const { body } = await from(base, path);
        return (Array.isArray(body) ? body : (body.venues as unknown[])).length;
      }),
    );
  expect(await count(site.url)).toEqual([0, 0, 0, 0]);
  const post = await aPost({ title: 'unheardof', categories: [term.id] });
  const tag = await write('core/v2/tags', { name: 'unheardof' });
  const venue = await write('calendar/events/v1/venues', { venue: 'unheardof', status: 'publish' });
  expect(await count(site.url)).toEqual([1, 1, 1, 1]);
  await until(async () => (await count(elsewhere.url)).join() === '1,1,1,1');
  await warm(...lists);
  await remove(`core/v2/posts/${post.id}?force=true`);
  await remove(`core/v2/tags/${tag.body.id}?force=true`);
  await remove(`calendar/events/v1/venues/${venue.body.id}`);
  expect(await count(site.url)).toEqual([0, 0, 0, 0]);
  await until(async () => (await count(elsewhere.url)).join() === '0,0,0,0');
});

test('what a password hides from now on is not shown any more', async () => {
  const post = await aPost({ content: 'For everybody' });
  const api = `/rest/core/v2/posts/${post.id}`;
  await warm(api, post.address);
  await write(`core/v2/posts/${post.id}`, { password: 'secret' });
  for (const path of [api, post.address]) {
    expect((await read(path)).text).not.toContain('For everybody');
    await until(async () => !(await from(elsewhere.url, path)).text.includes('For everybody'));
  }
});

test('pages of the calendar follow it, and the content service that names what they show', async () => {
  const venue = await makeVenue(calendar(), { name: 'The Old Hall', slug: 'old-hall' });
  const event = await makeEvent(calendar(), { title_html: 'Opening', slug: 'opening', venue_id: venue.id });
  const page = '/event/opening/';
  await warm(page, '/venue/old-hall/', oembed(page));
  expect((await read(page)).text).toContain('The Old Hall');
  await write(`calendar/events/v1/venues/${venue.id}`, { venue: 'The New Hall' });
  expect((await read(page)).text).toContain('The New Hall');
  await warm(page, oembed(page));
  await write(`calendar/events/v1/events/${event.id}`, { title: 'Closing' });
  for (const path of [page, oembed(page)]) {
    expect([path, (await read(path)).text.includes('Closing')]).toEqual([path, true]);
    await until(async () => (await from(elsewhere.url, path)).text.includes('Closing'));
  }
});

const index = async (): Promise<void> => {
  const keeper: Actor = {
    ...stranger,
    id: 1,
    username: 'admin',
    roles: ['administrator'],
    capabilities: new Set(['edit_posts', 'edit_published_posts', 'edit_others_posts', 'manage_seo']),
  };
  const seo = site.service('seo').as(keeper);
  while (((await seo.get('/reindex_posts')).body as number) > 0);
};

test('sitemaps, robots and heads are kept until the index says something else', async () => {
  await makePost(content(), { slug: 'mapped', path: '2024/01/02/mapped' });
  await index();
  const paths = ['/sitemap.xml', '/sitemap-post-1.xml', '/robots.txt', '/2024/01/02/mapped/'];
  await warm(...paths);
  const etag = (await read('/sitemap-post-1.xml')).headers.get('etag') as string;
  const modified = (await read('/sitemap-post-1.xml')).headers.get('last-modified') as string;
  expect((await read('/sitemap-post-1.xml', { 'If-None-Match': etag })).status).toBe(304);
  expect((await read('/sitemap-post-1.xml', { 'If-Modified-Since': modified })).status).toBe(304);
  await makePost(content(), { slug: 'mapped-too', path: '2024/01/02/mapped-too' });
  await index();
  for (const base of [site.url, elsewhere.url])
    await until(async () => (await from(base, '/sitemap-post-1.xml')).text.includes('mapped-too'));
  expect((await read('/sitemap-post-1.xml', { 'If-None-Match': etag })).status).toBe(200);
});

const headOf = (address: string): string =>
  `/console/api/head?url=${encodeURIComponent(`${TEST_SITE_URL}${address}`)}`;

test('heads for front ends are kept, each form of them, until the index says something else', async () => {
  const html = { Accept: 'text/html' };
  await makePost(content(), { slug: 'headed', path: '2024/01/02/headed', title_html: 'Before' });
  const [head, later] = ['/2024/01/02/headed/', '/2024/01/02/headed-too/'].map(headOf) as [string, string];
  await index();
  await warm(head);
  const data = await read(head);
  expect([data.headers.get('content-type'), data.body.html.includes('Before')]).toEqual([
    'application/json; charset=UTF-8',
    true,
  ]);
  const elements = await until(async () => {
    const answer = await read(head, html);
    return how(answer) === 'hit' && answer;
  });
  expect([elements.headers.get('content-type'), elements.text]).toEqual([
    'text/html; charset=UTF-8',
    data.body.html,
  ]);
  expect(elements.headers.get('content-security-policy')).toContain('sandbox');
  const { headers } = data;
  expect(headers.get('cache-control')).toBe('max-age=0, must-revalidate');
  expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Origin');
  expect([...headers.keys()].filter((name) => name.startsWith('x-sevenfold'))).toEqual([]);
  const tag = { 'If-None-Match': headers.get('etag') as string };
  expect((await read(head, tag)).status).toBe(304);
  expect((await read(head, { ...tag, ...html })).status).toBe(200);
  // Nothing is there yet, and nobody keeps that.
  expect([(await read(later)).status, how(await read(later))]).toEqual([404, null]);
  // What is asked with a credential is not kept, and what is wrong is not either.
  expect([how(await read(head, administrator)), how(await read(`${head}&url=`))]).toEqual([null, null]);

  await content().run(`update posts set title_html = 'After' where slug = 'headed'`);
  await makePost(content(), { slug: 'headed-too', path: '2024/01/02/headed-too' });
  await index();
  for (const base of [site.url, elsewhere.url]) {
    await until(async () => (await from(base, head)).body.html.includes('After'));
    expect((await from(base, head, html)).text).toContain('After');
    expect((await from(base, later)).status).toBe(200);
  }
  expect((await read(head, tag)).status).toBe(200);
});

test('indexes and documents have tags and compressed forms, too', async () => {
  for (const path of ['/rest/', '/rest/core/v2', '/openapi.json', '/openapi/seo/v1.json']) {
    const plain = await read(path, { 'Accept-Encoding': 'identity' });
    const etag = plain.headers.get('etag') as string;
    expect([path, (await read(path, { 'If-None-Match': etag })).status]).toEqual([path, 304]);
    let form = plain;
    await until(async () => {
      form = await read(path, { 'Accept-Encoding': 'br' });
      return form.headers.get('content-encoding') === 'br';
    });
    expect(form.text).toBe(plain.text);
    expect(form.headers.get('etag')).not.toBe(etag);
    const known = await read(path, {
      'If-None-Match': form.headers.get('etag') as string,
      'Accept-Encoding': 'br',
    });
    expect([path, known.status]).toEqual([path, 304]);
    expect([path, (await read(path, { 'If-Match': etag })).status]).toEqual([path, 200]);
    const refused = await read(path, { 'If-Match': '"other"' });
    expect([path, refused.status, refused.body.code]).toEqual([path, 412, 'rest_precondition_failed']);
    // Those of callers who are known are theirs alone.
    if (path.startsWith('/rest')) expect((await read(path, administrator)).headers.get('etag')).toBeNull();
  }
});
