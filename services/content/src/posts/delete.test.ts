import type { Db } from '@sevenfold/chassis/db/sql';
import { doAll } from '@sevenfold/chassis/queue/pieces';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { uniqueSlug } from '@sevenfold/publishing/slugs';
import { removeLocked } from '../comments/actions';
import * as comments from '../comments/store';
import { makeMedia } from '../media/testing/factories';
import { makeComment, makePost, makeTerm } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { whileHeld } from '../testing/while-held';
import { leaving } from './actions';
import { lockPageTree } from './page-tree';
import { spaceOf } from './slugs';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const publish = async (body: object, base = 'posts'): Promise<{ id: number; slug: string; link: string }> =>
  (await site.by('editor').post(`/${base}`, { status: 'publish', ...body })).body;
const ownCount = async (id: number): Promise<number> =>
  (await site.deps.db.first<{ own_count: number }>('select own_count from terms where id = $1', [id]))
    ?.own_count ?? -1;

describe('DELETE /posts/<id>', () => {
  test('moves to the trash: suffix on the slug, link by id, comments with it; again is 410', async () => {
    const term = await makeTerm(site.deps.db);
    const { id } = await publish({ title: 'Bin', categories: [term.id] });
    const comment = await makeComment(site.deps.db, { post: id });
    const answer = await site.by('editor').delete(`/posts/${id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        status: 'trash',
        slug: 'bin__trashed',
        link: `http://site.test/?p=${id}`,
        title: { raw: 'Bin' },
      },
    });
    expect(await ownCount(term.id)).toBe(0);
    expect(await site.deps.db.first('select status from comments where id = $1', [comment.id])).toEqual({
      status: 'post-trashed',
    });
    expect(await site.by('editor').delete(`/posts/${id}`)).toMatchObject({
      status: 410,
      body: { code: 'rest_already_trashed', data: { status: 410 } },
    });
    expect((await site.by('anonymous').get(`/posts/${id}`)).status).toBe(401);
  });

  test('the slug is free for others, and the trashed post stays trashed until another status is written', async () => {
    const { id } = await publish({ title: 'Freed' });
    await site.by('editor').delete(`/posts/${id}`);
    expect((await publish({ title: 'Freed' })).slug).toBe('freed');
    const edited = await site.by('editor').post(`/posts/${id}`, { content: 'still there' });
    expect(edited.body).toMatchObject({
      status: 'trash',
      slug: 'freed__trashed',
      content: { raw: 'still there' },
    });
    const restored = await site.by('editor').post(`/posts/${id}`, { status: 'draft' });
    expect(restored.body).toMatchObject({ status: 'draft', slug: 'freed-2' });
  });

  test('restoring gives the old slug back, although two of one name were in the trash', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 2; index++) {
      const { id } = await publish({ title: 'Pair' });
      await site.by('editor').delete(`/posts/${id}`);
      ids.push(id);
    }
    const last = await site.by('editor').post(`/posts/${ids[1]}`, { status: 'publish' });
    expect(last.body).toMatchObject({ slug: 'pair', link: expect.stringMatching(/\/pair\/$/) });
    expect((await site.by('editor').post(`/posts/${ids[0]}`, { status: 'publish' })).body.slug).toBe(
      'pair-2',
    );
  });

  test.each([
    ['200 letters', 'a'.repeat(200)],
    ['22 letters of another script', '日'.repeat(22)],
  ])('a slug of %s comes back whole, although two of one name were in the trash', async (_what, title) => {
    const ids: number[] = [];
    let whole = '';
    for (const mark of ['__trashed', '__trashed-2']) {
      const { id, slug } = await publish({ title });
      whole = slug;
      const trashed = (await site.by('editor').delete(`/posts/${id}`)).body;
      expect(trashed.slug).toBe(`${slug}${mark}`);
      // What a client was shown is found, and may be sent back.
      const found = await site
        .by('editor')
        .get(`/posts?status=trash&slug=${encodeURIComponent(trashed.slug)}`);
      expect(found.body).toMatchObject([{ id }]);
      expect((await site.by('editor').post(`/posts/${id}`, { slug: trashed.slug })).body.slug).toBe(
        trashed.slug,
      );
      ids.push(id);
    }
    const restore = async (id: number): Promise<string> =>
      (await site.by('editor').post(`/posts/${id}`, { status: 'publish' })).body.slug;
    expect(await restore(ids[1]!)).toBe(whole);
    await site.by('editor').delete(`/posts/${ids[1]}?force=true`);
    expect(await restore(ids[0]!)).toBe(whole);
  });

  test('what the version before cut is restored as it is', async () => {
    const { id } = await makePost(site.deps.db, {
      ...{ status: 'trash', status_before_trash: 'publish', slug: `${'b'.repeat(191)}__trashed` },
    });
    expect((await site.by('editor').post(`/posts/${id}`, { status: 'publish' })).body.slug).toBe(
      'b'.repeat(191),
    );
  });

  test('drafts without slug have the mark alone in the trash, and none again outside', async () => {
    for (const mark of ['__trashed', '__trashed-2']) {
      const { id } = (await site.by('editor').post('/posts', { title: 'Nameless' })).body;
      expect((await site.by('editor').delete(`/posts/${id}`)).body.slug).toBe(mark);
      if (mark === '__trashed') continue;
      expect((await site.by('editor').post(`/posts/${id}`, { status: 'draft' })).body.slug).toBe('');
    }
  });

  test('a slug that is given in the trash keeps its mark there, and loses it outside', async () => {
    const { id } = await publish({ title: 'Thrown' });
    await site.by('editor').delete(`/posts/${id}`);
    expect((await site.by('editor').post(`/posts/${id}`, { slug: 'picked' })).body.slug).toBe(
      'picked__trashed',
    );
    expect((await publish({ title: 'x', slug: 'picked' })).slug).toBe('picked');
    expect((await site.by('editor').post(`/posts/${id}`, { status: 'draft' })).body.slug).toBe('picked-2');
  });

  test('answers below other posts to what goes with it move up to what is left', async () => {
    const { db } = site.deps;
    const [left, gone] = [await publish({ title: 'Left' }), await publish({ title: 'Gone' })];
    const say = async (post: { id: number }, parent = 0): Promise<number> =>
      (await makeComment(db, { post: post.id, parent })).id;
    const top = await say(left);
    const below = await say(gone, await say(gone, top));
    const [moved, alone] = [await say(left, below), await say(left, await say(gone))];
    const shown = async (id: number) => (await site.by('anonymous').get(`/comments/${id}`)).body;
    expect(await shown(moved)).toMatchObject({ parent: below });
    expect((await site.by('editor').delete(`/posts/${gone.id}?force=true`)).status).toBe(200);
    expect(await shown(moved)).toMatchObject({ parent: top });
    expect(await shown(alone)).toMatchObject({ parent: 0 });
    expect((await shown(alone))._links['in-reply-to']).toBeUndefined();
    const roots = await site.by('anonymous').get(`/comments?post=${left.id}&parent=0&orderby=id&order=asc`);
    expect(roots.body.map(({ id }: { id: number }) => id)).toEqual([top, alone]);
  });

  test('so do those to an answer there that is deleted at the same time', async () => {
    const { db } = site.deps;
    const [left, gone] = [await publish({ title: 'Stays' }), await publish({ title: 'Goes' })];
    const top = await makeComment(db, { post: gone.id });
    const middle = await makeComment(db, { post: left.id, parent: top.id });
    const low = await makeComment(db, { post: left.id, parent: middle.id });
    let deleted: Promise<{ status: number }> | undefined;
    await db.transaction(async (tx) => {
      const answer = await comments.lockById(tx, middle.id, [left.id]);
      deleted = site.by('editor').delete(`/posts/${gone.id}?force=true`);
      await untilLocked(db, '%update comments set parent%');
      await removeLocked(tx, answer!);
    });
    expect((await deleted)?.status).toBe(200);
    expect((await site.by('editor').get(`/comments/${low.id}`)).body.parent).toBe(0);
  });

  test('force deletes for good, with comments and revisions, and answers what there was', async () => {
    const term = await makeTerm(site.deps.db, { taxonomy: 'post_tag' });
    const { id } = await publish({ title: 'Gone', tags: [term.id] });
    await site.by('editor').post(`/posts/${id}`, { title: 'Gone 2' });
    const comment = await makeComment(site.deps.db, { post: id });
    const answer = await site.by('editor').delete(`/posts/${id}?force=true`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      deleted: true,
      previous: expect.objectContaining({ id, status: 'publish' }),
    });
    expect(answer.body.previous).toMatchObject({ title: { raw: 'Gone 2' }, slug: 'gone', password: '' });
    expect(answer.body.previous).not.toHaveProperty('_links');
    expect((await site.by('editor').get(`/posts/${id}`)).status).toBe(404);
    expect((await site.by('editor').delete(`/posts/${id}?force=true`)).status).toBe(404);
    expect(await ownCount(term.id)).toBe(0);
    expect(await site.deps.db.first('select 1 from comments where id = $1', [comment.id])).toBeUndefined();
    expect(await site.deps.db.first('select 1 from revisions where parent = $1', [id])).toBeUndefined();
    const event = await site.deps.db.first<{ payload: object }>(
      `select payload from outbox where channel = 'content.post.deleted' and (payload->>'id')::bigint = $1`,
      [id],
    );
    expect(event?.payload).toEqual({ id, type: 'post', status: 'publish' });
  });

  test('force works from the body and on what is in the trash; a bad one is 400', async () => {
    const { id } = await publish({ title: 'Body' });
    expect((await site.by('editor').delete(`/posts/${id}?force=perhaps`)).status).toBe(400);
    await site.by('editor').delete(`/posts/${id}`);
    const answer = await site.by('editor').request('DELETE', `/posts/${id}`, { body: { force: true } });
    expect(answer.body).toMatchObject({ deleted: true, previous: { status: 'trash' } });
  });

  test.each([
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 403],
    ['author', 403],
    ['editor', 200],
    ['administrator', 200],
  ] as const)('%s and the post of another: %i', async (role, status) => {
    const { id } = await makePost(site.deps.db);
    const answer = await site.by(role).delete(`/posts/${id}`);
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.body.code).toBe('rest_cannot_delete');
  });

  test('a contributor deletes his draft, not what was published of his', async () => {
    const author = site.users.contributor.id;
    const draft = await makePost(site.deps.db, { status: 'draft', author });
    const published = await makePost(site.deps.db, { author });
    expect((await site.by('contributor').delete(`/posts/${draft.id}`)).status).toBe(200);
    expect((await site.by('contributor').delete(`/posts/${published.id}`)).status).toBe(403);
  });

  test('two deletions at once: one trashes, the other is told so', async () => {
    const { id } = await publish({ title: 'Both' });
    const answers = await Promise.all([1, 2].map(() => site.by('editor').delete(`/posts/${id}`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 410]);
  });
});

describe('DELETE /pages/<id>', () => {
  test('the trash keeps children where they are, their links show it', async () => {
    const parent = await publish({ title: 'Folder' }, 'pages');
    const child = await publish({ title: 'Leaf', parent: parent.id }, 'pages');
    await site.by('editor').delete(`/pages/${parent.id}`);
    const { body } = await site.by('anonymous').get(`/pages/${child.id}`);
    expect(body).toMatchObject({ parent: parent.id, link: 'http://site.test/folder__trashed/leaf/' });
  });

  test('for good, they go to the grandparent, where their slugs stay unique', async () => {
    const top = await publish({ title: 'Top' }, 'pages');
    const middle = await publish({ title: 'Middle', parent: top.id }, 'pages');
    const taken = await publish({ title: 'Leaf', parent: top.id }, 'pages');
    const leaf = await publish({ title: 'Leaf', parent: middle.id }, 'pages');
    const below = await publish({ title: 'Below', parent: leaf.id }, 'pages');
    expect([taken.slug, leaf.slug]).toEqual(['leaf', 'leaf']);
    expect((await site.by('editor').delete(`/pages/${middle.id}?force=true`)).status).toBe(200);
    const moved = await site.by('anonymous').get(`/pages/${leaf.id}`);
    expect(moved.body).toMatchObject({
      parent: top.id,
      slug: 'leaf-2',
      link: 'http://site.test/top/leaf-2/',
    });
    expect((await site.by('anonymous').get(`/pages/${below.id}`)).body.link).toBe(
      'http://site.test/top/leaf-2/below/',
    );
    await site.by('editor').delete(`/pages/${top.id}?force=true`);
    expect((await site.by('anonymous').get(`/pages/${below.id}`)).body.link).toBe(
      'http://site.test/leaf-2/below/',
    );
  });

  test('others hear of their new addresses, also where the grandparent has none yet', async () => {
    const top = (await site.by('editor').post('/pages', { title: 'Unnamed' })).body;
    const middle = await publish({ title: 'Between', parent: top.id }, 'pages');
    const leaf = await publish({ title: 'Heard', parent: middle.id }, 'pages');
    expect(leaf.link).toBe('http://site.test/between/heard/');
    const news = (): Promise<{ link: string }[]> =>
      site.deps.db.rows(
        `select payload->>'link' as link from outbox where channel = 'content.post.changed'
          and (payload->>'id')::bigint = $1 order by id`,
        [leaf.id],
      );
    const before = (await news()).length;
    await site.by('editor').delete(`/pages/${middle.id}?force=true`);
    expect((await site.by('anonymous').get(`/pages/${leaf.id}`)).body).toMatchObject({
      parent: top.id,
      link: 'http://site.test/heard/',
    });
    expect((await news()).slice(before)).toEqual([{ link: '/heard/' }]);
  });

  test('a file that moves makes room for the page that has its name there', async () => {
    const folder = await publish({ title: 'Shelf' }, 'pages');
    const file = async () => {
      const { id } = await makePost(site.deps.db, {
        type: 'attachment',
        status: 'inherit',
        slug: 'book',
        path: 'shelf/book',
        parent: folder.id,
        author: site.users.editor.id,
      });
      await site.deps.db.run(
        `insert into media (post_id, file, mime_type, filesize) values ($1, $2, 'image/png', 1)`,
        [id, `book-${id}.png`],
      );
      return id;
    };
    const linkOf = async (path: string) => (await site.by('anonymous').get(path)).body.link;
    const detached = await file();
    const page = await publish({ title: 'Book' }, 'pages');
    expect(page.link).toBe('http://site.test/book/');
    expect((await site.by('editor').post(`/media/${detached}`, { post: 0 })).status).toBe(200);
    expect(await linkOf(`/media/${detached}`)).toBe('http://site.test/book-2/');
    const below = await file();
    await site.by('editor').delete(`/pages/${folder.id}?force=true`);
    expect(await linkOf(`/media/${below}`)).toBe('http://site.test/book-3/');
  });

  /** Pages below, told by what their slugs are. */
  const fill = async (parent: number, path: string, slugs: string): Promise<number> =>
    site.deps.db.run(
      `insert into posts (type, status, slug, parent, path, date_local, date_gmt, modified_local, modified_gmt)
       select 'page', 'publish', slug, $1, $2 || '/' || slug, now(), now(), now(), now() from (${slugs}) as s (slug)`,
      [parent, path],
    );
  const slugsBelow = async (parent: number): Promise<string[]> =>
    (
      await site.deps.db.rows<{ slug: string }>('select slug from posts where parent = $1 order by id', [
        parent,
      ])
    ).map(({ slug }) => slug);

  test('many go up at once, with what is below them, and others hear of each', async () => {
    // More than PostgreSQL has locks for.
    for (const many of [15_000, 1_000]) {
      const inTop = many === 1_000;
      const top = inTop ? await publish({ title: 'Holder of many' }, 'pages') : { id: 0 };
      const above = inTop ? '/holder-of-many' : '';
      const name = inTop ? 'inner' : 'outer';
      const folder = await publish({ title: 'Many', slug: name, parent: top.id }, 'pages');
      await fill(
        folder.id,
        `${above}/${name}`.slice(1),
        `select '${name}-' || n from generate_series(1, ${many}) as n`,
      );
      const [first] = await site.deps.db.rows<{ id: number }>('select id from posts where slug = $1', [
        `${name}-1`,
      ]);
      const below = await publish({ title: 'Leaf of many', parent: first!.id }, 'pages');
      expect((await site.by('editor').delete(`/pages/${folder.id}?force=true`)).status).toBe(200);
      expect(
        await site.deps.db.first(
          `select count(*)::int as moved from posts
            where parent = $1 and slug like '${name}-%' and path = $2 || slug`,
          [top.id, `${above}/`.slice(1)],
        ),
      ).toEqual({ moved: many });
      expect((await site.by('anonymous').get(`/pages/${below.id}`)).body.link).toBe(
        `http://site.test${above}/${name}-1/leaf-of-many/`,
      );
      expect(
        await site.deps.db.first(
          `select count(distinct payload->>'id')::int as told from outbox
            where channel = 'content.post.changed' and payload->>'link' ~ $1`,
          [`^${above}/${name}-\\d+/$`],
        ),
      ).toEqual({ told: many });
    }
  }, 300_000);

  test('what has a name of another one there, or one that is not to be had there, gets a number', async () => {
    const folder = await publish({ title: 'Full folder' }, 'pages');
    for (const title of ['Numbered', 'Unnamed draft']) await publish({ title }, 'pages');
    await fill(folder.id, 'full-folder', `values ('numbered'), ('numbered-2'), ('docs'), ('free')`);
    const draft = (await site.by('editor').post('/pages', { title: 'Unnamed draft', parent: folder.id }))
      .body;
    expect(draft.slug).toBe('');
    const moved = await site.deps.db.rows<{ id: number }>(
      'select id from posts where parent = $1 order by id',
      [folder.id],
    );
    await site.by('editor').delete(`/pages/${folder.id}?force=true`);
    const slugs = await site.deps.db.rows<{ slug: string; path: string }>(
      'select slug, path from posts where id = any($1::bigint[]) and parent = 0 order by id',
      [moved.map(({ id }) => id)],
    );
    const expected = ['numbered-3', 'numbered-2', 'docs-2', 'free', ''];
    expect(slugs).toEqual(expected.map((slug) => ({ slug, path: slug })));
  });

  test('what goes up in the trash next to one of its name keeps its mark, and loses it outside', async () => {
    const folder = await publish({ title: 'Binned' }, 'pages');
    const ids: number[] = [];
    for (const parent of [0, folder.id, folder.id]) {
      const { id } = await publish({ title: 'Waste', parent }, 'pages');
      await site.by('editor').delete(`/pages/${id}`);
      ids.push(id);
    }
    await site.deps.db.run(`update posts set slug = 'waste__trashed-3' where id = $1`, [ids[0]]);
    await site.deps.db.run(`update posts set slug = 'waste__trashed-3' where id = $1`, [ids[1]]);
    await site.by('editor').delete(`/pages/${folder.id}?force=true`);
    const { body } = await site.by('editor').get(`/pages/${ids[1]}?context=edit`);
    expect(body).toMatchObject({ status: 'trash', parent: 0, slug: 'waste__trashed' });
    expect((await site.by('editor').post(`/pages/${ids[1]}`, { status: 'publish' })).body.slug).toBe('waste');
  });

  test('of very many that have names of others there, the last get their own numbers', async () => {
    const [upper, folder] = [
      await publish({ title: 'Upper' }, 'pages'),
      await publish({ title: 'Copies' }, 'pages'),
    ];
    await site.deps.db.run('update posts set parent = $2 where id = $1', [folder.id, upper.id]);
    for (const { id } of [upper, folder])
      await fill(id, 'upper', `select 'copy' || n from generate_series(1, 502) as n`);
    const copies = await site.deps.db.rows<{ id: number }>(
      'select id from posts where parent = $1 order by id',
      [folder.id],
    );
    expect((await site.by('editor').delete(`/pages/${folder.id}?force=true`)).status).toBe(200);
    const slugs = (await slugsBelow(upper.id)).slice(-502);
    const last = copies.slice(500).map(({ id }, index) => `copy${501 + index}-${id}`);
    expect(slugs).toEqual([...Array.from({ length: 500 }, (_, n) => `copy${n + 1}-2`), ...last]);
  });

  test('a page that is being made there keeps the name that it got', async () => {
    const post = await publish({ title: 'Carrier' });
    const file = await makeMedia(site.deps.db, { parent: post.id, slug: 'meeting', path: '' });
    const makePage = async (tx: Db): Promise<void> => {
      await lockPageTree(tx);
      const slug = await uniqueSlug(tx, spaceOf({ type: 'page', parent: 0, id: 0 }), 'meeting');
      await makePost(tx, { type: 'page', slug, path: slug });
    };
    const [deleted] = await whileHeld(site, makePage, [
      () => site.by('editor').delete(`/posts/${post.id}?force=true`),
    ]);
    expect(deleted?.status).toBe(200);
    expect((await site.by('anonymous').get('/pages?slug=meeting')).body).toHaveLength(1);
    expect((await site.by('editor').get(`/media/${file.id}`)).body).toMatchObject({
      post: null,
      slug: 'meeting-2',
      link: 'http://site.test/meeting-2/',
    });
  });

  test('authors may not', async () => {
    const { id } = await publish({ title: 'Mine' }, 'pages');
    expect((await site.by('author').delete(`/pages/${id}`)).status).toBe(403);
  });
});

describe('files of what is deleted for good', () => {
  const attach = async (parent: number): Promise<number> =>
    (await makeMedia(site.deps.db, { parent, author: site.users.editor.id })).id;
  const seen = async (file: number): Promise<boolean> => {
    const stranger = site.by('anonymous');
    const { body } = await stranger.get(`/media?include=${file}`);
    const isRead = (await stranger.get(`/media/${file}`)).status === 200;
    expect(body.length === 1).toBe(isRead);
    return isRead;
  };

  test.each(
    ['posts', 'pages'].flatMap((base) =>
      ['private', 'draft', 'pending', 'future'].map((status) => [base, status] as const),
    ),
  )(
    'are private where not everybody could read it, also before it lay in the trash: %s, %s',
    async (base, status) => {
      const date = status === 'future' ? { date: '2090-01-01T00:00:00' } : {};
      for (const way of [[], ['']]) {
        const { id } = await publish({ title: 'Papers', status, ...date }, base);
        const file = await attach(id);
        for (const query of [...way, '?force=true']) {
          expect(await seen(file)).toBe(false);
          expect((await site.by('editor').delete(`/${base}/${id}${query}`)).status).toBe(200);
        }
        expect(await seen(file)).toBe(false);
        expect((await site.by('editor').get(`/media/${file}`)).body).toMatchObject({
          status: 'private',
          post: null,
        });
      }
    },
  );

  test('are private below a page that everybody reads, too', async () => {
    const above = await publish({ title: 'Above' }, 'pages');
    const { id } = await publish({ title: 'Below', status: 'private', parent: above.id }, 'pages');
    const file = await attach(id);
    await site.by('editor').delete(`/pages/${id}?force=true`);
    expect(await seen(file)).toBe(false);
    expect((await site.by('editor').get(`/media/${file}`)).body).toMatchObject({ post: above.id });
  });

  test('are everybody’s where it was', async () => {
    const { id } = await publish({ title: 'Open' });
    const file = await attach(id);
    await site.by('editor').delete(`/posts/${id}`);
    expect(await seen(file)).toBe(false);
    await site.by('editor').delete(`/posts/${id}?force=true`);
    expect(await seen(file)).toBe(true);
  });
});

test('without a trash, only force deletes', async () => {
  const other = await startContent({ TRASH_ENABLED: false });
  try {
    const { id } = await makePost(other.deps.db);
    expect(await other.by('editor').delete(`/posts/${id}`)).toMatchObject({
      status: 501,
      body: { code: 'rest_trash_not_supported' },
    });
    expect((await other.by('editor').delete(`/posts/${id}?force=1`)).status).toBe(200);
  } finally {
    await other.stop();
  }
});

describe('when a user goes', () => {
  test('the posts go to another, with their revisions', async () => {
    const { author, editor } = site.users;
    const { id } = (await site.by('author').post('/posts', { title: 'Heirloom' })).body;
    await site.by('author').post(`/posts/${id}`, { title: 'Heirloom 2' });
    await site.deps.db.transaction((tx) =>
      doAll(leaving(tx, { author: author.id, heir: editor.id, editor: editor.id }, 'UTC')),
    );
    expect((await site.by('editor').get(`/posts/${id}`)).body.author).toBe(editor.id);
    expect((await site.by('editor').get(`/posts/${id}/revisions`)).body[0].author).toBe(editor.id);
  });

  test('or to the trash', async () => {
    const term = await makeTerm(site.deps.db);
    const created = await site
      .by('author')
      .post('/posts', { title: 'Orphan', status: 'publish', categories: [term.id] });
    const { id } = created.body;
    const { author, editor } = site.users;
    await site.deps.db.transaction((tx) =>
      doAll(leaving(tx, { author: author.id, heir: null, editor: editor.id }, 'UTC')),
    );
    const { body } = await site.by('editor').get(`/posts/${id}?context=edit`);
    expect(body).toMatchObject({ status: 'trash', slug: 'orphan__trashed', author: site.users.author.id });
    expect(await ownCount(term.id)).toBe(0);
  });
});
