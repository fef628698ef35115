/**
 * The same site twice: as it is, and in the words of a profile. Every route, list and item is read both ways, kept answers
 * included; what people wrote is the same, however much it looks like a word.
 */
import { jsonTranslator } from '@sevenfold/gateway/profiles/json';
import { placeAnswered, routeOf } from '@sevenfold/gateway/profiles/addresses';
import { compileNodes } from '@sevenfold/gateway/profiles/nodes';
import type { PlaceName } from '@sevenfold/gateway/profiles/places';
import { compileSwaps } from '@sevenfold/gateway/profiles/swaps';
import { wordpress } from '@sevenfold/gateway/profiles/wordpress';
import { type Answer, type Speaker, TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { type Site, startSite } from '../support/site';
import { steadily } from '../support/steadily';

const swaps = compileSwaps(wordpress, TEST_SITE_URL);
const nodes = compileNodes(swaps);

/** What looks like words of either side, and is none. */
const WRITTEN = `tribe_events, calendar_events_cat: ${TEST_SITE_URL}/wp-json/wp/v2 and ${TEST_SITE_URL}/rest/core/v2?status=calendar-ignored`;

let site: Site;
let client: Speaker;
let administrator: Record<string, string>;
const ids: Record<string, number> = {};

beforeAll(async () => {
  site = await startSite({ CLIENT_PROFILES: 'wordpress' });
  ({ client } = site);
  administrator = await site.signIn(site.content.users.administrator);
  const make = async (name: string, path: string, body: object): Promise<void> => {
    const answer = await client.post(path, body, administrator);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    ids[name] = answer.body.id;
  };
  await make('category', '/wp-json/wp/v2/tribe_events_cat', {
    name: 'tribe_events',
    slug: 'tribe_events_cat',
  });
  await make('tag', '/wp-json/wp/v2/tags', { name: 'wp/v2', slug: 'calendar_events', description: WRITTEN });
  await make('post', '/wp-json/wp/v2/posts', {
    title: WRITTEN,
    content: WRITTEN,
    excerpt: WRITTEN,
    slug: 'tribe_events',
    status: 'publish',
    tags: [ids.tag],
  });
  await make('imported', '/wp-json/wp/v2/posts', { title: 'Imported', status: 'tribe-ea-success' });
  await make('page', '/wp-json/wp/v2/pages', { title: 'tribe_venue', status: 'publish' });
  await make('comment', '/wp-json/wp/v2/comments', {
    post: ids.post,
    content: WRITTEN,
    author_name: 'wp:term',
    author_email: 'a@example.org',
  });
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await make('event', '/wp-json/tribe/events/v1/events', {
    title: WRITTEN,
    description: WRITTEN,
    slug: 'calendar-ignored',
    start_date: `${day} 10:00`,
    end_date: `${day} 11:00`,
    categories: [ids.category],
    venue: { venue: 'tribe_venue' },
    organizer: [{ organizer: 'tribe_organizer' }],
  });
  await make('form', '/wp-json/contact-form-7/v1/contact-forms', {
    title: 'tribe_events',
    form: '[text* your-name] [email your-email] [quiz q "1+1=?|2"] [submit "Send"]',
  });
});
afterAll(() => site.stop());

/** The address of the same thing on the other side, below the site. */
const there = (path: string): string => swaps.address(TEST_SITE_URL + path).slice(TEST_SITE_URL.length);

const inWords = (path: string, answer: Answer, place = placeOf(path, answer)): string => {
  if (place === undefined) return answer.text;
  const translator = jsonTranslator(nodes(place));
  return Buffer.concat([translator.write(Buffer.from(answer.text)), translator.end()]).toString();
};
const placeOf = (path: string, { status }: Answer): PlaceName | undefined =>
  status >= 400 ? 'error' : placeAnswered(routeOf(path.replace(/\?.*/, '')));

async function addresses(): Promise<string[]> {
  const { body } = await client.get('/rest/');
  const variables: Record<string, string> = {
    type: 'post',
    status: 'calendar-ea-success',
    taxonomy: 'calendar_events_cat',
    object_type: 'post',
    interval: 'd',
    slug: 'calendar-ignored',
  };
  const idOf: readonly (readonly [RegExp, string])[] = [
    [/\/posts/, 'post'],
    [/\/pages/, 'page'],
    [/\/comments/, 'comment'],
    [/v2\/tags/, 'tag'],
    [/categories|events_cat/, 'category'],
    [/\/events/, 'event'],
    [/contact-forms/, 'form'],
    [/object_id/, 'post'],
  ];
  return Object.entries(body.routes as Record<string, { methods: string[] }>)
    .filter(([, { methods }]) => methods.includes('GET'))
    .map(([route]) => {
      const id = ids[idOf.find(([pattern]) => pattern.test(route))?.[1] ?? ''] ?? 1;
      return `/rest${route.replace(/\(\?P<(\w+)>(?:\[[^\]]*\]\+?|[^)]*)\)/g, (_, name: string) => variables[name] ?? String(id))}`;
    });
}

/** How a path differs from what the profile says of it, asked for and kept. */
async function differencesOf(path: string, headers: Record<string, string>): Promise<unknown[]> {
  const differences: unknown[] = [];
  const ours = await client.get(path, headers);
  // What is asked anew, looked at or worked off is another one the next time.
  if (/\/refill|external_check|reindex_posts/.test(path)) return [];
  for (const turn of ['asked', 'kept']) {
    const theirs = await client.get(there(path), headers);
    const wanted = inWords(path, ours);
    if (theirs.status !== ours.status || theirs.text !== wanted)
      differences.push({ path, turn, signedIn: headers === administrator, wanted, got: theirs.text });
    const link = ours.headers.get('link');
    if (link !== null) {
      const back = theirs.headers
        .get('link')
        ?.replace(/<([^>]*)>/g, (_, one: string) => `<${swaps.address(one)}>`);
      if (back !== link) differences.push({ path, link, back });
    }
  }
  return differences;
}

test('every route, list and item says the same in both vocabularies, to strangers and to the administrator', async () => {
  const paths = (await addresses()).flatMap((path) => [path, `${path}?context=edit&_embed=core:term,author`]);
  expect(paths.length).toBeGreaterThan(100);
  const differences: unknown[] = [];
  for (const path of paths)
    for (const headers of [{}, administrator]) {
      const found = await differencesOf(path, headers);
      // One may know more by then than the other did, as of a neighbour that was slow.
      if (found.length > 0) differences.push(...(await differencesOf(path, headers)));
    }
  expect(differences).toEqual([]);
});

test('what people wrote is untouched', async () => {
  const { body: post } = await client.get(`/wp-json/wp/v2/posts/${ids.post}?context=edit`, administrator);
  expect([post.title.raw, post.content.raw, post.excerpt.raw, post.slug]).toEqual([
    WRITTEN,
    WRITTEN,
    WRITTEN,
    'tribe_events',
  ]);
  const { body: event } = await client.get(`/wp-json/tribe/events/v1/events/by-slug/calendar-ignored`);
  expect([event.id, event.venue.venue, event.categories[0].name, event.categories[0].taxonomy]).toEqual([
    ids.event,
    'tribe_venue',
    'tribe_events',
    'tribe_events_cat',
  ]);
  const found = await client.get('/wp-json/wp/v2/tags?slug=calendar_events');
  expect(found.body.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
    [ids.tag, 'wp/v2'],
  ]);
});

test('words stand for each other in filters, paths, lists and errors', async () => {
  const read = async (path: string) => (await client.get(path, administrator)).body;
  const posts = await read('/wp-json/wp/v2/posts?status=tribe-ea-success,draft');
  expect(posts.map(({ id, status }: { id: number; status: string }) => [id, status])).toEqual([
    [ids.imported, 'tribe-ea-success'],
  ]);
  expect((await read('/wp-json/wp/v2/posts?status[]=calendar-ea-success')).code).toBe('rest_invalid_param');
  expect(Object.keys(await read('/wp-json/wp/v2/taxonomies?type=tribe_events'))).toEqual([
    'post_tag',
    'tribe_events_cat',
  ]);
  expect((await read('/wp-json/wp/v2/statuses/tribe-ignored')).slug).toBe('tribe-ignored');
  const spelled = await read(`/wp-json/wp/v2/Tribe_Events_Cat?include=${ids.category}`);
  expect(spelled.map(({ taxonomy }: { taxonomy: string }) => taxonomy)).toEqual(['tribe_events_cat']);
  expect((await read('/wp-json/wp/v2/statuses/calendar-ignored')).code).toBe('rest_status_invalid');
  expect(await read(`/wp-json/wp/v2/tribe_events_cat/${ids.category}?_fields=taxonomy,_links.about`)).toEqual(
    {
      taxonomy: 'tribe_events_cat',
      _links: { about: [{ href: `${TEST_SITE_URL}/wp-json/wp/v2/taxonomies/tribe_events_cat` }] },
    },
  );
  const bad = await client.post('/wp-json/akismet/v1/settings', { akismet_strictness: 'odd' }, administrator);
  expect([bad.status, Object.keys(bad.body.data.params)]).toEqual([400, ['akismet_strictness']]);
  expect(bad.body.data.details.akismet_strictness.data.param).toBe('akismet_strictness');
  const { body: below } = await client.post(
    '/wp-json/wp/v2/tribe_events_cat',
    { name: 'Below', parent: ids.category },
    administrator,
  );
  const { _embedded } = await read(`/wp-json/tribe/events/v1/categories/${below.id}?_embed=up`);
  expect([_embedded.up[0].taxonomy, _embedded.up[0]._links.about[0].href]).toEqual([
    'tribe_events_cat',
    `${TEST_SITE_URL}/wp-json/wp/v2/taxonomies/tribe_events_cat`,
  ]);
  expect((await read('/wp-json/contact-form-7/v1/contact-forms/999999')).code).toBe('wpcf7_not_found');
});

test('words within what is nested stand for each other however it is sent', async () => {
  const fields = (mark: string): [string, string][] => [
    ['title', `Nested ${mark}`],
    ['start_date', '2031-06-01 10:00'],
    ['end_date', '2031-06-01 11:00'],
    ['venue[venue]', `tribe_venue ${mark}`],
    ['venue[status]', 'tribe-ea-pending'],
    ['organizer[0][organizer]', `tribe_organizer ${mark}`],
    ['organizer[0][status]', 'tribe-ea-pending'],
  ];
  const form = new FormData();
  for (const [name, value] of fields('parts')) form.append(name, value);
  const events = '/wp-json/tribe/events/v1/events';
  const query = new URLSearchParams(fields('query'));
  for (const [path, body] of [
    [events, new URLSearchParams(fields('form'))],
    [events, form],
    [`${events}?${query.toString()}`, undefined],
  ] as const) {
    const { status, body: made } = await client.request('POST', path, { body, headers: administrator });
    expect([status, made.venue?.status, made.organizer?.[0]?.status]).toEqual([
      201,
      'tribe-ea-pending',
      'tribe-ea-pending',
    ]);
    expect(made.venue.venue).toMatch(/^tribe_venue (?:form|parts|query)$/);
  }
  const neutral = new URLSearchParams([...fields('ours'), ['venue[status]', 'calendar-ea-pending']]);
  expect((await client.request('POST', events, { body: neutral, headers: administrator })).status).toBe(400);
});

test('members of an index are named by their routes', async () => {
  const { body } = await client.get('/wp-json/wp/v2?_fields=routes./wp/v2/posts.methods,namespace');
  expect([body.routes, body.namespace]).toEqual([{ '/wp/v2/posts': { methods: ['GET', 'POST'] } }, 'wp/v2']);
});

test('only where files are taken a body with a disposition is one', async () => {
  const disposed = { ...administrator, 'Content-Disposition': 'inline' };
  const { status, body } = await client.post(
    '/wp-json/wp/v2/posts',
    { title: 'x', status: 'tribe-ea-draft' },
    disposed,
  );
  expect([status, body.status]).toEqual([201, 'tribe-ea-draft']);
  const text = '{"status":"tribe-ea-draft"}';
  const file = await client.request('POST', '/wp-json/wp/v2/media', {
    body: text,
    headers: {
      ...administrator,
      'Content-Type': 'text/plain',
      'Content-Disposition': 'attachment; filename="a.txt"',
    },
  });
  expect(file.status).toBe(201);
  const source = new URL(file.body.source_url).pathname;
  expect((await client.get(source)).text).toBe(text);
});

test('an index entry leads to one address in all that it says', () => {
  const [ours, theirs] = ['calendar', 'tribe'].map((word) => {
    const address = `${TEST_SITE_URL}/?post_type=${word}_events&p=10`;
    return JSON.stringify({ permalink: address, canonical: address, title: 'calendar_events' });
  });
  const translator = jsonTranslator(nodes('indexable'));
  expect(String(Buffer.concat([translator.write(Buffer.from(ours as string)), translator.end()]))).toBe(
    theirs,
  );
});

test('pages lead to the interface of the profile first, and to what they are there', async () => {
  const { body: post } = await client.get(`/wp-json/wp/v2/posts/${ids.post}`);
  const link = async (url: string): Promise<string | null> =>
    (await client.request('HEAD', new URL(url).pathname)).headers.get('link');
  const root = `<${TEST_SITE_URL}/wp-json/>; rel="https://api.w.org/"`;
  const [ours, theirs] = ['/rest/core/v2', '/wp-json/wp/v2'].map(
    (below) => `<${TEST_SITE_URL}${below}/posts/${ids.post}>; rel="alternate"; type="application/json"`,
  );
  expect(await link(post.link)).toBe(
    `${root}, ${theirs}, <${TEST_SITE_URL}/rest/>; rel="service", ${ours}, <${TEST_SITE_URL}/?p=${ids.post}>; rel="shortlink"`,
  );
  expect(await link(`${TEST_SITE_URL}/`)).toBe(`${root}, <${TEST_SITE_URL}/rest/>; rel="service"`);
});

test('an event is sent back as it was told, and has its own page for a website from then on', async () => {
  const events = '/wp-json/tribe/events/v1/events';
  const { body: draft } = await client.post(
    events,
    { title: 'Later', status: 'draft', start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00' },
    administrator,
  );
  const plain = `${TEST_SITE_URL}/?post_type=tribe_events&p=${draft.id}`;
  const { json_ld } = (await client.get(`${events}/${draft.id}`, administrator)).body;
  expect([draft.website, json_ld.url]).toEqual([plain, plain]);
  const { website, venue, organizer } = draft;
  const { body: told } = await client.request('PUT', `${events}/${draft.id}`, {
    body: JSON.stringify({ website, venue, organizer, status: 'publish' }),
    headers: { ...administrator, 'Content-Type': 'application/json' },
  });
  expect([told.status, told.website]).toEqual(['publish', told.url]);
  // Of another site, whose name only begins like this one's.
  const elsewhere = `${TEST_SITE_URL}.example/?post_type=tribe_events`;
  const { body: other } = await client.request('PUT', `${events}/${draft.id}`, {
    body: JSON.stringify({ website: elsewhere }),
    headers: { ...administrator, 'Content-Type': 'application/json' },
  });
  expect(other.website).toBe(elsewhere);
  expect((await client.get(`/rest/calendar/events/v1/events/${draft.id}`, administrator)).body.website).toBe(
    elsewhere,
  );
});

test('a form is sent with the fields that its page has', async () => {
  const body = new URLSearchParams({
    _wpcf7: String(ids.form),
    _wpcf7_unit_tag: `wpcf7-f${ids.form}-p1-o1`,
    'your-name': '',
    'your-email': '_wpcf7',
  });
  const { status, body: told } = await client.request(
    'POST',
    `/wp-json/contact-form-7/v1/contact-forms/${ids.form}/feedback`,
    { body: body.toString(), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  );
  expect([status, told.status, told.into]).toEqual([200, 'validation_failed', `#wpcf7-f${ids.form}-p1-o1`]);
  expect(told.invalidFields.map(({ into }: { into: string }) => into)).toEqual([
    'span.wpcf7-form-control-wrap.your-name',
    'span.wpcf7-form-control-wrap.your-email',
    'span.wpcf7-form-control-wrap.q',
  ]);
  expect(told.invalid_fields[0].error_id).toMatch(/^wpcf7-f/);
});

steadily('answers are kept in both vocabularies, each by itself, and a write makes both old', async () => {
  const [ours, theirs] = [`/rest/core/v2/posts/${ids.post}`, `/wp-json/wp/v2/posts/${ids.post}`];
  const how = async (path: string) => {
    const { headers, body } = await client.get(path);
    return [headers.get('x-cache'), body.title.rendered, Object.keys(body._links).includes('wp:term')];
  };
  await until(async () => (await how(ours))[0] === 'hit' && (await how(theirs))[0] === 'hit');
  expect((await how(ours))[2]).toBe(false);
  expect((await how(theirs))[2]).toBe(true);
  expect((await how(`/?rest_route=/wp/v2/posts/${ids.post}`))[0]).toBe('hit');
  await client.post(theirs, { title: 'New' }, administrator);
  expect((await how(ours))[1]).toBe('New');
  expect((await how(theirs))[1]).toBe('New');
  const { headers } = await client.get(theirs);
  const again = await client.get(theirs, { 'If-None-Match': headers.get('etag') as string });
  expect([again.status, again.headers.get('etag')]).toEqual([304, headers.get('etag')]);
});
