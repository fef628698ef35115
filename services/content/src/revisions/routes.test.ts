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

describe('DELETE a revision', () => {
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
