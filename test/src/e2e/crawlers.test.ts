/** What crawlers and front ends find of a whole site: a post goes through the index into sitemaps, heads and statistics. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { makePost } from '@sevenfold/content/testing/factories';
import { type Site, startSite } from '../support/site';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const administrator: Actor = {
  ...stranger,
  id: 1,
  username: 'admin',
  roles: ['administrator'],
  capabilities: new Set(['edit_posts', 'edit_published_posts', 'edit_others_posts', 'manage_seo']),
};

test('a post is indexed, named by the sitemap, counted, and has a head; a hidden one is nowhere', async () => {
  const { db } = site.content.deps;
  const title = 'Fish & <b>"Chips"</b>';
  await makePost(db, { slug: 'shown', path: '2024/01/02/shown', title_html: title });
  await makePost(db, { slug: 'hidden', path: '2024/01/02/hidden', status: 'private' });
  const seo = site.service('seo').as(administrator);
  while (((await seo.get('/reindex_posts')).body as number) > 0);
  const index = await site.client.get('/sitemap.xml');
  expect([index.status, index.headers.get('content-type')]).toEqual([200, 'application/xml; charset=UTF-8']);
  expect(index.text).toContain('<loc>http://site.test/sitemap-post-1.xml</loc>');
  const posts = await site.client.get('/sitemap-post-1.xml');
  expect(posts.text).toContain('<loc>http://site.test/2024/01/02/shown/</loc>');
  expect(posts.text).not.toContain('hidden');
  const etag = posts.headers.get('etag') as string;
  expect((await site.client.get('/sitemap-post-1.xml', { 'If-None-Match': etag })).status).toBe(304);
  expect((await site.client.get('/robots.txt')).text).toContain('Sitemap: http://site.test/sitemap.xml\n');

  const head = await site.client.get('/console/api/head?url=/2024/01/02/shown/');
  expect([head.status, head.body.json.canonical]).toEqual([200, 'http://site.test/2024/01/02/shown/']);
  const html = await site.client.get('/console/api/head?url=/2024/01/02/shown/', { Accept: 'text/html' });
  expect([html.text, html.text.includes('<b>')]).toEqual([head.body.html, false]);
  expect((await site.client.get('/console/api/head?url=/2024/01/02/hidden/')).status).toBe(404);

  const { body } = await seo.get('/statistics');
  expect(body.seo_scores).toMatchObject([{ seo_rank: 'na', count: 1 }]);
});

test('what an event costs is told to crawlers from the least to the greatest, as its page says it', async () => {
  const signedIn = await site.signIn(site.content.users.administrator);
  const range = { '@type': 'AggregateOffer', priceCurrency: 'EUR' };
  for (const [title, cost, offers] of [
    ['One', 'EUR 12,50', { '@type': 'Offer', price: 12.5, priceCurrency: 'EUR' }],
    ['Two', 'EUR 10-20', { ...range, lowPrice: 10, highPrice: 20 }],
    ['Three', 'EUR 30, EUR 7.50 or EUR 20', { ...range, lowPrice: 7.5, highPrice: 30 }],
    ['Same', 'EUR 5, EUR 5', { '@type': 'Offer', price: 5, priceCurrency: 'EUR' }],
    ['Free', 'EUR 0', { '@type': 'Offer', price: 0, priceCurrency: 'EUR' }],
  ] as const) {
    const event = {
      title,
      cost,
      status: 'publish',
      start_date: '2030-05-01 10:00',
      end_date: '2030-05-01 12:00',
    };
    const { body } = await site.client.post('/rest/calendar/events/v1/events', event, signedIn);
    const seo = site.service('seo').as(administrator);
    while (((await seo.get('/reindex_posts')).body as number) > 0);
    const head = await site.client.get(`/console/api/head?url=${encodeURIComponent(body.url as string)}`);
    const graph = head.body.json.schema['@graph'] as Record<string, unknown>[];
    const told = graph.find((node) => node['@type'] === 'Event');
    expect([cost, told?.['offers']]).toEqual([cost, { ...offers, url: body.url as string }]);
  }
});
