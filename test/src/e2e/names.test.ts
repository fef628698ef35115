/** Names with signs in them, wherever the site shows them: each as it is meant, and none of them more than text. */
import { makeTerm } from '@sevenfold/content/testing/factories';
import { reindexAll } from '@sevenfold/seo/commands';
import type { Deps as SeoDeps } from '@sevenfold/seo/deps';
import { decodeEntities } from '@sevenfold/text/html';
import { type Site, startSite } from '../support/site';

let site: Site;
let administrator: Record<string, string>;
beforeAll(async () => {
  site = await startSite();
  administrator = await site.signIn(site.content.users.administrator);
});
afterAll(() => site.stop());

interface Made {
  readonly id: number;
  readonly link: string;
  readonly url: string;
}
async function write(path: string, body: object): Promise<Made> {
  const answer = await site.client.post(`/rest/${path}`, body, administrator);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body as Made;
}
const index = (): Promise<unknown> => reindexAll(site.service('seo').deps as SeoDeps, () => undefined);
const textAt = async (url: string): Promise<string> => {
  const { status, text } = await site.client.get(new URL(url).pathname);
  expect([url, status]).toEqual([url, 200]);
  return text;
};

interface Graph {
  readonly '@graph': readonly { readonly '@type': string; readonly name?: string }[];
}
const graphIn = (html: string): Graph['@graph'] =>
  (JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as Graph)[
    '@graph'
  ];
const named = (html: string, type: string): string | undefined =>
  graphIn(html).find((node) => node['@type'] === type)?.name;
const inTag = (html: string, tag: string): string =>
  decodeEntities(new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)?.[1]?.replace(/<[^<>]*>/g, '') ?? '');

/** What is sent; what a user with the name is called, whose entities stand for characters; and what a place is, whose name is text. */
test.each([
  ['signs', `A & B <i>"'</i>`, `A & B "'`, `A & B "'`],
  ['entities', 'C &amp; D &lt;b&gt;', 'C & D <b>', 'C &amp; D &lt;b&gt;'],
  ['open', 'x < y </script>"q"', 'x < y "q"', 'x < y "q"'],
])('a name with %s in it', async (slug, name, ofUser, ofPlace) => {
  const user = await write('core/v2/users', {
    username: slug,
    email: `${slug}@example.org`,
    password: 'a long password of tests',
    name,
    roles: ['author'],
  });
  const post = await write('core/v2/posts', { title: slug, status: 'publish', author: user.id });
  const days = { start_date: '2030-01-01', end_date: '2030-01-02', status: 'publish' };
  const venue = await write('calendar/events/v1/venues', {
    venue: name,
    slug: `v-${slug}`,
    status: 'publish',
  });
  const organizer = await write('calendar/events/v1/organizers', {
    organizer: name,
    slug: `o-${slug}`,
    status: 'publish',
  });
  const event = await write('calendar/events/v1/events', {
    title: slug,
    ...days,
    venue: venue.id,
    organizer: organizer.id,
  });
  await index();

  const article = await textAt(post.link);
  expect(decodeEntities(/<meta name="author" content="([^"]*)"/.exec(article)?.[1] ?? '')).toBe(ofUser);
  expect(named(article, 'Person')).toBe(ofUser);
  expect(decodeEntities(/By <a [^>]*>(.*?)<\/a>/.exec(article)?.[1] ?? '')).toBe(ofUser);
  const author = await textAt(user.link);
  expect([inTag(author, 'title'), inTag(author, 'h1')]).toEqual([`${ofUser} - Sevenfold`, ofUser]);
  expect(named(author, 'Person')).toBe(ofUser);

  for (const [url, type] of [
    [venue.url, 'Place'],
    [organizer.url, 'Organization'],
  ] as const) {
    const page = await textAt(url);
    expect([inTag(page, 'title'), inTag(page, 'h1')]).toEqual([`${ofPlace} - Sevenfold`, ofPlace]);
    expect([named(page, type), named(await textAt(event.url), type)]).toEqual([ofPlace, ofPlace]);
  }

  const items = (await site.client.get('/feed/')).text.split('<item>');
  const item = items.find((one) => one.includes(post.link)) ?? '';
  expect(inTag(item, 'dc:creator')).toBe(ofUser);

  const embed = `/rest/oembed/1.0/embed?url=${encodeURIComponent(venue.url)}`;
  const { title, html } = (await site.client.get(embed)).body as { title: string; html: string };
  expect(decodeEntities(title)).toBe(ofPlace);
  expect(inTag(html, 'blockquote')).toBe('');
  expect(decodeEntities(/<a [^>]*>(.*?)<\/a>/.exec(html)?.[1] ?? '')).toBe(ofPlace);
  expect(decodeEntities(/ title="([^"]*)"/.exec(html)?.[1] ?? '')).toBe(`“${ofPlace}” — Sevenfold`);
  const { text: xml } = await site.client.get(`${embed}&format=xml`);
  expect(inTag(xml, 'title')).toBe(title);
  const framed = (await site.client.get(`${new URL(post.link).pathname}embed/`)).text;
  expect(decodeEntities(/<footer>(.*?) · /.exec(framed)?.[1] ?? '')).toBe(ofUser);
});

test('posts with a thousand tags under long names each have pages, heads and feeds, of bounded size', async () => {
  const { db } = site.content.deps;
  const { id: category } = await makeTerm(db, { slug: 'many', name: 'Many' });
  const posts: Made[] = [];
  for (let n = 0; n < 10; n += 1)
    posts.push(
      await write('core/v2/posts', { title: `Many ${n}`, status: 'publish', categories: [category] }),
    );
  await db.run(
    `with made as (
       insert into terms (taxonomy, name, slug)
       select 'post_tag', n || repeat('&#038;“', 200), 'many-' || n || repeat('-%e6%97', 27) from generate_series(1, 10000) as n
       returning id),
     placed as (select row_number() over (order by id) % 10 as place, id from made)
     update posts p set tags = t.tags
     from (select place, array_agg(id order by id) as tags from placed group by place) as t
     where p.id = ($1::bigint[])[t.place + 1]`,
    [posts.map(({ id }) => id)],
  );
  const seo = site.service('seo').as(site.content.users.administrator);
  while (((await seo.get('/reindex_posts')).body as number) > 0);
  const feed = await site.client.get('/feed/');
  expect(feed.status).toBe(200);
  expect(Math.max(...feed.text.split('<item>').map((item) => item.split('<category>').length - 1))).toBe(100);
  const page = await textAt((posts[0] as Made).link);
  expect(page.match(/<meta property="article:tag"/g)).toHaveLength(99);
  expect(page.match(/rel="tag"|<li>/g)?.length).toBeGreaterThan(500);
});
