/** Moving a site in from its export: what arrives, what is left out and named, and that doing it again changes nothing. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { spool } from '@sevenfold/chassis/files/spool';
import { lockWaits, untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import { picture } from '../media/testing/pictures';
import { workOff } from '../posts/testing/work-off';
import { makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import type { ExportedRecord } from './exported';
import { importSite } from './import-site';
import { Report } from './report';
import { exportFile } from './source';
import { addressed, author, category, cdata, comment, exportOf, file, item } from './testing/export';

const terms = `<category domain="category" nicename="inner">${cdata('Inner')}</category><category domain="post_tag" nicename="quiet">${cdata('quiet')}</category>
  <category domain="post_format" nicename="post-format-aside">${cdata('Aside')}</category>`;

const head = [
  author,
  category(9, 'inner', 'outer', 'Inner'),
  category(8, 'outer', '', 'Outer'),
  `<wp:tag><wp:term_id>7</wp:term_id><wp:tag_slug>quiet</wp:tag_slug><wp:tag_name>${cdata('quiet')}</wp:tag_name></wp:tag>`,
  `<wp:term><wp:term_id>6</wp:term_id><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>top</wp:term_slug><wp:term_name>${cdata('Top')}</wp:term_name></wp:term>`,
].join('');

const everything = exportOf({
  head,
  items: [
    item({ id: 1, type: 'page', title: 'Below', slug: 'below', parent: 2 }),
    item({ id: 2, type: 'page', title: 'Above', slug: 'above' }),
    item({
      id: 3,
      type: 'post',
      title: 'With <em>everything</em>',
      content: 'One.\n\nTwo ]]> three.',
      meta: { _thumbnail_id: '5' },
      extra: terms + comment(11, 0) + comment(12, 11) + comment(13, 0, { approved: 'spam' }),
    }),
    item({ id: 4, type: 'post', status: 'draft', slug: '', title: 'Unfinished' }),
    file(5, 'https://files.old.example/2015/03/picture.jpg', { title: 'Picture' }),
    item({ id: 6, type: 'post', status: 'future', title: 'Long since due', date: '2016-01-01 00:00:00' }),
    item({ id: 7, type: 'nav_menu_item' }),
    item({ id: 8, type: 'post', status: 'auto-draft' }),
    item({ id: 9, type: 'post', title: 'Same slug', slug: 'slug-3' }),
  ],
});

let site: ContentSite;
let folder: string;
let first: Report;

const run = async (
  text: string,
  { isLive = false, rewriteLinks = false }: { isLive?: boolean; rewriteLinks?: boolean } = {},
): Promise<Report> => {
  const file = path.join(folder, 'export.xml');
  await writeFile(file, text);
  const report = new Report();
  await importSite(site.deps, { source: { ...exportFile(file), isLive }, report, rewriteLinks });
  return report;
};
const postBySlug = async (type: string, slug: string) =>
  (await site.by('administrator').get(`/${type}?slug=${slug}&context=edit&status=any`)).body[0];
const fileBySlug = async (slug: string) =>
  (await site.by('administrator').get(`/media?slug=${slug}&context=edit`)).body[0];

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
      .omissions()
      .map(({ reason }) => reason)
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

test('formats and network addresses that nothing here knows are left at the other site', async () => {
  const format = (name: string): string =>
    `<category domain="post_format" nicename="post-format-${name}">${cdata(name)}</category>`;
  const from = (id: number, address: string): string => comment(id, 0).replace('192.0.2.7', address);
  await run(
    exportOf({
      items: [
        item({
          id: 75_001,
          type: 'post',
          slug: 'of-a-theme',
          extra: format('review') + from(75_003, '198.51.100.4, 10.0.0.1') + from(75_005, 'unknown'),
        }),
      ],
    }),
  );
  const post = await postBySlug('posts', 'of-a-theme');
  expect(post.format).toBe('standard');
  const { body: comments } = await site
    .by('administrator')
    .get(`/comments?post=${post.id}&order=asc&orderby=id&context=edit`);
  expect(comments.map((one: { author_ip: string }) => one.author_ip)).toEqual(['198.51.100.4', '']);
  for (const [path, shown] of [
    [`/posts/${post.id}`, post],
    ...comments.map((one: { id: number }) => [`/comments/${one.id}`, one]),
  ] as const)
    expect((await site.by('administrator').put(path, shown)).status).toBe(200);
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

test('what strangers said, and what is said of pictures, is as clean as what is written here', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const notes = `a:3:{s:5:"width";i:4;s:6:"height";i:3;s:10:"image_meta";a:2:{s:7:"caption";s:40:"A ${hostile} sea, wide";s:8:"keywords";a:1:{i:0;s:31:"sea${hostile}";}}}`;
  await run(
    exportOf({
      address: addressed('https://strangers.example'),
      items: [
        item({
          id: 80_001,
          type: 'post',
          slug: 'strangers',
          extra: comment(80_002, 0, {
            author: `Eve ${hostile}`,
            url: 'https://eve.example/"onclick="x',
            content: '<a href="https://eve.example/">here</a>',
          }),
        }),
        file(80_003, 'https://strangers.example/sea.jpg', {
          meta: { _wp_attachment_metadata: notes, _wp_attachment_image_alt: `The ${hostile}sea` },
        }),
      ],
    }),
  );
  const { id } = await postBySlug('posts', 'strangers');
  const [said] = (await site.by('anonymous').get(`/comments?post=${id}`)).body;
  expect(said).toMatchObject({
    author_name: 'Eve',
    author_url: 'https://eve.example/onclick=x',
    content: { rendered: '<p><a href="https://eve.example/" rel="nofollow ugc">here</a></p>\n' },
  });
  const { body: picture } = await site.by('anonymous').get('/media/80003');
  expect(picture).toMatchObject({
    alt_text: 'The sea',
    media_details: { image_meta: { caption: 'A sea, wide', keywords: ['sea'] } },
  });
});

test('a category that changes on a site that lives on changes here, however long it is described', async () => {
  const text = path.join(folder, 'described.xml');
  await writeFile(text, exportOf({ address: addressed('https://described.example'), items: [] }));
  const exported = exportFile(text);
  const wordy = { kind: 'term', line: 0, taxonomy: 'category', slug: 'wordy', parentSlug: '' } as const;
  const bring = async (name: string, description: string): Promise<Report> => {
    async function* records(): AsyncGenerator<ExportedRecord> {
      yield* exported.records();
      yield { ...wordy, foreignId: '90001', name, description };
    }
    const report = new Report();
    await importSite(site.deps, { source: { ...exported, records, isLive: true }, report });
    return report;
  };
  const long = `<b>${'me &amp; '.repeat(2_000)}</b>`;
  await bring('Wordy', long);
  expect((await bring('Wordier', `${long}!`)).omissions()).toEqual([]);
  const [moved] = (await site.by('anonymous').get('/categories?slug=wordy')).body;
  expect(moved.name).toBe('Wordier');
  expect(moved.description).toMatch(/^<b>me &amp; .*<\/b>$/);
  expect(moved.description.length).toBeLessThanOrEqual(5_000);
});

test('a gallery shows pictures that come later in the export, also where an earlier run ended before', async () => {
  const address = addressed('https://galleries.example');
  const post = item({
    id: 70_001,
    type: 'post',
    slug: 'gallery',
    content: 'See [gallery ids="70003,70005"] and [gallery]',
  });
  const pictures = [
    file(70_003, 'https://galleries.example/a.jpg', { title: 'Named' }),
    file(70_005, 'https://galleries.example/b.jpg', { title: 'Attached', parent: 70_001 }),
  ];
  const shown = async (): Promise<string[]> => {
    const { content } = await postBySlug('posts', 'gallery');
    return [...content.rendered.matchAll(/<img [^>]*alt="([^"]*)"/g)].map(([, alt]) => alt);
  };
  await run(exportOf({ address, items: [post] }));
  expect(await shown()).toEqual([]);
  await run(exportOf({ address, items: [post, ...pictures] }));
  expect(await shown()).toEqual(['Named', 'Attached', 'Attached']);
  const modified = (await postBySlug('posts', 'gallery')).modified;
  await run(exportOf({ address, items: [post, ...pictures] }));
  expect((await postBySlug('posts', 'gallery')).modified).toBe(modified);
});

test('authors who say more about themselves than users may', async () => {
  const text = path.join(folder, 'wordy.xml');
  await writeFile(text, exportOf({ head: author, items: [] }));
  const exported = exportFile(text);
  const description = `<b>${'me &amp; '.repeat(2_000)}</b>`;
  const more = { slug: 'wordy', nickname: '', url: '', locale: '', description };
  async function* records() {
    for await (const record of exported.records())
      yield record.kind === 'author' ? { ...record, login: 'wordy', email: 'wordy@mail.test', more } : record;
  }
  const report = new Report();
  await importSite(site.deps, { source: { ...exported, records }, report });
  const [user] = (await site.by('administrator').get('/users?slug=wordy')).body;
  expect(user.description).toMatch(/^<b>me &amp; .*<\/b>$/);
  expect(user.description.length).toBeLessThanOrEqual(5_000);
});

test('who is named by what somebody logs in with here is that person', async () => {
  const { db } = site.deps;
  const mine = await makeUser(db, 'author', { username: 'mine', email: 'mine@mail.test' });
  const address = await makeUser(db, 'author', { username: 'address@mail.test' });
  const text = path.join(folder, 'persons.xml');
  const items = ['mine@mail.test', 'someone'].map((creator, at) =>
    item({ id: 901 + at, type: 'post', slug: `of-${at}`, creator }),
  );
  await writeFile(text, exportOf({ head: author, items }));
  const exported = exportFile(text);
  async function* records() {
    for await (const record of exported.records()) {
      if (record.kind !== 'author') yield record;
      else {
        yield { ...record, login: 'Mine@mail.test', email: 'else@mail.test' };
        yield { ...record, login: 'someone', email: 'address@mail.test', foreignId: '' };
      }
    }
  }
  const report = new Report();
  await importSite(site.deps, { source: { ...exported, records }, report });
  expect(report.omissions()).toEqual([]);
  expect((await postBySlug('posts', 'of-0')).author).toBe(mine.id);
  expect((await postBySlug('posts', 'of-1')).author).toBe(address.id);
});

test('what describes a file is rendered as where it is written here, also when its links are rewritten', async () => {
  const address = 'https://described-files.example';
  const content = `See <a href="${address}/described/">this</a> [gallery]`;
  const text = exportOf({
    address: addressed(address),
    items: [
      item({ id: 94_001, type: 'post', slug: 'described', link: `${address}/described/` }),
      file(94_003, `${address}/a.jpg`, { slug: 'described-file', content }),
    ],
  });
  const shown = async () => {
    const { caption, description } = await fileBySlug('described-file');
    return { caption, description: description.raw, isText: description.rendered.includes('[gallery]') };
  };
  const caption = { raw: '', rendered: '' };
  await run(text);
  expect(await shown()).toEqual({ caption, description: content, isText: true });
  expect((await run(text, { rewriteLinks: true })).done.get('links rewritten')).toBe(1);
  const description = expect.stringContaining('href="http://site.test/');
  expect(await shown()).toEqual({ caption, description, isText: true });
});

test('a category and a page that change places with those above them there do so here', async () => {
  const bring = async (
    pairs: Readonly<Record<'category' | 'page', readonly (readonly [number, number])[]>>,
    at: string,
  ) => {
    const text = path.join(folder, 'turned.xml');
    const pages = pairs.page.map(([id, parent]) =>
      item({ id, parent, type: 'page', title: at, slug: `turned-${id}` }),
    );
    await writeFile(text, exportOf({ address: addressed('https://turned.example'), items: pages }));
    const exported = exportFile(text);
    async function* records(): AsyncGenerator<ExportedRecord> {
      for (const [id, parent] of pairs.category)
        yield {
          ...{ kind: 'term', line: 0, taxonomy: 'category', description: '', parentSlug: '' },
          ...{ foreignId: String(id), parentId: String(parent), slug: `turned-${id}`, name: `Turned ${id}` },
        };
      for await (const record of exported.records())
        yield record.kind === 'item' ? { ...record, modified: at, modifiedGmt: at } : record;
    }
    await importSite(site.deps, { source: { ...exported, records, isLive: true }, report: new Report() });
  };
  const placesOf = async (route: string, ...some: readonly number[]): Promise<unknown[]> =>
    Promise.all(
      some.map(async (id) => {
        const { parent, link } = (await site.by('anonymous').get(`/${route}/${id}`)).body;
        return [parent, new URL(link).pathname];
      }),
    );
  const [first, second] = [96_101, 96_103];
  const straight = [
    [first, 0],
    [second, first],
  ] as const;
  const turned = [
    [first, second],
    [second, 0],
  ] as const;
  await bring({ category: straight, page: straight }, '2026-01-01 00:00:00');
  await bring({ category: turned, page: turned }, '2026-01-02 00:00:00');
  expect(await placesOf('categories', first, second)).toEqual([
    [second, `/category/turned-${second}/turned-${first}/`],
    [0, `/category/turned-${second}/`],
  ]);
  expect(await placesOf('pages', first, second)).toEqual([
    [second, `/turned-${second}/turned-${first}/`],
    [0, `/turned-${second}/`],
  ]);
  // What was changed here stays where it is: the other does not go below what is below itself.
  await site.by('administrator').post(`/pages/${first}`, { title: 'Ours' });
  await bring({ category: turned, page: straight }, '2026-01-03 00:00:00');
  expect(await placesOf('pages', first, second)).toEqual([
    [second, `/turned-${second}/turned-${first}/`],
    [0, `/turned-${second}/`],
  ]);
});

test('a post that was deleted here comes again with its comments, and a comment that was deleted alone does not', async () => {
  const text = exportOf({
    address: addressed('https://deleted-posts.example'),
    items: [
      item({ id: 96_201, type: 'post', extra: comment(96_201, 0) + comment(96_203, 96_201) }),
      item({ id: 96_205, type: 'post', extra: comment(96_205, 0) }),
    ],
  });
  const by = site.by('administrator');
  for (const isLive of [false, true]) {
    await run(text, { isLive });
    await by.delete('/posts/96201?force=true');
    await by.delete('/comments/96205?force=true');
    expect(Object.fromEntries((await run(text, { isLive })).created)).toEqual({ post: 1, comment: 2 });
    expect((await by.get('/comments/96203')).body).toMatchObject({ post: 96_201, parent: 96_201 });
    expect((await by.get('/comments/96205')).status).toBe(404);
  }
});

test.each([
  ['https://spelled.example', 'http://spelled.example/'],
  ['http://www.spelled-too.example', 'https://spelled-too.example'],
])('a site that moved in as %s is known as %s', async (before, after) => {
  const { host } = new URL(before);
  const text = (address: string): string =>
    exportOf({ address: addressed(address), items: [item({ id: 96_301, type: 'post', slug: host })] });
  await run(text(before));
  expect(Object.fromEntries((await run(text(after))).created)).toEqual({});
});

describe('two runs beside each other', () => {
  const term = { kind: 'term', line: 0, taxonomy: 'category', slug: 'beside', parentSlug: '' } as const;
  const person = { kind: 'author', line: 0, email: 'beside@elsewhere.example' } as const;
  const names = { login: 'beside', firstName: '', lastName: '' };
  test.each([
    ['category', (name: string) => ({ ...term, foreignId: '94001', name, description: '' })],
    ['user', (name: string) => ({ ...person, ...names, foreignId: '94002', displayName: name })],
  ] as const)('make a %s once, and what changes there is brought later', async (kind, recordOf) => {
    const { db } = site.deps;
    const text = path.join(folder, 'beside.xml');
    await writeFile(text, exportOf({ address: addressed('https://beside.example'), items: [] }));
    const exported = exportFile(text);
    const bring = async (name: string): Promise<Report> => {
      async function* records(): AsyncGenerator<ExportedRecord> {
        yield* exported.records();
        yield recordOf(name);
      }
      const report = new Report();
      await importSite(site.deps, { source: { ...exported, records, isLive: true }, report });
      return report;
    };
    let both: Promise<Report[]> | undefined;
    // Both have found nobody before either has noted what it made.
    await db.transaction(async (tx) => {
      await tx.run('lock table imported_objects in share row exclusive mode');
      both = Promise.all([bring('First'), bring('First')]);
      await until(async () => (await lockWaits(db)) >= 2);
    });
    const reports = (await both) as Report[];
    expect(reports.flatMap((report) => report.omissions())).toEqual([]);
    expect(reports.map(({ created }) => created.get(kind) ?? 0).sort()).toEqual([0, 1]);
    expect((await bring('Second')).updated.get(kind)).toBe(1);
  });

  test('bring a file once, and the one that comes late goes on', async () => {
    const address = 'https://beside-files.example';
    const text = path.join(folder, 'beside-files.xml');
    const items = [1, 2].map((n) => file(94_010 + n, `${address}/${n}.png`, { slug: `beside-${n}` }));
    await writeFile(text, exportOf({ address: addressed(address), items }));
    const bytes = await picture(40, 30);
    const bring = async (meanwhile: () => Promise<unknown>): Promise<Report> => {
      const report = new Report();
      const fetch = async (_url: string, to: string, known?: object) => {
        if (known !== undefined) return 'unchanged' as const;
        await meanwhile();
        const spooled = await spool(Readable.from([bytes]), to, 1024 * 1024);
        return { ...spooled, etag: '', lastModified: '' };
      };
      await importSite(site.deps, { source: exportFile(text), report, files: { kind: 'ask', fetch } });
      return report;
    };
    let other: Promise<Report> | undefined;
    const late = await bring(() => (other ??= bring(() => Promise.resolve())));
    expect((await other)?.done.get('files brought')).toBe(2);
    expect(late.omissions()).toMatchObject([{ kind: 'file', count: 2 }]);
    const { source_url: shown } = await fileBySlug('beside-1');
    expect(shown).toMatch(/^http:\/\/site\.test\//);
  });
});

test('a file that changes on a site that lives on is shown as it is by what was written here', async () => {
  const bring = (title: string): Promise<Report> =>
    run(
      exportOf({
        address: addressed('https://named.example'),
        items: [file(95_001, 'https://named.example/a.jpg', { slug: 'named', title })],
      }),
      { isLive: true },
    );
  await bring('First');
  const { id: named } = await fileBySlug('named');
  const { body: post } = await site
    .by('editor')
    .post('/posts', { title: 'Here', status: 'publish', content: `[gallery ids="${named}"]` });
  expect(post.content.rendered).toContain('alt="First"');
  await workOff(site.deps);
  await bring('Second');
  await workOff(site.deps);
  const { body } = await site.by('anonymous').get(`/posts/${post.id}`);
  expect(body.content.rendered).toContain('alt="Second"');
});

test('a comment that is edited while its links are rewritten keeps what was edited', async () => {
  const { db } = site.deps;
  const address = 'https://edited.example';
  const said = { content: `See <a href="${address}/edited/">this</a>` };
  const text = exportOf({
    address: addressed(address),
    items: [
      item({
        id: 96_001,
        type: 'post',
        slug: 'edited',
        link: `${address}/edited/`,
        extra: comment(96_002, 0, said),
      }),
    ],
  });
  await run(text);
  const { id: post } = await postBySlug('posts', 'edited');
  let rewriting: Promise<Report> | undefined;
  await db.transaction(async (tx) => {
    await tx.run(`update comments set content_raw = 'Now ' || content_raw where post = $1`, [post]);
    rewriting = run(text, { rewriteLinks: true });
    await untilLocked(db, '%comments%');
  });
  await rewriting;
  const row = await db.first<{ raw: string }>('select content_raw as raw from comments where post = $1', [
    post,
  ]);
  expect(row?.raw).toMatch(/^Now See <a href="http:\/\/site\.test\//);
});

describe('a file that comes before what it hangs on', () => {
  const seen = async (slug: string): Promise<boolean> => {
    const { body } = await site.by('anonymous').get(`/media?slug=${slug}`);
    return body.length === 1;
  };
  const statuses = ['publish', 'private', 'draft', 'future', 'trash'] as const;

  test.each(['page', 'made_events', 'product'])(
    'is nobody’s until that is here, and then whose that is: %s',
    async (type) => {
      const address = `https://waiting-${type}.example`;
      const text = path.join(folder, 'waiting.xml');
      const first = { page: 97_001, made_events: 98_001, product: 99_001 }[type] as number;
      const parents = statuses.map((status, n) =>
        item({ id: first + n, type, status, slug: `${type}-${status}`, date: '2090-01-01 00:00:00' }),
      );
      const files = statuses.map((status, n) =>
        file(first + 10 + n, `${address}/${status}.jpg`, {
          slug: `file-${type}-${status}`,
          parent: first + n,
        }),
      );
      const alone = file(first + 20, `${address}/own.jpg`, {
        slug: `file-${type}-own`,
        status: 'private',
        parent: first,
      });
      await writeFile(text, exportOf({ address: addressed(address), items: [...files, alone, ...parents] }));
      const exported = exportFile(text);
      const before: string[] = [];
      async function* records(): AsyncGenerator<ExportedRecord> {
        for await (const record of exported.records()) {
          yield record;
          // It has been written.
          if (record.kind === 'item' && record.type === 'attachment' && (await seen(record.slug)))
            before.push(record.slug);
        }
      }
      await importSite(site.deps, { source: { ...exported, records }, report: new Report() });
      expect(before).toEqual([]);
      for (const status of statuses)
        expect([status, await seen(`file-${type}-${status}`)]).toEqual([status, status === 'publish']);
      expect(await seen(`file-${type}-own`)).toBe(false);
    },
  );

  test('stays private where that never comes, is shown with it later, and keeps what somebody made of it', async () => {
    const address = addressed('https://orphans.example');
    const files = [1, 3].map((n) =>
      file(97_100 + n, `https://orphans.example/${n}.jpg`, { slug: `orphan-${n}`, parent: 97_110 }),
    );
    const report = await run(exportOf({ address, items: files }));
    expect(report.omissions().map(({ reason }) => reason)).toEqual([
      'its parent is not here; it is linked as soon as that moves in, and private until then',
    ]);
    expect([await seen('orphan-1'), await seen('orphan-3')]).toEqual([false, false]);
    const [mine] = (await site.by('editor').get('/media?slug=orphan-3&status=private')).body;
    await site.by('editor').post(`/media/${mine.id}`, { status: 'publish' });
    expect(await seen('orphan-3')).toBe(true);
    await run(exportOf({ address, items: [...files, item({ id: 97_110, type: 'post', slug: 'orphans' })] }));
    const { id } = await postBySlug('posts', 'orphans');
    for (const slug of ['orphan-1', 'orphan-3'])
      expect((await site.by('anonymous').get(`/media?slug=${slug}`)).body).toMatchObject([{ post: id }]);
    await site.by('editor').post(`/posts/${id}`, { status: 'private' });
    expect([await seen('orphan-1'), await seen('orphan-3')]).toEqual([false, false]);
  });

  test('is shown with what somebody hung it on here meanwhile', async () => {
    const address = addressed('https://hung.example');
    const files = [file(97_301, 'https://hung.example/a.jpg', { slug: 'hung', parent: 97_310 })];
    await run(exportOf({ address, items: files }));
    const ours = (await site.by('editor').post('/posts', { title: 'Ours', status: 'publish' })).body;
    const [hung] = (await site.by('editor').get('/media?slug=hung&status=private')).body;
    expect((await site.by('editor').post(`/media/${hung.id}`, { post: ours.id })).status).toBe(200);
    expect(await seen('hung')).toBe(false);
    await run(exportOf({ address, items: [...files, item({ id: 97_310, type: 'post', slug: 'theirs' })] }));
    expect((await site.by('anonymous').get('/media?slug=hung')).body).toMatchObject([{ post: ours.id }]);
    await site.by('editor').post(`/posts/${ours.id}`, { status: 'private' });
    expect(await seen('hung')).toBe(false);
  });

  test('stays private where somebody has deleted that here', async () => {
    const address = addressed('https://deleted.example');
    const post = item({ id: 97_201, type: 'post', slug: 'deleted' });
    await run(exportOf({ address, items: [post] }));
    const { id } = await postBySlug('posts', 'deleted');
    await site.by('editor').delete(`/posts/${id}?force=true`);
    const url = 'https://deleted.example/a.jpg';
    await run(exportOf({ address, items: [file(97_203, url, { slug: 'of-deleted', parent: 97_201 })] }));
    expect(await seen('of-deleted')).toBe(false);
  });
});
