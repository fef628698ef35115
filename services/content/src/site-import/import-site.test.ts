/** Moving a site in from its export: what arrives, what is left out and named, and that doing it again changes nothing. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ContentSite, startContent } from '../testing/service';
import { importSite } from './import-site';
import type { Report } from './report';

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

interface SampleItem {
  id: number;
  type: string;
  status?: string;
  title?: string;
  content?: string;
  slug?: string;
  parent?: number;
  extra?: string;
  date?: string;
}

const item = ({
  id,
  type,
  status = 'publish',
  title = `Title ${id}`,
  content = `Words of ${id}`,
  slug = `slug-${id}`,
  parent = 0,
  extra = '',
  date = '2015-03-04 05:06:07',
}: SampleItem): string => `
  <item>
    <title>${cdata(title)}</title><dc:creator>${cdata('iris')}</dc:creator><guid isPermaLink="false">https://old.example/?p=${id}</guid>
    <content:encoded>${cdata(content)}</content:encoded><excerpt:encoded>${cdata('')}</excerpt:encoded>
    <wp:post_id>${id}</wp:post_id><wp:post_date>${date}</wp:post_date><wp:post_date_gmt>${date}</wp:post_date_gmt>
    <wp:comment_status>open</wp:comment_status><wp:ping_status>closed</wp:ping_status><wp:post_name>${slug}</wp:post_name>
    <wp:status>${status}</wp:status><wp:post_parent>${parent}</wp:post_parent><wp:menu_order>3</wp:menu_order>
    <wp:post_type>${type}</wp:post_type><wp:post_password></wp:post_password><wp:is_sticky>0</wp:is_sticky>${extra}
  </item>`;

const comment = (id: number, parent: number, approved = '1'): string => `
  <wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>${cdata('Reader')}</wp:comment_author>
    <wp:comment_author_email>reader@old.example</wp:comment_author_email><wp:comment_author_url></wp:comment_author_url>
    <wp:comment_author_IP>192.0.2.7</wp:comment_author_IP><wp:comment_date>2015-03-05 05:06:07</wp:comment_date>
    <wp:comment_date_gmt>2015-03-05 05:06:07</wp:comment_date_gmt><wp:comment_content>${cdata(`Remark ${id}`)}</wp:comment_content>
    <wp:comment_approved>${approved}</wp:comment_approved><wp:comment_type></wp:comment_type><wp:comment_parent>${parent}</wp:comment_parent>
    <wp:comment_user_id>0</wp:comment_user_id></wp:comment>`;

const sample = (items: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
  <title>Old site</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_site_url>https://old.example</wp:base_site_url><wp:base_blog_url>https://old.example</wp:base_blog_url>
  <wp:author><wp:author_login>iris</wp:author_login><wp:author_email>iris@old.example</wp:author_email>
    <wp:author_display_name>${cdata('Iris Ölander')}</wp:author_display_name><wp:author_first_name></wp:author_first_name><wp:author_last_name></wp:author_last_name></wp:author>
  <wp:category><wp:term_id>9</wp:term_id><wp:category_nicename>inner</wp:category_nicename><wp:category_parent>outer</wp:category_parent><wp:cat_name>${cdata('Inner')}</wp:cat_name></wp:category>
  <wp:category><wp:term_id>8</wp:term_id><wp:category_nicename>outer</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>${cdata('Outer')}</wp:cat_name></wp:category>
  <wp:tag><wp:term_id>7</wp:term_id><wp:tag_slug>quiet</wp:tag_slug><wp:tag_name>${cdata('quiet')}</wp:tag_name></wp:tag>
  <wp:term><wp:term_id>6</wp:term_id><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>top</wp:term_slug><wp:term_name>${cdata('Top')}</wp:term_name></wp:term>
  ${items}</channel></rss>`;

const terms = `<category domain="category" nicename="inner">${cdata('Inner')}</category><category domain="post_tag" nicename="quiet">${cdata('quiet')}</category>
  <category domain="post_format" nicename="post-format-aside">${cdata('Aside')}</category>`;

const everything = sample(
  [
    item({ id: 1, type: 'page', title: 'Below', slug: 'below', parent: 2 }),
    item({ id: 2, type: 'page', title: 'Above', slug: 'above' }),
    item({
      id: 3,
      type: 'post',
      title: 'With <em>everything</em>',
      content: 'One.\n\nTwo ]]> three.',
      extra:
        terms +
        comment(11, 0) +
        comment(12, 11) +
        comment(13, 0, 'spam') +
        `<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>5</wp:meta_value></wp:postmeta>`,
    }),
    item({ id: 4, type: 'post', status: 'draft', slug: '', title: 'Unfinished' }),
    item({
      id: 5,
      type: 'attachment',
      status: 'inherit',
      title: 'Picture',
      extra: `<wp:attachment_url>https://files.old.example/2015/03/picture.jpg</wp:attachment_url>`,
    }),
    item({ id: 6, type: 'post', status: 'future', title: 'Long since due', date: '2016-01-01 00:00:00' }),
    item({ id: 7, type: 'nav_menu_item' }),
    item({ id: 8, type: 'post', status: 'auto-draft' }),
    item({ id: 9, type: 'post', title: 'Same slug', slug: 'slug-3' }),
  ].join(''),
);

let site: ContentSite;
let folder: string;
let first: Report;

const run = async (text: string): Promise<Report> => {
  const file = path.join(folder, 'export.xml');
  await writeFile(file, text);
  return importSite(site.deps, file, () => undefined);
};
const postBySlug = async (type: string, slug: string) =>
  (await site.by('administrator').get(`/${type}?slug=${slug}&context=edit&status=any`)).body[0];

beforeAll(async () => {
  site = await startContent();
  folder = await mkdtemp(path.join(tmpdir(), 'export-'));
  first = await run(everything);
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true });
});

test('counts what it made, and names what it left out with the reason', () => {
  expect(Object.fromEntries(first.created)).toEqual({
    user: 1,
    category: 2,
    post_tag: 1,
    page: 2,
    post: 4,
    attachment: 1,
    comment: 3,
  });
  expect(
    first
      .reasons()
      .map(([reason]) => reason)
      .sort(),
  ).toEqual([
    'items with the status auto-draft are not moved',
    'this interface has no objects of the type nav_menu_item',
    'this interface has no taxonomy nav_menu',
  ]);
});

test('a post keeps its author, terms, format, dates, picture and thread', async () => {
  const post = await postBySlug('posts', 'slug-3');
  const { body: author } = await site.by('administrator').get(`/users/${post.author}?context=edit`);
  expect(author).toMatchObject({
    username: 'iris',
    name: 'Iris Ölander',
    email: 'iris@old.example',
    roles: ['author'],
  });
  expect(post).toMatchObject({
    status: 'publish',
    format: 'aside',
    date: '2015-03-04T05:06:07',
    date_gmt: '2015-03-04T05:06:07',
    guid: { raw: 'https://old.example/?p=3' },
    title: { raw: 'With <em>everything</em>' },
    content: { raw: 'One.\n\nTwo ]]> three.', rendered: expect.stringContaining('<p>One.</p>') },
  });
  const { body: categories } = await site.by('anonymous').get(`/categories?post=${post.id}&_embed`);
  expect(categories).toMatchObject([{ slug: 'inner', count: 1, _embedded: { up: [{ slug: 'outer' }] } }]);
  expect((await site.by('anonymous').get(`/media/${post.featured_media}`)).body).toMatchObject({
    source_url: 'https://files.old.example/2015/03/picture.jpg',
    mime_type: 'image/jpeg',
  });
  const { body: comments } = await site.by('anonymous').get(`/comments?post=${post.id}&order=asc&orderby=id`);
  expect(comments).toHaveLength(2);
  expect(comments[1]).toMatchObject({ parent: comments[0].id, author_name: 'Reader' });
});

test('pages stand below their parents, even if those come later', async () => {
  const below = await postBySlug('pages', 'below');
  expect(below).toMatchObject({
    link: 'http://site.test/above/below/',
    menu_order: 3,
    parent: (await postBySlug('pages', 'above')).id,
  });
});

test('drafts stay drafts, what was due is published, and a taken slug gets a number', async () => {
  const { body: drafts } = await site.by('administrator').get('/posts?status=draft&context=edit');
  expect(drafts).toMatchObject([{ title: { raw: 'Unfinished' }, slug: '' }]);
  expect((await postBySlug('posts', 'slug-6')).status).toBe('publish');
  expect((await postBySlug('posts', 'slug-3-2')).title.raw).toBe('Same slug');
});

test('doing it again makes nothing, and what people changed here stays', async () => {
  const post = await postBySlug('posts', 'slug-3');
  await site.by('administrator').post(`/posts/${post.id}`, { title: 'Changed here' });
  const again = await run(everything);
  expect(Object.fromEntries(again.created)).toEqual({});
  expect(Object.fromEntries(again.known)).toMatchObject({
    user: 1,
    category: 2,
    page: 2,
    post: 4,
    attachment: 1,
    comment: 3,
  });
  expect((await postBySlug('posts', 'slug-3')).title.raw).toBe('Changed here');
});

test('what is new in a later export is added', async () => {
  const later = await run(
    everything.replace('</channel>', `${item({ id: 20, type: 'post', title: 'New' })}</channel>`),
  );
  expect(Object.fromEntries(later.created)).toEqual({ post: 1 });
});

test.each([
  ['another feed', '<rss version="2.0"><channel><title>x</title></channel></rss>', /not a site export/],
  ['broken XML', everything.slice(0, 2000), /./],
])('refuses %s', async (_name, text, message) => {
  await expect(run(text)).rejects.toThrow(message);
});
