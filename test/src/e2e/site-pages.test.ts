/** The public addresses of the site, through the gateway with every service behind it. */
import { makeEvent, makeOrganizer, makeVenue } from '@sevenfold/calendar/testing/factories';
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import { makePost, makeTerm, makeUser } from '@sevenfold/content/testing/factories';
import { ask } from '@sevenfold/gateway/testing/sockets';
import type { Deps as SeoDeps } from '@sevenfold/seo/deps';
import { put } from '@sevenfold/seo/testing/indexables';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import fc from 'fast-check';
import type http from 'node:http';
import { startBrowser, violations } from '../support/browser';
import { type Site, startSite } from '../support/site';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

/** Bytes of the path as they are given: fetch would tidy them. */
const get = (
  path: string,
  headers: http.OutgoingHttpHeaders = {},
  method = 'GET',
  base = site.url,
): ReturnType<typeof ask> => ask(base, { path, method, headers });

const content = () => site.content.deps.db;
const calendar = () => (site.service('calendar').deps as CalendarDeps).db;
const HOSTILE = '</title><script>alert(1)</script>"\'><img src=x onerror=alert(2)>&amp;';

describe('an item at its own address', () => {
  test('letters of an address that are not Latin may be written as every client writes them', async () => {
    const [lower, upper] = ['%d0%bc%d0%b8%d1%80', '%D0%BC%D0%B8%D1%80'];
    await makePost(content(), { slug: lower, path: `2026/11/27/${lower}` });
    await makeEvent(calendar(), { slug: lower });
    await makeTerm(content(), { name: 'World', slug: lower });
    for (const name of [lower, upper])
      for (const path of [
        `/2026/11/27/${name}/`,
        `/event/${name}/`,
        `/category/${name}/`,
        `/category/${name}/feed/`,
      ]) {
        const { status, headers } = await get(path);
        expect([path, status, headers.location]).toEqual([path, 200, undefined]);
      }
    const slashless = await get(`/event/${upper}`);
    expect([slashless.status, slashless.headers.location]).toEqual([301, `${TEST_SITE_URL}/event/${lower}/`]);
  });

  test('a post: title, date, author, text, terms, and everything that a page is told with', async () => {
    const author = await makeUser(content(), 'author', { slug: 'ann', name: 'Ann <b>' });
    const term = await makeTerm(content(), { name: 'R&amp;D', slug: 'rd' });
    const { id } = await makePost(content(), {
      slug: 'hello',
      path: '2026/11/21/hello',
      title_html: HOSTILE,
      content_html: '<p>The <em>whole</em> text.</p>\n',
      author: author.id,
      categories: [term.id],
    });
    const { status, headers, text } = await get('/2026/11/21/hello/', { accept: 'text/html' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'cache-control': 'no-cache',
      allow: 'GET',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-robots-tag']).toBeUndefined();
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src [^;]+; media-src [^;]+; frame-src 'self' [^;]+ https:; base-uri 'none'; form-action 'self'; frame-ancestors 'self'$/,
    );
    expect(headers.link).toBe(
      `<${TEST_SITE_URL}/rest/>; rel="service", <${TEST_SITE_URL}/rest/core/v2/posts/${id}>; rel="alternate"; type="application/json", <${TEST_SITE_URL}/?p=${id}>; rel="shortlink"`,
    );
    expect(text).toContain('<div><p>The <em>whole</em> text.</p>');
    expect(text).toContain('Ann &lt;b&gt;</a>');
    expect(text).toContain(`<a href="${TEST_SITE_URL}/category/rd/">R&amp;D</a>`);
    expect(text).toContain('datetime="2024-01-02T03:04:05.000Z"');
    expect(text).toContain(`<link rel="canonical" href="${TEST_SITE_URL}/2026/11/21/hello/"`);
    expect(text).toMatch(/type="application\/json\+oembed" href="[^"]+url=http%3A%2F%2F[^"]+hello%2F"/);
    expect(text).not.toMatch(/<script(?! type="application\/ld\+json")|<img|onerror=alert\(2\)>/);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en-US" dir="ltr">/);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text.match(/<title>/g)).toHaveLength(1);
  });

  test('it is asked for again with its tag, by HEAD, and by no other method', async () => {
    await makePost(content(), { slug: 'again', path: 'x/again' });
    const first = await get('/x/again/');
    const known = await get('/x/again/', { 'if-none-match': `W/"x", ${String(first.headers.etag)}` });
    expect([known.status, known.text, known.headers.etag]).toEqual([304, '', first.headers.etag]);
    expect((await get('/x/again/', { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get('/x/again/', { 'if-match': String(first.headers.etag) })).status).toBe(200);
    const refused = await get('/x/again/', { 'if-match': '"other"' });
    expect([refused.status, (JSON.parse(refused.text) as { code: string }).code]).toEqual([
      412,
      'rest_precondition_failed',
    ]);
    const head = await get('/x/again/', {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      first.headers['content-length'],
    ]);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await get('/x/again/', {}, method)).status).toBe(404);
    expect((await get('/x/again/', {}, 'OPTIONS')).headers.allow).toBe('GET');
  });

  test('every other form of the address leads to the one that lasts', async () => {
    const { id } = await makePost(content(), { slug: 'team', type: 'page', path: 'about/team' });
    const { id: eventId } = await makeEvent(calendar(), { slug: 'numbered' });
    for (const path of [
      '/about/team',
      '/ABOUT/Team/',
      '//about//team/',
      `/?p=${id}`,
      `/?page_id=${id}&x=1`,
    ]) {
      const { status, headers } = await get(path);
      expect([path, status, headers.location]).toEqual([path, 301, `${TEST_SITE_URL}/about/team/`]);
    }
    const event = await get(`/?post_type=calendar_events&p=${eventId}`);
    expect([event.status, event.headers.location]).toEqual([301, `${TEST_SITE_URL}/event/numbered/`]);
    expect((await get('/about/team/?utm_source=x')).status).toBe(200);
  });

  test('an event: when by its own clock, where, who, what it costs; a place tells what is to come there', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const venue = await makeVenue(calendar(), {
      slug: 'hall',
      name: 'Hall & Co',
      city: 'Lisbon',
      country: 'Portugal',
    });
    const organizer = await makeOrganizer(calendar(), { slug: 'club', name: 'The Club' });
    const category = await makeTerm(content(), {
      taxonomy: 'calendar_events_cat',
      slug: 'music',
      name: 'Music',
    });
    const tag = await makeTerm(content(), { taxonomy: 'post_tag', slug: 'harbour', name: 'Harbour' });
    await makeEvent(calendar(), {
      slug: 'opening',
      title_html: 'Opening &amp; more',
      timezone: 'Europe/Lisbon',
      start_local: `${year}-07-01 20:00:00`,
      end_local: `${year}-07-01 22:00:00`,
      start_utc: `${year}-07-01 19:00:00Z`,
      end_utc: `${year}-07-01 21:00:00Z`,
      cost: '12',
      cost_details: '{"symbol":"EUR","position":"prefix","values":["12"],"shown":["12"]}',
      venue_id: venue.id,
      organizer_ids: [organizer.id],
      category_ids: [category.id],
      tag_ids: [tag.id],
    });
    const { status, text } = await get('/event/opening/');
    expect(status).toBe(200);
    expect(text).toContain('<h1>Opening &amp; more</h1>');
    expect(text).toContain(
      `<dt>When</dt><dd><time datetime="${year}-07-01T19:00:00.000Z">July 1, ${year}, 8:00`,
    );
    expect(text).toMatch(/10:00\sPM<\/time> WEST<\/dd>/);
    expect(text).toContain(`<a href="${TEST_SITE_URL}/venue/hall/">Hall &amp; Co</a><br>Lisbon, Portugal`);
    expect(text).toContain(`<a href="${TEST_SITE_URL}/organizer/club/">The Club</a>`);
    expect(text).toContain('<dt>Cost</dt><dd>EUR 12</dd>');
    expect(text).toContain(`<a href="${TEST_SITE_URL}/events/category/music/">Music</a>`);
    expect(text).toContain(`<a href="${TEST_SITE_URL}/tag/harbour/">Harbour</a>`);
    for (const path of ['/venue/hall/', '/organizer/club/', '/events/category/music/', '/tag/harbour/'])
      expect([path, (await get(path)).text.includes('>Opening &amp; more</a>')]).toEqual([path, true]);
    expect((await get('/tag/harbour/')).text).not.toContain('There is nothing here yet.');
    expect((await get('/event/OPENING')).headers.location).toBe(`${TEST_SITE_URL}/event/opening/`);
  });

  test('while which the clocks change has each end with the zone of its own time', async () => {
    const zones = async (slug: string, start: string, end: string): Promise<string> => {
      await makeEvent(calendar(), {
        slug,
        timezone: 'Europe/Berlin',
        start_utc: start,
        end_utc: end,
      });
      const [when = ''] = /<dt>When.*?<\/dd>/.exec((await get(`/event/${slug}/`)).text) ?? [];
      return when.replace(/<.*?>/g, '').replace(/\s/g, ' ');
    };
    expect(await zones('night', '2027-03-28 00:00:00Z', '2027-03-28 02:00:00Z')).toBe(
      'WhenMarch 28, 2027, 1:00 AM CET – 4:00 AM CEST',
    );
    expect(await zones('nights', '2027-10-30 21:00:00Z', '2027-10-31 02:30:00Z')).toBe(
      'WhenOctober 30, 2027, 11:00 PM CEST – October 31, 2027, 3:30 AM CET',
    );
    expect(await zones('evening', '2027-10-30 17:00:00Z', '2027-10-30 18:00:00Z')).toBe(
      'WhenOctober 30, 2027, 7:00 PM – 8:00 PM CEST',
    );
  });

  test('whose only public things are events is named there, and has a page from the first post on', async () => {
    const author = await makeUser(content(), 'author', { slug: 'eve', name: 'Eve & Co' });
    await makeEvent(calendar(), { slug: 'of-eve', author: author.id });
    const [named, linked] = ['By Eve &amp; Co', `By <a href="${TEST_SITE_URL}/author/eve/">Eve &amp; Co</a>`];
    const page = async (): Promise<string> => (await get('/event/of-eve/')).text;
    await until(async () => (await page()).includes(named));
    expect((await get('/author/eve/')).status).toBe(404);
    const editor = await site.signIn(site.content.users.editor);
    const post = { title: 'Of Eve', status: 'publish', author: author.id };
    expect((await site.client.post('/rest/core/v2/posts', post, editor)).status).toBe(201);
    await until(async () => (await page()).includes(linked));
    expect((await get('/author/eve/')).status).toBe(200);
  });

  test.each(['rest', 'openapi', 'docs', 'uploads', 'forms', 'healthz', 'readyz', 'console'])(
    'a page called %s has an address of its own, at which it stands',
    async (title) => {
      const editor = await site.signIn(site.content.users.editor);
      const make = async (body: object): Promise<{ id: number; link: string }> => {
        const sent = { status: 'publish', content: `Inside ${title}`, ...body };
        return (await site.client.post('/rest/core/v2/pages', sent, editor)).body;
      };
      const page = await make({ title });
      const below = await make({ title: 'Below', parent: page.id });
      for (const { link } of [page, below])
        expect((await get(new URL(link).pathname, { accept: 'text/html' })).text).toContain(
          `Inside ${title}`,
        );
    },
  );

  test('a picture of the library stands with its description for those who do not see it; another file is linked', async () => {
    const add = async (slug: string, file: string, type: string, alt: string): Promise<void> => {
      const { id } = await makePost(content(), {
        type: 'attachment',
        status: 'inherit',
        slug,
        path: slug,
        title_html: slug,
      });
      await content().run(
        'insert into media (post_id, file, mime_type, alt_text, details) values ($1, $2, $3, $4, $5)',
        [id, file, type, alt, JSON.stringify({ width: 640, height: 480 })],
      );
    };
    await add('cat', '2026/11/cat.png', 'image/png', 'A "cat"');
    await add('plan', '2026/11/plan.pdf', 'application/pdf', '');
    expect((await get('/cat/')).text).toContain(
      `<img src="${TEST_SITE_URL}/uploads/2026/11/cat.png" alt="A &quot;cat&quot;" width="640" height="480">`,
    );
    expect((await get('/plan/')).text).toContain(
      `<a href="${TEST_SITE_URL}/uploads/2026/11/plan.pdf">plan</a> (application/pdf)`,
    );
  });
});

describe('what not everybody may read', () => {
  test('drafts and private things are not there; what a password protects tells nothing', async () => {
    const secret = { content_html: '<p>the secret</p>', excerpt_html: '<p>the secret</p>' };
    const draft = await makePost(content(), { slug: 'd', path: 'x/d', status: 'draft', ...secret });
    await makePost(content(), { slug: 'p', path: 'x/p', status: 'private', ...secret });
    await makePost(content(), { slug: 'k', path: 'x/k', password: 'pw', ...secret });
    for (const path of ['/x/d/', `/?p=${draft.id}`, '/x/p/']) {
      const { status, text } = await get(path, { accept: 'text/html' });
      expect([path, status, text.includes('secret')]).toEqual([path, 404, false]);
    }
    const kept = await get('/x/k/');
    expect([kept.status, kept.text.includes('secret'), kept.text.includes('password')]).toEqual([
      200,
      false,
      true,
    ]);
    expect((await get('/')).text).not.toContain('secret');
  });
});

test('an address that was left leads to where the item is now, and one of a deleted item says so', async () => {
  const { db } = site.service('seo').deps as SeoDeps;
  const moved = await makePost(content(), { slug: 'renamed', path: 'x/renamed' });
  const [gone, lost, hidden] = [moved.id + 1_000_001, moved.id + 1_000_002, moved.id + 1_000_003];
  await put(db, [
    { id: moved.id, permalink: `${TEST_SITE_URL}/x/renamed/` },
    { id: gone, status: 'gone', isPublic: false },
    { id: lost, permalink: 'http://evil.example/x/lost/' },
    { id: hidden, status: 'private', isPublic: false },
  ]);
  await db.run(
    `insert into addresses (path_key, object_type, object_id, path, is_current, held)
     select md5(path)::uuid, 'post', id, path, current, 1
     from unnest($1::text[], $2::bigint[], $3::boolean[]) as given (path, id, current)`,
    [
      ['x/renamed', 'x/before', 'x/deleted', 'x/lost', 'x/closed'],
      [moved.id, moved.id, gone, lost, hidden],
      [true, false, true, false, true],
    ],
  );
  const before = await get('/x/before/');
  expect([before.status, before.headers.location]).toEqual([301, `${TEST_SITE_URL}/x/renamed/`]);
  expect((await get('/x/renamed/')).status).toBe(200);
  const deleted = await get('/x/deleted/', { accept: 'text/html' });
  expect([deleted.status, deleted.text.includes('<h1>What was here is gone</h1>')]).toEqual([410, true]);
  expect((await get('/x/closed/')).status).toBe(404);
  // Whatever the index says, nobody is led off the site.
  const lead = await get('/x/lost/');
  expect([lead.status, lead.headers.location]).toEqual([404, undefined]);
});

describe('while the index is behind, of which nobody runs the worker here', () => {
  const headAt = (path: string): string => `/console/api/head?url=${encodeURIComponent(path)}`;
  const html = { accept: 'text/html' };
  let editor: Record<string, string>;
  beforeAll(async () => {
    editor = await site.signIn(site.content.users.administrator);
  });
  const write = async (path: string, body: object): Promise<void> =>
    expect((await site.client.post(`/rest/${path}`, body, editor)).status).toBeLessThan(300);
  /** All of it, as the worker would in a moment. */
  const catchUp = async (): Promise<void> => {
    const seo = site.service('seo').as(site.content.users.administrator);
    while (((await seo.get('/reindex_posts')).body as number) > 0);
  };
  /** The page and both forms of its head, each with its status. */
  const told = async (path: string): Promise<{ status: number; text: string }[]> =>
    Promise.all([get(path), get(headAt(path), html), get(headAt(path))]);
  const have = async (path: string, words: string): Promise<boolean[]> =>
    (await told(path)).map(({ text }) => text.includes(words));
  const statuses = async (path: string): Promise<number[]> => (await told(path)).map(({ status }) => status);
  const ALL = [true, true, true];
  const NONE = [false, false, false];

  test('what an event no longer shows of its venue and organizers is in no head, and the rest comes back with the index', async () => {
    const venue = await makeVenue(calendar(), { slug: 'home', name: 'Home', address: '7 Quiet Lane' });
    const [host, guest] = [
      await makeOrganizer(calendar(), { slug: 'host', name: 'Helen Host' }),
      await makeOrganizer(calendar(), { slug: 'guest', name: 'Gus Guest' }),
    ];
    await makeEvent(calendar(), {
      slug: 'party',
      title_html: 'Party',
      venue_id: venue.id,
      organizer_ids: [host.id, guest.id],
    });
    await catchUp();
    const path = '/event/party/';
    // Kept, as pages that somebody has asked for are.
    await until(async () => (await get(path)).headers['x-cache'] === 'hit');
    expect(await have(path, '7 Quiet Lane')).toEqual(ALL);
    for (const [kind, id, words] of [
      ['venues', venue.id, 'Quiet Lane'],
      ['organizers', host.id, 'Helen Host'],
    ] as const) {
      await write(`calendar/events/v1/${kind}/${id}`, { status: 'private' });
      expect([kind, await have(path, words)]).toEqual([kind, NONE]);
      expect(await statuses(path)).toEqual([200, 200, 200]);
      expect([kind, await have(path, '"Event"')]).toEqual([kind, NONE]);
      await catchUp();
      await until(async () => (await get(path)).text.includes('"@type":"Event"'));
      await until(async () => (await get(headAt(path))).text.includes('startDate'));
      await until(async () => (await get(headAt(path), html)).text.includes('"@type":"Event"'));
      expect([kind, await have(path, words)]).toEqual([kind, NONE]);
    }
    expect(await have(path, 'Gus Guest')).toEqual(ALL);
  });

  test('a picture that was taken back is in no head', async () => {
    const { id } = await makePost(content(), {
      type: 'attachment',
      slug: 'shot',
      path: 'shot',
      status: 'publish',
    });
    await content().run(
      `insert into media (post_id, file, mime_type, alt_text, details) values ($1, '2026/11/shot.png', 'image/png', '', '{}')`,
      [id],
    );
    await makePost(content(), { slug: 'pictured', path: 'x/pictured', featured_media: id });
    await makeEvent(calendar(), { slug: 'pictured', image_id: id });
    await catchUp();
    for (const path of ['/x/pictured/', '/event/pictured/'])
      expect([path, await have(path, 'shot.png')]).toEqual([path, ALL]);
    await write(`core/v2/media/${id}`, { status: 'private' });
    for (const path of ['/x/pictured/', '/event/pictured/'])
      expect([path, await have(path, 'shot.png'), await statuses(path)]).toEqual([
        path,
        NONE,
        [200, 200, 200],
      ]);
  });

  test('what a password or nobody else shall read is in no head, nor is it found where it was', async () => {
    const post = async (slug: string): Promise<{ id: number; path: string }> => {
      const sent = { slug, title: slug, content: 'the treasure', status: 'publish' };
      const { id, link } = (await site.client.post('/rest/core/v2/posts', sent, editor)).body;
      return { id, path: new URL(link).pathname };
    };
    const [locked, hidden, left] = [await post('locked'), await post('hidden'), await post('left')];
    await catchUp();
    await write(`core/v2/posts/${left.id}`, { slug: 'moved' });
    await catchUp();
    const moved = left.path.replace('left', 'moved');
    const paths = [locked.path, hidden.path, moved];
    for (const path of paths) expect([path, await have(path, 'treasure')]).toEqual([path, ALL]);
    expect((await get(headAt(left.path), html)).text).toContain('treasure');
    await write(`core/v2/posts/${locked.id}`, { password: 'pw' });
    for (const { id } of [hidden, left]) await write(`core/v2/posts/${id}`, { status: 'private' });
    for (const path of [...paths, left.path, `/?p=${hidden.id}`])
      expect([path, await have(path, 'treasure')]).toEqual([path, NONE]);
    expect(await statuses(locked.path)).toEqual([200, 200, 200]);
    for (const path of [hidden.path, moved])
      expect([path, await statuses(path)]).toEqual([path, [404, 404, 404]]);
    expect((await get(headAt(left.path), html)).status).toBe(404);
    expect((await get(headAt(hidden.path), html)).text).toContain('<title>Page not found');
  });

  test('a page names the one above it for as long as that is for everybody', async () => {
    const above = await makePost(content(), {
      type: 'page',
      slug: 'plans',
      path: 'plans',
      title_html: 'Merger Plans',
    });
    await makePost(content(), { type: 'page', slug: 'below', path: 'plans/below', parent: above.id });
    await catchUp();
    const path = '/plans/below/';
    expect(await have(path, 'Merger Plans')).toEqual(ALL);
    await until(async () => (await get(path)).headers['x-cache'] === 'hit');
    await write(`core/v2/pages/${above.id}`, { status: 'private' });
    expect([await have(path, 'Merger Plans'), await statuses(path)]).toEqual([NONE, [200, 200, 200]]);
  });

  test('whoever has an address now is not shown with the head of who had it', async () => {
    const before = await makePost(content(), { slug: 'same', path: 'x/same', title_html: 'Affair' });
    await catchUp();
    await content().run(
      `update posts set status = 'private', slug = 'other', path = 'x/other' where id = $1`,
      [before.id],
    );
    await makePost(content(), { slug: 'same', path: 'x/same', title_html: 'Fair' });
    await until(async () => (await have('/x/same/', '<h1>Fair</h1>'))[0] === true);
    await until(async () => (await get(headAt('/x/same/'), html)).text.includes('<title>Fair – '));
    expect(await have('/x/same/', 'Affair')).toEqual(NONE);
  });

  test('a head that a version before wrote is judged by all that its object names', async () => {
    const venue = await makeVenue(calendar(), {
      slug: 'den',
      name: 'Den',
      address: '9 Old Lane',
      status: 'private',
    });
    const { id } = await makeEvent(calendar(), { slug: 'olden', venue_id: venue.id });
    await catchUp();
    const path = '/event/olden/';
    const { db } = site.service('seo').deps as SeoDeps;
    const isWhole = async (): Promise<boolean> => (await get(path)).text.includes('"@type":"Event"');
    await until(isWhole);
    await db.run('update indexables set read_no = read_no + 1 where object_id = $1', [id]);
    await until(async () => !(await isWhole()));
    await db.run('update indexables set named_no = read_no where object_id = $1', [id]);
    await until(isWhole);
  });

  test('what the index does not know yet, or cannot be asked for, has the least of a head', async () => {
    await makePost(content(), {
      slug: 'fresh',
      path: 'x/fresh',
      title_html: 'Fresh',
      excerpt_html: 'In short',
    });
    const alone = await site.gateway({ SEO_GRPC: '127.0.0.1:1' });
    const name = (await site.client.get('/rest/')).body.name as string;
    try {
      for (const base of [site.url, alone.url]) {
        const data = JSON.parse((await get(headAt('/x/fresh/'), {}, 'GET', base)).text) as {
          json: object;
        };
        expect(data.json).toMatchObject({
          title: `Fresh – ${name}`,
          description: 'In short',
          canonical: `${TEST_SITE_URL}/x/fresh/`,
          robots: 'index, follow',
        });
      }
      const away = await get(headAt('/x/nothing/'), {}, 'GET', alone.url);
      expect([away.status, away.headers['retry-after']]).toEqual([503, '2']);
    } finally {
      await alone.stop();
    }
    const without = await site.gateway({ CONTENT_GRPC: '127.0.0.1:1' });
    try {
      await catchUp();
      expect((await get(headAt('/x/fresh/'), {}, 'GET', without.url)).status).toBe(503);
    } finally {
      await without.stop();
    }
  });
});

test('a plain page has nothing for axe-core to find, dark and light, and runs no script', async () => {
  await makePost(content(), {
    slug: 'seen',
    path: 'x/seen',
    title_html: HOSTILE,
    content_html: '<h2>A part</h2><p>Words</p><script>document.title = "ran"</script>',
  });
  const browser = await startBrowser();
  try {
    for (const dark of [false, true])
      for (const path of ['/x/seen/', '/', '/nothing/']) {
        const page = await browser.open({ dark });
        await page.goto(`${site.url}${path}`);
        expect([path, dark, await violations(page)]).toEqual([path, dark, []]);
        expect(await page.title()).not.toBe('ran');
        await page.close();
      }
  } finally {
    await browser.stop();
  }
});

describe('archives', () => {
  test('home, terms and authors list their newest posts, page by page', async () => {
    const author = await makeUser(content(), 'author', { slug: 'bea', name: 'Bea' });
    const term = await makeTerm(content(), { slug: 'long', taxonomy: 'post_tag', name: 'Long' });
    for (let n = 0; n < 12; n += 1)
      await makePost(content(), {
        slug: `listed-${n}`,
        path: `x/listed-${n}`,
        title_html: `Listed ${n}.`,
        author: author.id,
        tags: [term.id],
        date_gmt: `2025-01-${String(n + 1).padStart(2, '0')} 00:00:00Z`,
      });
    for (const path of ['/', '/tag/long/', '/author/bea/']) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text.indexOf('Listed 11.')).toBeGreaterThan(0);
      expect(text.indexOf('Listed 11.')).toBeLessThan(text.indexOf('Listed 10.'));
      expect(text).toContain(`<link rel="next" href="${TEST_SITE_URL}${path}page/2/">`);
      const second = await get(`${path}page/2/`);
      expect([path, second.status, second.text.includes('Listed 1.')]).toEqual([path, 200, true]);
      expect(second.text).toContain(`<link rel="canonical" href="${TEST_SITE_URL}${path}page/2/">`);
      expect((await get(`${path}page/1/`)).headers.location).toBe(`${TEST_SITE_URL}${path}`);
      expect((await get(`${path}page/900/`)).status).toBe(404);
    }
    for (const path of [
      '/tag/none/',
      '/author/none/',
      '/category/none/',
      '/nothing/at/all/',
      '/restx',
      '/wp-json/',
      '/metrics',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

test('what went wrong is a page for people and the error of the interface for scripts', async () => {
  const page = await get('/nothing/', { accept: 'text/html,*/*;q=0.8' });
  expect([page.status, page.headers['content-type'], page.headers.vary]).toEqual([
    404,
    'text/html; charset=UTF-8',
    'Accept',
  ]);
  expect(page.text).toContain('<h1>There is nothing here</h1>');
  const data = await get('/nothing/');
  expect([data.status, (JSON.parse(data.text) as { code: string }).code]).toEqual([404, 'rest_no_route']);
  const rest = await get('/rest/core/v2/nothing', { accept: 'text/html' });
  expect([rest.status, rest.headers['content-type']]).toEqual([404, 'application/json; charset=UTF-8']);
});

test('no address makes a fault, and none leads off the site', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '\\',
      '%2f',
      '%5c',
      '%0d%0a',
      '%00',
      '..',
      '.',
      ';',
      '@',
      ':',
      '?',
      '&',
      '#',
      '%',
      '%zz',
      'evil.example',
      'page',
      '2',
      'category',
      'event',
      'author',
      'tag',
      '?p=1',
      'embed',
    ),
    fc.string({ maxLength: 8 }).map(encodeURIComponent),
    fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const path = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`);
  await fc.assert(
    fc.asyncProperty(path, async (given) => {
      const { status, headers } = await get(given, { accept: 'text/html' });
      expect([200, 301, 302, 304, 400, 404, 410]).toContain(status);
      const { location } = headers;
      if (location !== undefined) expect(new URL(location, 'http://base.test').origin).toBe(TEST_SITE_URL);
    }),
    {
      numRuns: 150,
      examples: [
        ['//evil.example/'],
        ['/\\evil.example/'],
        ['/%2f%2fevil.example/'],
        ['/%0d%0aLocation:%20http://evil.example/'],
        [`/${'a'.repeat(8_000)}/`],
        [`/${'%61'.repeat(2_500)}/`],
        [`/?p=${'9'.repeat(4_000)}`],
        ['/@evil.example/'],
        ['//'],
      ],
    },
  );
});

describe('where something is away', () => {
  const NOWHERE = '127.0.0.1:1';

  test('without the index an item has the least of a head; without an owner the answer is to come again', async () => {
    await makePost(content(), { slug: 'alone', path: 'x/alone', title_html: 'Alone' });
    await makeEvent(calendar(), { slug: 'alone', title_html: 'Alone' });
    const alone = await site.gateway({ SEO_GRPC: NOWHERE });
    try {
      for (const path of ['/x/alone/', '/event/alone/', '/']) {
        const { status, text } = await get(path, {}, 'GET', alone.url);
        expect([path, status, text.includes('<link rel="canonical"')]).toEqual([path, 200, true]);
      }
      const missing = await get('/nothing/', { accept: 'text/html' }, 'GET', alone.url);
      expect([missing.status, missing.headers['retry-after']]).toEqual([503, '2']);
      expect((await get('/nothing/', {}, 'GET', alone.url)).text).toContain('The seo service is not');
    } finally {
      await alone.stop();
    }
    const eventless = await site.gateway({ CALENDAR_GRPC: NOWHERE });
    try {
      const { status, text } = await get('/event/alone/', {}, 'GET', eventless.url);
      expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([
        503,
        expect.stringMatching(/^The calendar service is not available/),
      ]);
    } finally {
      await eventless.stop();
    }
    const without = await site.gateway({ CONTENT_GRPC: NOWHERE });
    try {
      const { status, headers, text } = await get('/x/alone/', { accept: 'text/html' }, 'GET', without.url);
      expect([status, headers['retry-after'], headers['content-type']]).toEqual([
        503,
        '2',
        'text/html; charset=UTF-8',
      ]);
      expect(text).toContain('<h1>The site cannot show this right now</h1>');
      expect((await get('/event/alone/', {}, 'GET', without.url)).text).toContain('<h1>Alone</h1>');
    } finally {
      await without.stop();
    }
  });
});

test('the name of the site is text: what reads like an entity stays what it is', async () => {
  await makePost(content(), { slug: 'named', path: 'x/named' });
  const administrator = await site.signIn(site.content.users.administrator);
  const name = 'All of &lt; & &amp;';
  const { body: before } = await site.client.get('/rest/core/v2/settings', administrator);
  const call = (title: unknown) => site.client.post('/rest/core/v2/settings', { title }, administrator);
  await call('All of &amp;lt; &amp; &amp;amp;');
  try {
    const written = 'All of &amp;lt; &amp; &amp;amp;';
    await until(async () => (await get('/x/named/embed/')).text.includes(`>${written}</a></footer>`));
    expect((await get('/x/named/')).text).toContain(`>${written}</a></p>`);
    const told = await site.client.get(`/rest/oembed/1.0/embed?url=${TEST_SITE_URL}/x/named/`);
    expect(told.body).toMatchObject({
      provider_name: name,
      html: expect.stringContaining(` &#8212; ${written}"`) as string,
    });
    expect((await get('/feed/')).text).toContain(`<title>${written}</title>`);
    const line = `\r\nX-WR-CALNAME;VALUE=TEXT:${name.replaceAll(';', '\\;')}\r\n`;
    await until(async () => (await get('/calendar.ics')).text.includes(line));
  } finally {
    await call((before as { title: unknown }).title);
  }
});

test('on a narrow phone a wide table scrolls by itself and its words stay whole, and nothing else is wider than the page', async () => {
  const cell = (words: number): string => `<td nowrap>${'wide '.repeat(words)}</td>`;
  await makePost(content(), {
    slug: 'wide',
    path: 'x/wide',
    title_html: 'Wide',
    content_html: `<table><tr>${'<td>Wednesday</td>'.repeat(14)}</tr></table><table width="900"><caption>Days</caption><tr>${cell(60)}</tr></table><hr width="900"><object width="900" height="20"></object>`,
  });
  const browser = await startBrowser();
  try {
    const page = await browser.open();
    await page.setViewport({ width: 320, height: 640 });
    await page.goto(`${site.url}/x/wide/`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    const height = `document.querySelector('td').getBoundingClientRect().height`;
    expect(await page.evaluate(`${height} < 50`)).toBe(true);
    const tables = (await page.accessibility.snapshot({ interestingOnly: false }))?.children ?? [];
    expect(JSON.stringify(tables)).toContain('"role":"table"');
  } finally {
    await browser.stop();
  }
});

test('where the language of the site runs from right to left, pages and frames do, and are not wider for it', async () => {
  await makePost(content(), { slug: 'right', path: 'x/right', title_html: 'שלום' });
  const administrator = await site.signIn(site.content.users.administrator);
  const speak = (language: string) => site.client.post('/rest/core/v2/settings', { language }, administrator);
  const browser = await startBrowser();
  await speak('he_IL');
  try {
    for (const path of ['/x/right/', '/x/right/embed/', '/'])
      await until(async () => (await get(path)).text.includes('<html lang="he-IL" dir="rtl">'));
    const page = await browser.open();
    await page.goto(`${site.url}/x/right/`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations(page)).toEqual([]);
  } finally {
    await speak('en_US');
    await browser.stop();
  }
});

test('with a front end every address leads there, and what crawlers and frames ask for stays here', async () => {
  const elsewhere = await site.gateway({ FRONTEND_URL: 'https://www.example.org/app' });
  try {
    for (const [path, location] of [
      ['/2026/11/21/hello/', 'https://www.example.org/app/2026/11/21/hello/'],
      ['/?p=12', 'https://www.example.org/app/?p=12'],
      ['//evil.example/', 'https://www.example.org/app//evil.example/'],
      ['/\\evil.example/', 'https://www.example.org/app//evil.example/'],
      ['/@evil.example/', 'https://www.example.org/app/@evil.example/'],
    ] as const) {
      const { status, headers } = await get(path, {}, 'GET', elsewhere.url);
      expect([path, status, headers.location]).toEqual([path, 302, location]);
    }
    expect((await get('/..//evil.example/', {}, 'GET', elsewhere.url)).status).toBe(404);
    expect((await get('/rest/', {}, 'GET', elsewhere.url)).status).toBe(200);
    expect((await get('/robots.txt', {}, 'GET', elsewhere.url)).status).toBe(200);
  } finally {
    await elsewhere.stop();
  }
  await expect(site.gateway({ FRONTEND_URL: TEST_SITE_URL })).rejects.toThrow(/FRONTEND_URL/);
});

test('what came unencrypted to the proxy in front leads to https where the site has it, and only then', async () => {
  const siteUrl = 'https://site.test';
  const behind = await site.gateway({ TRUST_PROXY: true, SITE_URL: siteUrl });
  try {
    const plain = await get('/x/y/?p=1', { 'x-forwarded-proto': 'http' }, 'GET', behind.url);
    expect([plain.status, plain.headers.location]).toEqual([301, `${siteUrl}/x/y/?p=1`]);
    expect((await get('/x/y/', { 'x-forwarded-proto': 'https' }, 'GET', behind.url)).status).toBe(404);
  } finally {
    await behind.stop();
  }
  expect((await get('/x/y/', { 'x-forwarded-proto': 'http' })).status).toBe(404);
});
