import type { Actor } from '@sevenfold/chassis/actor';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import { type PostServiceServer, PostServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import { makePost, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let content: Remote<PostServiceServer>;
let reader: Remote<PostServiceServer>;

const connect = (caller: string): Remote<PostServiceServer> =>
  site.dial<PostServiceServer>(PostServiceService, caller);

beforeAll(async () => {
  site = await startContent();
  content = connect('seo');
  reader = connect('oembed');
});
afterAll(async () => {
  content.close();
  reader.close();
  await site.stop();
});

const found = async (url: string): Promise<number | undefined> =>
  (await content.findPostByUrl({ url })).post?.id;

test('getPosts answers those that exist, with author and address', async () => {
  const author = await makeUser(site.deps.db, 'author', { name: 'Ann', slug: 'ann' });
  const { id } = await makePost(site.deps.db, {
    author: author.id,
    slug: 'told',
    path: '2024/01/02/told',
    password: 'x',
  });
  const { posts } = await content.getPosts({ ids: [id, 999999] });
  expect(posts).toEqual([
    expect.objectContaining({
      id,
      type: 'post',
      link: 'http://site.test/2024/01/02/told/',
      authorName: 'Ann',
      authorLink: 'http://site.test/author/ann/',
      dateGmt: '2024-01-02T03:04:05',
      hasPassword: true,
    }),
  ]);
});

test('long texts are read a few at a time, as whoever asks for them takes them', async () => {
  const { db } = site.deps;
  const ids: number[] = [];
  for (let n = 0; n < 60; n++) ids.push((await makePost(db)).id);
  await db.run(`update posts set content_html = repeat('“x', 250000) where id = any($1::bigint[])`, [ids]);
  const seen: string[] = [];
  for await (const { content: text } of content.streamPosts({
    afterId: 0,
    types: [],
    statuses: [],
    limit: 0,
    ids,
  })) {
    // The last is not read yet.
    if (seen.length === 0)
      await db.run(`update posts set content_html = 'By now' where id = $1`, [ids.at(-1)]);
    seen.push(text.slice(0, 6));
  }
  expect(seen).toEqual([...Array<string>(59).fill('“x“x“x'), 'By now']);
});

test('permalinks of posts, pages and attachments are found, however they are spelled', async () => {
  const post = await site
    .by('editor')
    .post('/posts', { title: 'Über', status: 'publish', date: '2024-03-04T05:06:07' });
  const page = await site.by('editor').post('/pages', { title: 'Über', status: 'publish' });
  const below = await site
    .by('editor')
    .post('/pages', { title: '日本', status: 'publish', parent: page.body.id });
  const attachment = await makePost(site.deps.db, {
    type: 'attachment',
    status: 'inherit',
    slug: 'pic',
    path: '2024/03/04/uber/pic',
    parent: post.body.id,
  });
  expect(await found('http://site.test/2024/03/04/uber/')).toBe(post.body.id);
  expect(await found('https://site.test/2024/03/04/uber?utm=1#comments')).toBe(post.body.id);
  expect(await found('http://site.test/uber')).toBe(page.body.id);
  expect(await found(below.body.link)).toBe(below.body.id);
  expect(await found(decodeURI(below.body.link))).toBe(below.body.id);
  expect(await found('http://site.test/2024/03/04/uber/pic/')).toBe(attachment.id);
});

test('everything else is no permalink', async () => {
  const draft = await site.by('editor').post('/posts', { title: 'x', slug: 'a-draft' });
  for (const url of [
    'http://site.test/',
    'http://site.test/?p=1',
    'http://other.test/uber/',
    'http://site.test/nothing/',
    'http://site.test/a-draft/',
    `http://site.test/?p=${draft.body.id}`,
    'garbage',
    '',
    'javascript:alert(1)',
    'http://site.test/%ff%fe',
  ])
    expect(await found(url)).toBeUndefined();
});

test('streamPosts goes through everything after an id, by type and status', async () => {
  const { id: after } = await makePost(site.deps.db);
  const ids: number[] = [];
  for (let index = 0; index < 3; index++) ids.push((await makePost(site.deps.db)).id);
  await makePost(site.deps.db, { status: 'draft' });
  const seen: number[] = [];
  const asked = { afterId: after, types: ['post'], statuses: ['publish'], limit: 0, ids: [] };
  for await (const post of content.streamPosts(asked)) seen.push(post.id);
  expect(seen).toEqual(ids);
  const two: number[] = [];
  for await (const { id } of content.streamPosts({ ...asked, limit: 2 })) two.push(id);
  expect(two).toEqual(ids.slice(0, 2));
  const named: number[] = [];
  for await (const { id } of content.streamPosts({ ...asked, ids: [ids[2]!, after] })) named.push(id);
  expect(named).toEqual([ids[2]]);
});

test('of a text that is larger than a message no more is told than somebody looks at', async () => {
  const { db } = site.deps;
  const long = await makePost(db, { slug: 'long', path: 'long', author: site.users.author.id });
  await db.run(
    `update posts set content_html = repeat('x', 20 * 1024 * 1024), excerpt_html = repeat('y', 20 * 1024 * 1024) where id = $1`,
    [long.id],
  );
  const next = await makePost(db);
  const lengths: number[][] = [];
  const asked = { afterId: long.id - 1, types: [], statuses: [], limit: 0, ids: [] };
  for await (const { id, content: text, excerpt } of content.streamPosts(asked))
    lengths.push([id, text.length, excerpt.length]);
  expect(lengths).toEqual([
    [long.id, 1_000_001, 20_001],
    [next.id, expect.any(Number), expect.any(Number)],
  ]);
  const { posts } = await content.getPosts({ ids: [long.id, next.id] });
  expect(posts.map(({ id }) => id)).toEqual([long.id, next.id]);
  expect(await found('http://site.test/long/')).toBe(long.id);
  expect((await reader.findPostBySlug({ slug: 'long', type: 'post' })).post?.id).toBe(long.id);
});

test('versions tell which rows are others than before, those of files whichever part of them changed', async () => {
  const { db } = site.deps;
  const post = await makePost(db);
  const file = await makePost(db, { type: 'attachment', status: 'inherit' });
  await db.run(
    `insert into media (post_id, file, mime_type, filesize) values ($1, 'a.png', 'image/png', 1)`,
    [file.id],
  );
  const list = async (limit = 0) => {
    const { ids, versions } = await content.listPostVersions({ afterId: post.id - 1, limit });
    return new Map(ids.map((id, index) => [id, versions[index]]));
  };
  const before = await list();
  expect([...before.keys()]).toEqual([post.id, file.id]);
  expect([...(await list(1)).keys()]).toEqual([post.id]);
  await db.run(`update media set alt_text = 'A' where post_id = $1`, [file.id]);
  const after = await list();
  expect(after.get(post.id)).toBe(before.get(post.id));
  expect(after.get(file.id)).not.toBe(before.get(file.id));
  const { posts } = await content.getPosts({ ids: [file.id] });
  expect(posts).toMatchObject([{ version: after.get(file.id), public: true }]);
});

test('findPostBySlug knows the types apart', async () => {
  const { id } = await makePost(site.deps.db, { slug: 'by-slug' });
  expect((await content.findPostBySlug({ slug: 'by-slug', type: 'post' })).post?.id).toBe(id);
  expect((await content.findPostBySlug({ slug: 'by-slug', type: 'page' })).post).toBeUndefined();
});

describe('a service that shows posts', () => {
  const seen = async (ids: number[], actor?: Actor): Promise<number[]> =>
    (await reader.getPosts({ ids }, { actor })).posts.map(({ id }) => id);

  test('gets what the actor of its call may read', async () => {
    const { id: author } = site.users.author;
    const shown = await makePost(site.deps.db, { author });
    const draft = await makePost(site.deps.db, { author, status: 'draft', slug: 'kept-back' });
    const attach = (parent: number) =>
      makePost(site.deps.db, { type: 'attachment', status: 'inherit', author, parent });
    const shownPicture = await attach(shown.id);
    const draftPicture = await attach(draft.id);
    const ids = [shown.id, draft.id, shownPicture.id, draftPicture.id];
    expect(await seen(ids)).toEqual([shown.id, shownPicture.id]);
    expect(await seen(ids, site.users.subscriber)).toEqual([shown.id, shownPicture.id]);
    expect(await seen(ids, site.users.author)).toEqual(ids);
    expect(await seen(ids, site.users.editor)).toEqual(ids);
    expect((await reader.findPostBySlug({ slug: 'kept-back', type: 'post' })).post).toBeUndefined();
  });

  test('gets no text that a password protects, unless the actor may edit it', async () => {
    const { id } = await makePost(site.deps.db, {
      author: site.users.author.id,
      password: 'x',
      content_html: '<p>Secret</p>',
      excerpt_html: '<p>Secret</p>',
    });
    const text = async (actor?: Actor) => {
      const { posts } = await reader.getPosts({ ids: [id] }, { actor });
      return posts.map(({ content: body, excerpt }) => [body, excerpt]);
    };
    expect(await text()).toEqual([['', '']]);
    expect(await text(site.users.subscriber)).toEqual([['', '']]);
    expect(await text(site.users.editor)).toEqual([['<p>Secret</p>', '<p>Secret</p>']]);
  });
});
