/** What stands for addresses inside texts of this site (ResolveEmbed), where they are the site's own. */
import { makeEvent } from '@sevenfold/calendar/testing/factories';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import { makePost } from '@sevenfold/content/testing/factories';
import {
  type EmbedServiceServer,
  EmbedServiceService,
  type ResolveEmbedResponse,
} from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import { type OembedSite, startOembed } from '../testing/service';

let site: OembedSite;
let remote: Remote<EmbedServiceServer>;
beforeAll(async () => {
  site = await startOembed();
  remote = site.dial<EmbedServiceServer>(EmbedServiceService, 'content');
});
afterAll(async () => {
  remote.close();
  await site.stop();
});

const posts = () => site.calendar.content.deps.db;
const resolve = (url: string, maxWidth = 0): Promise<ResolveEmbedResponse> =>
  remote.resolveEmbed({ url, maxWidth, maxHeight: 0 });
const NOTHING = { found: false, html: '', type: '', title: '', providerName: '', freshUntil: 0 };

test('an own item is its frame alone, to be kept for a day', async () => {
  const url = 'http://site.test/2024/01/02/ferry/';
  await makePost(posts(), { slug: 'ferry', path: '2024/01/02/ferry', title_html: 'A &lt;ferry&gt;' });
  const before = Math.floor(Date.now() / 1000);
  const { html, freshUntil, ...told } = await resolve(url);
  expect(told).toEqual({ found: true, type: 'rich', title: 'A &lt;ferry&gt;', providerName: 'Sevenfold' });
  expect(freshUntil - before).toBeGreaterThanOrEqual(86_400);
  expect(html).toMatch(
    /^<iframe sandbox="allow-scripts allow-top-navigation-by-user-activation" security="restricted" src="http:\/\/site\.test\/2024\/01\/02\/ferry\/embed\/[^"]*" width="600" height="338" title="[^"<>]*"[^<>]*><\/iframe>\s*$/,
  );
  // Texts keep it, whatever becomes of the item.
  expect(html).not.toContain('ferry&gt;');
  expect(html).toContain(` title="&#8220;${url}&#8221; &#8212; Sevenfold"`);
  // No quote beside it, and nothing that would run in the page around it.
  expect(html).not.toMatch(/<blockquote|<script/);
});

test('of any kind and in every form of its address, as wide as there is room', async () => {
  await makePost(posts(), { type: 'page', slug: 'about', path: 'about', title_html: 'About' });
  await makeEvent(site.calendar.deps.db, { slug: 'opening', title_html: 'Opening' });
  for (const [url, title] of [
    ['https://www.site.test/about', 'About'],
    ['http://site.test/about/embed/', 'About'],
    ['http://site.test/event/opening/#top', 'Opening'],
  ] as const)
    expect([url, (await resolve(url)).title]).toEqual([url, title]);
  expect((await resolve('http://site.test/about/', 300)).html).toContain('width="300" height="200"');
  expect((await resolve('http://site.test/about/', 5_000)).html).toContain('width="600" height="338"');
});

test('what not everybody may read is nothing, nor are lists, the interface and what is no address', async () => {
  await makePost(posts(), { slug: 'draft', path: '2024/01/02/draft', status: 'draft' });
  await makePost(posts(), { slug: 'closed', path: '2024/01/02/closed', status: 'private' });
  for (const url of [
    'http://site.test/2024/01/02/draft/',
    'http://site.test/2024/01/02/closed/',
    'http://site.test/nowhere/',
    'http://site.test/',
    'http://site.test/rest/core/v2/posts',
    'no address',
    'javascript:alert(1)',
  ])
    expect([url, await resolve(url)]).toEqual([url, NOTHING]);
});

test('of what a password protects only the title is told', async () => {
  await makePost(posts(), {
    slug: 'locked',
    path: '2024/01/02/locked',
    password: 'secret',
    title_html: 'Locked',
    content_html: '<p>Hidden words</p>',
  });
  const { title, html } = await resolve('http://site.test/2024/01/02/locked/');
  expect(title).toBe('Protected: Locked');
  expect(html).not.toContain('Hidden words');
});
