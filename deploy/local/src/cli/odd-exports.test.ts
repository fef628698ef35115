/**
 * Exports as they are found in the world, through the command: each ends with 0 and a true summary, or with 1, the file, the
 * line and what was done.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import {
  addressed,
  author,
  category,
  comment,
  exportOf,
  file,
  item,
} from '@sevenfold/content/site-import/testing/export';
import { moveIn } from './testing/move-in';

let site: CalendarSite;
let folder: string;
let name: string;
beforeAll(async () => {
  site = await startCalendar();
  folder = await mkdtemp(path.join(tmpdir(), 'odd-'));
  name = path.join(folder, 'export.xml');
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true });
});

/** Each export is of a site of its own, with numbers of its own. */
let next = 0;
const start = (): number => (next += 1_000);
const of = (n: number): string => addressed(`https://old-${n}.example`);

const run = async (bytes: string | Uint8Array, ...args: readonly string[]) => {
  await writeFile(name, bytes);
  const { code, stdout, stderr } = await moveIn(site, name, '--json', ...args);
  const summary = JSON.parse(stdout) as {
    created: Record<string, number>;
    known: Record<string, number>;
    done: Record<string, number>;
    skipped: { kind: string; reason: string; count: number; examples: { title: string; line: number }[] }[];
  };
  return { code, stderr, summary };
};
/** That ends with 0 and says nothing but the summary. */
const runWell = async (bytes: string | Uint8Array, ...args: readonly string[]) => {
  const { code, stderr, summary } = await run(bytes, ...args);
  expect([code, stderr]).toEqual([0, '']);
  return summary;
};
const as = (place: string) => site.content.by('administrator').get(place);
const titleOf = async (id: number) => (await as(`/posts/${id}?context=edit`)).body.title?.raw;

test('bad addresses of files are left out with title, line and reason, and those that can be read are kept', async () => {
  const n = start();
  const bad = [
    'http://[bad',
    'no address',
    'javascript:alert(1)',
    '',
    `https://x.example/${'a'.repeat(3_000)}.jpg`,
  ];
  const { created, skipped } = await runWell(
    exportOf({
      address: of(n),
      items: [
        ...bad.map((url, index) => file(n + index, url, { title: `Bad ${index}` })),
        file(n + 10, '/uploads/a b.jpg'),
        file(n + 11, '//cdn.example/c.png'),
      ],
    }),
  );
  expect(created).toMatchObject({ attachment: 2 });
  expect(skipped).toMatchObject([
    { kind: 'attachment', reason: 'the address of the file is none', count: 3 },
    { reason: 'the attachment names no file', examples: [{ title: 'Bad 3', line: expect.any(Number) }] },
    { reason: 'the address of the file is too long', examples: [{ title: 'Bad 4' }] },
  ]);
  expect((await as(`/media/${n + 10}`)).body.source_url).toBe(`https://old-${n}.example/uploads/a%20b.jpg`);
  expect((await as(`/media/${n + 11}`)).body).toMatchObject({ source_url: 'https://cdn.example/c.png' });
});

test('authors whom nobody describes are made by their names, and WXR 1.0 keeps its tags', async () => {
  const n = start();
  const old = exportOf({
    version: '1.0',
    address: of(n),
    head: '',
    items: [
      item({
        id: n,
        type: 'post',
        creator: 'Old Hand',
        extra:
          '<category><![CDATA[Field notes]]></category><category domain="tag"><![CDATA[Moss]]></category><category domain="tag" nicename="moss"><![CDATA[Moss]]></category>',
      }),
      item({ id: n + 1, type: 'post', creator: '' }),
    ],
  });
  expect((await runWell(old)).created).toEqual({ user: 1, category: 1, post_tag: 1, post: 2 });
  const { body } = await as(`/posts/${n}?_embed=author,core:term`);
  expect(body._embedded.author).toMatchObject([{ name: 'Old Hand' }]);
  expect(body._embedded['core:term'].flat()).toMatchObject([
    { taxonomy: 'category', slug: 'field-notes' },
    { taxonomy: 'post_tag', slug: 'moss' },
  ]);
});

test('two sites that name no address are two', async () => {
  const n = start();
  const nameless = (id: number, title: string): string =>
    exportOf({ address: '', items: [item({ id, type: 'post', title, slug: `nameless-${id}-${title}` })] });
  await runWell(nameless(n, 'One'));
  expect(await runWell(nameless(n, 'Two'))).toMatchObject({ created: { post: 1 } });
  expect((await runWell(nameless(n, 'One'))).known).toMatchObject({ post: 1 });
  expect(await titleOf(n)).toBe('One');
});

test('a site whose address is told with the command is the same however that is spelled', async () => {
  const n = start();
  const text = exportOf({ address: '', items: [item({ id: n, type: 'post', slug: `told-${n}` })] });
  await runWell(text, '--site', `https://told-${n}.example`);
  for (const address of [`https://told-${n}.example/`, `http://Told-${n}.example`])
    expect((await runWell(text, '--site', address)).created).toEqual({});
});

test.each([
  ['1.1', 'UTF-8', (text: string) => text],
  ['1.2, packed', 'UTF-8', (text: string) => gzipSync(text)],
  ['Latin-1', 'ISO-8859-1', (text: string) => Buffer.from(text, 'latin1')],
  ['Latin-1 that says nothing of it', 'UTF-8', (text: string) => Buffer.from(text, 'latin1')],
])('%s', async (_version, encoding, bytes) => {
  const n = start();
  const items = [item({ id: n, type: 'post', title: 'Grüße aus Köln', content: 'Straße é' })];
  await runWell(bytes(exportOf({ address: of(n), encoding, items })));
  const { body } = await as(`/posts/${n}?context=edit`);
  expect([body.title.raw, body.content.raw]).toEqual(['Grüße aus Köln', 'Straße é']);
});

test('control characters and entities that XML does not know', async () => {
  const n = start();
  const text = exportOf({
    address: of(n),
    items: [item({ id: n, type: 'post', title: 'A\u0008B', content: 'x' })],
  });
  const { done } = await runWell(text.replace('<![CDATA[x]]>', 'a&nbsp;b &amp;amp; c &hellip; <b>d</b> & e'));
  expect(done).toEqual({ 'control characters left out': 1 });
  const { body } = await as(`/posts/${n}?context=edit`);
  expect([body.title.raw, body.content.raw]).toEqual(['AB', 'a\u00a0b &amp; c … <b>d</b> & e']);
});

test('four scripts, blocks and shortcodes arrive as they are', async () => {
  const n = start();
  const content =
    '<!-- wp:paragraph {"a":"b"} -->\n<p>Москва 東京 دبي मुंबई</p>\n<!-- /wp:paragraph -->\n\n[odd id="1"]inside[/odd] [[escaped]]';
  const items = [item({ id: n, type: 'post', title: 'Москва 東京 دبي मुंबई', slug: '', content })];
  await runWell(exportOf({ address: of(n), items }));
  const { body } = await as(`/posts/${n}?context=edit`);
  expect([body.title.raw, body.content.raw]).toEqual(['Москва 東京 دبي मुंबई', content]);
  expect(body.content.rendered).toContain('<p>Москва 東京 دبي मुंबई</p>');
  expect(decodeURIComponent(body.slug)).toContain('москва-東京');
});

test('a file that is cut off ends with 1, file and line; what came before it is here, and its links are set', async () => {
  const n = start();
  const whole = exportOf({
    address: of(n),
    items: [
      item({ id: n, type: 'page', slug: 'below', parent: n + 1 }),
      item({ id: n + 1, type: 'page', slug: 'above' }),
      item({ id: n + 2, type: 'page', slug: 'lost' }),
    ],
  });
  const { code, stderr, summary } = await run(whole.slice(0, whole.lastIndexOf('<wp:post_id>')));
  const line = whole.slice(0, whole.lastIndexOf('<wp:post_id>')).split('\n').length;
  expect([code, stderr]).toEqual([
    1,
    `error: ${name} ends in the middle, at line ${line}. What came before is here.\n`,
  ]);
  expect(summary.created).toEqual({ page: 2 });
  expect((await as(`/pages/${n}`)).body).toMatchObject({
    parent: n + 1,
    link: 'http://site.test/above/below/',
  });
  expect((await runWell(whole)).created).toEqual({ page: 1 });
});

test('what is no export ends with 1 before anything is done', async () => {
  const { code, stderr, summary } = await run('<rss version="2.0"><channel><title>x</title></channel></rss>');
  expect([code, stderr]).toEqual([1, `error: ${name} is not a site export: it has no wp:wxr_version.\n`]);
  expect(summary).toMatchObject({ created: {}, skipped: [] });
});

test('six megabytes in one post', async () => {
  const n = start();
  const content = 'word '.repeat(1_200_000);
  await runWell(exportOf({ address: of(n), items: [item({ id: n, type: 'post', content })] }));
  const row = await site.content.deps.db.first<{ n: number }>(
    'select length(content_raw) as n from posts where id = $1',
    [n],
  );
  expect(row?.n).toBe(content.length);
});

test('thirty levels of replies, told backwards', async () => {
  const n = start();
  const thread = Array.from({ length: 30 }, (_, level) =>
    comment(n + level, level === 0 ? 0 : n + level - 1),
  );
  const circle = comment(n + 40, n + 41) + comment(n + 41, n + 40);
  await runWell(
    exportOf({
      address: of(n),
      items: [item({ id: n, type: 'post', extra: thread.reverse().join('') + circle })],
    }),
  );
  const rows = await site.content.deps.db.rows<{ id: number; parent: number }>(
    'select id, parent from comments where post = $1 and id < $1 + 40 order by id',
    [n],
  );
  expect(rows).toEqual(
    Array.from({ length: 30 }, (_, level) => ({ id: n + level, parent: level === 0 ? 0 : n + level - 1 })),
  );
});

test('trashed twins, and what a post and its comments were before the trash', async () => {
  const n = start();
  const twin = (id: number): string =>
    item({
      id,
      type: 'post',
      status: 'trash',
      slug: 'twin',
      meta: {
        _wp_trash_meta_status: 'publish',
        _wp_trash_meta_comments_status: `a:1:{i:${id};s:1:"1";}`,
      },
      extra: comment(id, 0, { approved: 'post-trashed' }) + comment(id + 100, 0),
    });
  const { created } = await runWell(
    exportOf({
      address: of(n),
      items: [twin(n), twin(n + 1), item({ id: n + 2, type: 'post', slug: 'twin' })],
    }),
  );
  expect(created).toMatchObject({ post: 3, comment: 4 });
  expect((await as(`/posts/${n + 2}`)).body.slug).toBe('twin');
  const slugs = await site.content.deps.db.rows(
    `select slug, status_before_trash as before from posts where id in ($1, $2) order by id`,
    [n, n + 1],
  );
  expect(slugs).toEqual([
    { slug: 'twin__trashed', before: 'publish' },
    { slug: 'twin__trashed-2', before: 'publish' },
  ]);
  const comments = await site.content.deps.db.rows(
    'select distinct status, status_before from comments where post in ($1, $2)',
    [n, n + 1],
  );
  expect(comments).toEqual([{ status: 'post-trashed', status_before: 'approved' }]);
});

test('a comment is a user’s only by the number of one who moved in', async () => {
  const n = start();
  const local = site.content.users.editor;
  const email = (await as(`/users/${local.id}?context=edit`)).body.email;
  await runWell(
    exportOf({
      address: of(n),
      items: [
        item({
          id: n,
          type: 'post',
          extra:
            comment(n, 0, { email }) + comment(n + 1, 0, { user: 5 }) + comment(n + 2, 0, { user: local.id }),
        }),
      ],
    }),
  );
  const iris = (await as(`/posts/${n}`)).body.author;
  const { body } = await as(`/comments?post=${n}&orderby=id&order=asc&context=edit`);
  expect(body.map((one: { author: number }) => one.author)).toEqual([0, iris, 0]);
});

test('what cannot be stored fails alone, and menus and revisions are told by kind', async () => {
  const n = start();
  const { created, skipped } = await runWell(
    exportOf({
      address: of(n),
      head: author + category(n, 'c'.repeat(500), '', 'd'.repeat(500)),
      items: [
        item({ id: n, type: 'post', date: '99999-99-99 00:00:00', title: 'No date' }),
        item({ id: n + 1, type: 'nav_menu_item' }),
        item({ id: n + 2, type: 'nav_menu_item' }),
        item({ id: n + 3, type: 'revision', status: 'inherit' }),
        item({ id: n + 4, type: 'post', status: 'auto-draft' }),
        item({ id: n + 5, type: 'post', extra: comment(n, 0, { content: ' ' }) }),
        item({ id: '', type: 'post', title: 'No number' }),
        item({ id: '99999999999999999999', type: 'post', title: 'Too large a number', slug: `large-${n}` }),
      ],
    }),
  );
  expect(created).toMatchObject({ category: 1, post: 4 });
  expect(skipped.map(({ kind, count, reason }) => `${count} ${kind}: ${reason}`).sort()).toEqual([
    '1 comment: the comment has no text',
    '1 post: items with the status auto-draft are not moved',
    '1 revision: this interface has no objects of the type revision',
    '2 nav_menu_item: this interface has no objects of the type nav_menu_item',
  ]);
});
