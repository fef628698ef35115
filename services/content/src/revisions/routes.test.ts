import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { ACTOR_HEADER, signActor } from '@sevenfold/chassis/actor';
import { type Answer, TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const post = async (body: object = {}, base = 'posts'): Promise<number> =>
  (await site.by('editor').post(`/${base}`, { title: 'One', content: 'text', ...body })).body.id;
const update = (
  id: number,
  body: object,
  base = 'posts',
): ReturnType<ReturnType<ContentSite['by']>['post']> => site.by('editor').post(`/${base}/${id}`, body);
const list = (id: number, query = '', base = 'posts'): ReturnType<ReturnType<ContentSite['by']>['get']> =>
  site.by('editor').get(`/${base}/${id}/revisions${query}`);

describe('when revisions are made', () => {
  test('none at creation, one at the first update whatever it changes, then one for each new text', async () => {
    const id = await post();
    expect((await list(id)).body).toEqual([]);
    await update(id, { format: 'aside' });
    expect((await list(id)).body).toHaveLength(1);
    await update(id, { format: 'quote' });
    await update(id, { content: 'text' });
    expect((await list(id)).body).toHaveLength(1);
    await update(id, { content: 'other' });
    await update(id, { excerpt: 'short' });
    const titles = (await update(id, { title: 'Two' })).body;
    const { body } = await list(id);
    expect(body).toHaveLength(4);
    expect(body.map((row: { title: { rendered: string } }) => row.title.rendered)).toEqual([
      'Two',
      'One',
      'One',
      'One',
    ]);
    expect(titles._links['version-history'][0].count).toBe(4);
    expect(titles._links['predecessor-version'][0].id).toBe(body[0].id);
  });

  test('a change and its copy are one change of the row: whatever hangs on rows of posts pays once', async () => {
    const { db } = site.deps;
    const id = await post({ excerpt: 'short' });
    await db.run('create table changes (n bigint)');
    await db.run(`create function note_change() returns trigger language plpgsql as $$
      begin insert into changes select count(*) from new_rows; return null; end $$`);
    await db.run(`create trigger note_change after update on posts referencing new table as new_rows
      for each statement execute function note_change()`);
    const noted = async (): Promise<number[]> => {
      const rows = await db.rows<{ n: number }>('select n from changes where n > 0');
      await db.run('truncate changes');
      return rows.map(({ n }) => n);
    };
    try {
      await update(id, { title: 'Three', excerpt: '' });
      expect(await noted()).toEqual([1]);
      await site.by('editor').delete(`/posts/${id}`);
      expect(await noted()).toEqual([1]);
    } finally {
      await db.run('drop trigger note_change on posts');
    }
    // One that was made from the content says nothing new, and is no part of a copy.
    expect(
      await db.rows('select title_raw, content_html, excerpt_html from revisions where parent = $1', [id]),
    ).toEqual([{ title_raw: 'Three', content_html: '<p>text</p>\n', excerpt_html: '' }]);
  });
});

describe('GET revisions', () => {
  let id: number;
  let revision: number;
  beforeAll(async () => {
    id = await post();
    const { body } = await update(id, { title: 'Changed', content: 'a\n\nb' });
    revision = body._links['predecessor-version'][0].id;
  });

  test('a revision answers its fields', async () => {
    const { status, body, headers } = await site.by('editor').get(`/posts/${id}/revisions/${revision}`);
    expect(status).toBe(200);
    expect(headers.get('allow')).toBe('GET, DELETE');
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(body).toEqual({
      author: site.users.editor.id,
      date,
      date_gmt: date,
      id: revision,
      modified: date,
      modified_gmt: date,
      parent: id,
      slug: `${id}-revision-v1`,
      guid: { rendered: `http://site.test/?p=${revision}` },
      title: { rendered: 'Changed' },
      content: { rendered: '<p>a</p>\n<p>b</p>\n' },
      excerpt: { rendered: '' },
      _links: { parent: [{ href: `http://site.test/rest/core/v2/posts/${id}` }] },
    });
  });

  test('edit context has the raw texts, embed only the head', async () => {
    const edit = await site.by('editor').get(`/posts/${id}/revisions/${revision}?context=edit`);
    expect(edit.body).toMatchObject({
      title: { raw: 'Changed' },
      content: { raw: 'a\n\nb' },
      guid: { raw: expect.any(String) },
    });
    const embed = await site.by('editor').get(`/posts/${id}/revisions/${revision}?context=embed`);
    expect(Object.keys(embed.body)).toEqual([
      'author',
      'date',
      'id',
      'parent',
      'slug',
      'title',
      'excerpt',
      '_links',
    ]);
  });

  test('the list is newest first, with totals; pages on demand', async () => {
    await update(id, { title: 'Changed again' });
    const all = await list(id);
    expect(all.headers.get('x-total')).toBe('2');
    expect(all.headers.get('x-total-pages')).toBe('1');
    expect(all.body.map((row: { title: { rendered: string } }) => row.title.rendered)).toEqual([
      'Changed again',
      'Changed',
    ]);
    const second = await list(id, '?per_page=1&page=2');
    expect(second.body).toHaveLength(1);
    expect(second.headers.get('x-total-pages')).toBe('2');
    expect((await list(id, '?per_page=0')).status).toBe(400);
  });

  test('pages name those before and after them', async () => {
    const linked = async (query: string): Promise<string[]> => {
      const link = (await list(id, query)).headers.get('link') ?? '';
      return [...link.matchAll(/<[^>]*(\/core\/v2\/posts\/[^>]*)>; rel="(\w+)"/g)].map(
        ([, address, rel]) => `${rel} ${address}`,
      );
    };
    const address = `/core/v2/posts/${id}/revisions`;
    expect(await linked('')).toEqual([]);
    expect(await linked('?per_page=1')).toEqual([`next ${address}?per_page=1&page=2`]);
    expect(await linked('?page=2&per_page=1')).toEqual([`prev ${address}?page=1&per_page=1`]);
  });

  test('of more than a thousand, those beyond are on further pages', async () => {
    const many = await post();
    const { db } = site.deps;
    const rows = await db.rows<{ id: number }>(
      `insert into revisions (parent, author, date_local, date_gmt)
       select $1, 1, now()::timestamp, now() from generate_series(1, 1003) returning id`,
      [many],
    );
    await db.run('update posts set revision_count = 1003 where id = $1', [many]);
    const first = await list(many, '?_fields=id');
    expect(first.headers.get('x-total')).toBe('1003');
    expect(first.headers.get('x-total-pages')).toBe('2');
    expect(first.headers.get('link')).toMatch(/page=2>; rel="next"$/);
    const second = await list(many, '?_fields=id&page=2');
    expect(second.headers.get('link')).toMatch(/page=1>; rel="prev"$/);
    expect([...first.body, ...second.body].map((row: { id: number }) => row.id)).toEqual(
      rows.map((row) => row.id).sort((a, b) => b - a),
    );
  });

  test('needs the right to edit the post', async () => {
    for (const [role, status] of [
      ['anonymous', 401],
      ['subscriber', 403],
      ['author', 403],
      ['editor', 200],
    ] as const)
      for (const path of ['', `/${revision}`]) {
        const answer = await site.by(role).get(`/posts/${id}/revisions${path}`);
        expect(answer.status).toBe(status);
        if (status !== 200) expect(answer.body.code).toBe('rest_cannot_read');
      }
  });

  test('unknown parents and revisions are 404 with their codes', async () => {
    const page = await post({}, 'pages');
    for (const parent of [page, 999999])
      expect((await list(parent)).body).toMatchObject({
        code: 'rest_post_invalid_parent',
        data: { status: 404 },
      });
    expect((await site.by('editor').get(`/posts/${id}/revisions/999999`)).body.code).toBe(
      'rest_post_invalid_id',
    );
    expect((await site.by('editor').post(`/posts/${id}/revisions`, {})).status).toBe(404);
  });

  test('below another post it is not there, whoever asks', async () => {
    const mine = (await site.by('author').post('/posts', { title: 'Mine' })).body.id;
    for (const role of ['author', 'editor', 'administrator'] as const)
      for (const method of ['GET', 'DELETE']) {
        const answer = await site.by(role).request(method, `/posts/${mine}/revisions/${revision}?force=true`);
        expect(answer).toMatchObject({ status: 404, body: { code: 'rest_post_invalid_id' } });
      }
    expect((await site.by('editor').get(`/posts/${id}/revisions/${revision}`)).status).toBe(200);
  });
});

describe('a list of long revisions', () => {
  /** Straight into the table: copies of a text of a megabyte and a little. */
  async function copies(count: number): Promise<{ id: number; ids: number[] }> {
    const { db } = site.deps;
    const id = await post();
    const rows = await db.rows<{ id: number }>(
      `insert into revisions (parent, author, date_local, date_gmt, title_raw, title_html, content_raw, content_html, excerpt_raw, excerpt_html)
       select $1, $2, now(), now(), 'T' || n, 'T' || n, repeat('lorem ipsum ', 85000), repeat('lorem ipsum ', 85000), '', ''
         from generate_series(1, $3::integer) as n returning id`,
      [id, site.users.editor.id, count],
    );
    await db.run('update posts set revision_count = $2 where id = $1', [id, count]);
    return { id, ids: rows.map((row) => row.id).sort((a, b) => b - a) };
  }

  test('is the same as if it were read at once, whatever is asked of it', async () => {
    const { id, ids } = await copies(7);
    const { status, headers, body } = await list(id, '?context=edit');
    expect(status).toBe(200);
    expect(headers.get('x-total')).toBe('7');
    expect(headers.get('content-length')).toBeNull();
    expect(body.map((row: { id: number }) => row.id)).toEqual(ids);
    for (const row of [body[0], body[6]])
      expect(row).toEqual(
        (await site.by('editor').get(`/posts/${id}/revisions/${row.id}?context=edit`)).body,
      );
    const some = await list(id, '?_fields=id,title.rendered&per_page=3&page=2');
    expect(some.body).toEqual(
      ids.slice(3, 6).map((one, index) => ({ id: one, title: { rendered: `T${4 - index}` } })),
    );
    const pretty = await list(id, '?_pretty&_fields=id,title,content.none');
    expect(pretty.text).toBe(JSON.stringify(JSON.parse(pretty.text), null, 4));
    const head = await site.by('editor').request('HEAD', `/posts/${id}/revisions`);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('x-total')).toBe('7');
    // What fits into one piece is an answer like any other.
    const short = await list(id, '?context=embed');
    expect(Number(short.headers.get('content-length'))).toBe(Buffer.byteLength(short.text));
  });

  test('is an answer like any other where the long ones are few', async () => {
    const { id, ids } = await copies(3);
    const { db } = site.deps;
    await db.run(`update revisions set content_html = 'short' where id = any($1)`, [[ids[0], ids[2]]]);
    const { headers, text, body } = await list(id);
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
    expect(
      body.map((row: { id: number; content: { rendered: string } }) => [row.id, row.content.rendered.length]),
    ).toEqual([
      [ids[0], 5],
      [ids[1], 12 * 85_000],
      [ids[2], 5],
    ]);
  });

  test('is read while it is sent: what goes while its reader waits was never held', async () => {
    const { id, ids } = await copies(120);
    const { db } = site.deps;
    const headers = { [ACTOR_HEADER]: signActor(site.users.editor, TEST_ACTOR_SECRET) };
    const request = http.get(`${site.url}/rest/core/v2/posts/${id}/revisions`, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    await once(response, 'readable');
    // Buffers on the way hold a few of them; a list that is read as a whole holds them all.
    const kept = ids.slice(0, 60);
    await db.run('delete from revisions where parent = $1 and id < $2', [id, kept[59]]);
    const body = (await json(response)) as { id: number; content: { rendered: string } }[];
    expect(body.map((row) => row.id)).toEqual(kept);
    expect(new Set(body.map((row) => row.content.rendered.length))).toEqual(new Set([12 * 85_000]));
  });
});

describe('DELETE a revision', () => {
  test('is judged by whose post it is by then', async () => {
    const { db } = site.deps;
    const created = await site.by('author').post('/posts', { title: 'One', status: 'publish' });
    const id = created.body.id as number;
    await site.by('author').post(`/posts/${id}`, { title: 'Two' });
    const revisions = `select id from revisions where parent = ${id} order by id`;
    const before = await db.rows<{ id: number }>(revisions);
    let answer: Promise<Answer> | undefined;
    await db.transaction(async (tx) => {
      await tx.run('update posts set author = $2 where id = $1', [id, site.users.editor.id]);
      answer = site.by('author').delete(`/posts/${id}/revisions/${before[0]!.id}?force=true`);
      await untilLocked(db);
    });
    expect(await answer).toMatchObject({ status: 403, body: { code: 'rest_cannot_delete' } });
    expect(await db.rows(revisions)).toEqual(before);
  });

  test('needs force; then it is gone and the post knows', async () => {
    const id = await post();
    await update(id, { title: 'Two' });
    await update(id, { title: 'Three' });
    const [newest, oldest] = (await list(id)).body as { id: number }[];
    const path = `/posts/${id}/revisions/${newest!.id}`;
    expect(await site.by('editor').delete(path)).toMatchObject({
      status: 501,
      body: { code: 'rest_trash_not_supported' },
    });
    expect(await site.by('anonymous').delete(`${path}?force=true`)).toMatchObject({
      status: 401,
      body: { code: 'rest_cannot_delete' },
    });
    expect(await site.by('author').delete(`${path}?force=true`)).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_delete' },
    });
    const gone = await site.by('editor').delete(`${path}?force=true`);
    expect(gone).toMatchObject({
      status: 200,
      body: { deleted: true, previous: { id: newest!.id, title: { rendered: 'Three' } } },
    });
    expect(gone.body.previous).not.toHaveProperty('_links');
    expect(await site.by('editor').delete(`${path}?force=true`)).toMatchObject({
      status: 404,
      body: { code: 'rest_post_invalid_id' },
    });
    const { body } = await site.by('editor').get(`/posts/${id}`);
    expect(body._links['version-history'][0].count).toBe(1);
    expect(body._links['predecessor-version'][0].id).toBe(oldest!.id);
  });
});

test('pages have revisions of their own', async () => {
  const id = await post({}, 'pages');
  await update(id, { title: 'Page two' }, 'pages');
  const { body } = await list(id, '', 'pages');
  expect(body[0]).toMatchObject({
    title: { rendered: 'Page two' },
    _links: { parent: [{ href: `http://site.test/rest/core/v2/pages/${id}` }] },
  });
});
