/** What strangers get embedded comes from memory, and never shows anything as it was before. */
import sharp from 'sharp';
import { makeComment, makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let post: number;
let media: number;
let category: number;

const embedded = async () =>
  (await site.by('anonymous').get(`/posts?_embed&include=${post}`)).body[0]?._embedded;
const admin = () => site.by('administrator');

beforeAll(async () => {
  site = await startContent();
  category = (await admin().post('/categories', { name: 'Before' })).body.id;
  const picture = await sharp({ create: { width: 10, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const upload = await admin().post('/media', picture, {
    'Content-Disposition': 'attachment; filename="red.png"',
    'Content-Type': 'image/png',
  });
  media = upload.body.id;
  post = (
    await site.by('author').post('/posts', { title: 'Seen', status: 'publish', categories: [category] })
  ).body.id;
  await admin().post(`/posts/${post}`, { featured_media: media });
});
afterAll(() => site.stop());
// Every test starts with the post in memory.
beforeEach(embedded);

test('is the same from memory as when it was made', async () => {
  expect(await embedded()).toEqual(await embedded());
  const { body } = await site.by('subscriber').get(`/posts?_embed&include=${post}`);
  expect(await embedded()).toEqual(body[0]._embedded);
});

test('an author with a new name', async () => {
  await admin().post(`/users/${site.users.author.id}`, { name: 'New name' });
  expect((await embedded()).author[0].name).toBe('New name');
});

test('so much of what an author says about himself', async () => {
  const { author } = site.users;
  const long = `<b>Mine &amp; ${'<i>yours</i> &amp; '.repeat(50_000)}</b>`;
  await site.deps.db.run('update users set description = $2 where id = $1', [author.id, long]);
  const { description } = (await embedded()).author[0];
  expect(description).toMatch(/^<b>Mine &amp; .*<\/b>$/);
  expect(description.length).toBeLessThanOrEqual(5_000);
  const path = `/users/${author.id}`;
  expect((await site.by('anonymous').get(path)).body.description).toBe(description);
  expect((await site.as(author).get(`${path}?context=edit`)).body.description).toBe(long);
  const refused = await site.as(author).patch('/users/me', { description: 'x'.repeat(5_001) });
  expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['description']]);
  // What grows as it is cleaned can be sent back.
  const grown = await site.as(author).patch('/users/me', { description: '&'.repeat(5_000) });
  const again = await site.as(author).patch('/users/me', { description: grown.body.description });
  expect([again.status, again.body.description]).toEqual([200, grown.body.description]);
});

test('a term with a new name', async () => {
  await admin().post(`/categories/${category}`, { name: 'After' });
  expect((await embedded())['core:term'][0][0].name).toBe('After');
});

test('a picture with a new text, and one that is gone', async () => {
  await admin().post(`/media/${media}`, { alt_text: 'A red square' });
  expect((await embedded())['core:featuredmedia'][0].alt_text).toBe('A red square');
  await admin().delete(`/media/${media}?force=true`);
  expect((await embedded())['core:featuredmedia']).toBeUndefined();
});

test('comments that come, are answered, change and go', async () => {
  expect((await embedded()).replies).toBeUndefined();
  const { id } = await makeComment(site.deps.db, { post, date_gmt: '2024-01-03 03:04:05Z' });
  expect((await embedded()).replies[0]).toMatchObject([{ id }]);
  expect((await embedded()).replies[0][0]._links.children).toBeUndefined();
  const answer = await makeComment(site.deps.db, { post, parent: id, status: 'hold' });
  expect((await embedded()).replies[0][0]._links.children).toHaveLength(1);
  await admin().post(`/comments/${answer.id}`, { status: 'approved', content: 'Changed' });
  expect(
    (await embedded()).replies[0].map((row: { content: { rendered: string } }) => row.content.rendered),
  ).toContain('<p>Changed</p>\n');
  await admin().delete(`/comments/${answer.id}?force=true`);
  await admin().delete(`/comments/${id}?force=true`);
  expect((await embedded()).replies).toBeUndefined();
});

test('a post that gets a password hides its comments', async () => {
  await makeComment(site.deps.db, { post });
  expect((await embedded()).replies[0]).toHaveLength(1);
  await admin().post(`/posts/${post}`, { password: 'open sesame' });
  expect((await embedded()).replies).toMatchObject([{ code: 'rest_cannot_read_post' }]);
  await admin().post(`/posts/${post}`, { password: '' });
  expect((await embedded()).replies[0]).toHaveLength(1);
});

test('an excerpt from before those were bounded is cut where it is embedded; one that somebody wrote is whole', async () => {
  const letters = '日'.repeat(300_000);
  const excerptOf = async (fields: object): Promise<string> => {
    const parent = await makePost(site.deps.db, { type: 'page', ...fields });
    const page = await makePost(site.deps.db, { type: 'page', parent: parent.id });
    const { body } = await site.by('anonymous').get(`/pages/${page.id}?_embed=up`);
    return body._embedded.up[0].excerpt.rendered;
  };
  const whole = `<p>${letters}</p>\n`;
  expect(await excerptOf({ excerpt_html: whole })).toBe(`<p>${'日'.repeat(597)} [&hellip;]</p>\n`);
  const within = `<p>${'日'.repeat(595)}&#8217;${letters}</p>\n`;
  expect(await excerptOf({ excerpt_html: within })).toBe(`<p>${'日'.repeat(595)} [&hellip;]</p>\n`);
  expect(await excerptOf({ excerpt_raw: letters, excerpt_html: whole })).toBe(whole);
  const short = `<p>${'日'.repeat(5_000)}</p>\n`;
  expect(await excerptOf({ excerpt_html: short })).toBe(short);
});

test('a page embeds its parent as it is now', async () => {
  const parent = await makePost(site.deps.db, { type: 'page', slug: 'above', path: 'above' });
  const page = await makePost(site.deps.db, {
    type: 'page',
    slug: 'below',
    path: 'above/below',
    parent: parent.id,
  });
  const up = async () =>
    (await site.by('anonymous').get(`/pages?_embed&include=${page.id}`)).body[0]._embedded.up[0];
  expect((await up()).id).toBe(parent.id);
  await admin().post(`/pages/${parent.id}`, { title: 'Renamed' });
  expect((await up()).title.rendered).toBe('Renamed');
  await admin().post(`/pages/${parent.id}`, { status: 'draft' });
  expect(await up()).toMatchObject({ code: 'rest_forbidden', data: { status: 401 } });
});
