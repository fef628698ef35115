import { makeComment, makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const post = async (fields: Record<string, unknown> = {}): Promise<number> =>
  (await makePost(site.deps.db, fields)).id;
const comment = async (fields: Record<string, unknown>): Promise<number> =>
  (await makeComment(site.deps.db, fields)).id;

describe('GET /comments/{id}', () => {
  test('shows the fields of each context', async () => {
    const id = await comment({ post: await post() });
    const view = await site.by('anonymous').get(`/comments/${id}`);
    expect(view.status).toBe(200);
    expect(view.body).toMatchObject({
      id,
      status: 'approved',
      content: { rendered: expect.any(String) as string },
    });
    expect(view.body.author_email).toBeUndefined();
    expect(view.body.author_ip).toBeUndefined();
    expect(view.body.content.raw).toBeUndefined();
    expect(view.headers.get('allow')).toBe('GET');
    const edit = await site.by('editor').get(`/comments/${id}?context=edit`);
    expect(edit.body.content.raw).toMatch(/^Comment/);
    expect(edit.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE');
    for (const [role, status] of [
      ['anonymous', 401],
      ['subscriber', 403],
      ['author', 403],
    ] as const) {
      const answer = await site.by(role).get(`/comments/${id}?context=edit`);
      expect([answer.status, answer.body.code]).toEqual([status, 'rest_forbidden_context']);
    }
  });

  test.each(['hold', 'spam', 'trash', 'post-trashed'])('%s is not for everybody', async (status) => {
    const id = await comment({ post: await post({ author: site.users.author.id }), status });
    const stranger = await site.by('anonymous').get(`/comments/${id}`);
    expect([stranger.status, stranger.body.code]).toEqual([401, 'rest_cannot_read']);
    expect((await site.by('subscriber').get(`/comments/${id}`)).status).toBe(403);
    expect((await site.by('contributor').get(`/comments/${id}`)).status).toBe(403);
    expect((await site.by('author').get(`/comments/${id}`)).status).toBe(200);
    expect((await site.by('editor').get(`/comments/${id}`)).status).toBe(200);
  });

  test('writers read their own while it waits', async () => {
    const id = await comment({ post: await post(), status: 'hold', author: site.users.subscriber.id });
    expect((await site.by('subscriber').get(`/comments/${id}`)).body.status).toBe('hold');
  });

  test('is as visible as the post', async () => {
    const draft = await comment({ post: await post({ status: 'draft' }) });
    const locked = await comment({ post: await post({ password: 'secret' }) });
    expect((await site.by('anonymous').get(`/comments/${draft}`)).status).toBe(401);
    expect((await site.by('editor').get(`/comments/${draft}`)).status).toBe(200);
    expect((await site.by('anonymous').get(`/comments/${locked}`)).status).toBe(401);
    expect((await site.by('anonymous').get(`/comments/${locked}?password=wrong`)).status).toBe(401);
    expect((await site.by('anonymous').get(`/comments/${locked}?password=secret`)).status).toBe(200);
  });

  test('unknown ids', async () => {
    for (const id of ['0', '999999', '99999999999999999999']) {
      const answer = await site.by('anonymous').get(`/comments/${id}`);
      expect([404, 400]).toContain(answer.status);
    }
    const answer = await site.by('administrator').get('/comments/999999');
    expect([answer.status, answer.body.code]).toEqual([404, 'rest_comment_invalid_id']);
    expect((await site.by('anonymous').get('/comments/abc')).body.code).toBe('rest_no_route');
  });
});

describe('_embed', () => {
  test('brings what a comment answers, or why not', async () => {
    const on = await post();
    const parent = await comment({ post: on });
    const held = await comment({ post: on, status: 'hold' });
    const answers = [
      await comment({ post: on, parent }),
      await comment({ post: on, parent: held }),
      await comment({ post: on, parent: 999_999 }),
    ];
    const list = await site
      .by('anonymous')
      .get(`/comments?include=${answers.join()}&orderby=id&order=asc&_embed=in-reply-to`);
    const embedded = list.body.map(
      (row: { _embedded: Record<string, unknown[]> }) => row._embedded['in-reply-to']?.[0],
    );
    expect(embedded[0]).toMatchObject({ id: parent, type: 'comment', _links: { self: [expect.anything()] } });
    expect(embedded[0].status).toBeUndefined();
    expect(embedded[1]).toMatchObject({ code: 'rest_cannot_read', data: { status: 401 } });
    expect(embedded[2]).toMatchObject({ code: 'rest_comment_invalid_id', data: { status: 404 } });
  });

  test('brings the post, and posts bring their comments', async () => {
    const on = await post();
    const id = await comment({ post: on });
    const picture = await post({ type: 'attachment', status: 'inherit', parent: on });
    const below = await comment({ post: picture });
    await site.deps.db.run(`insert into media (post_id, file, mime_type) values ($1, 'a.png', 'image/png')`, [
      picture,
    ]);
    const up = async (of: number) => (await site.by('anonymous').get(`/comments/${of}?_embed=up`)).body;
    expect((await up(id))._embedded.up[0]).toMatchObject({ id: on, type: 'post' });
    expect((await up(below))._embedded.up[0]).toMatchObject({ id: picture, type: 'attachment' });
    expect((await up(below))._links.up[0].href).toBe(`http://site.test/rest/core/v2/media/${picture}`);
    const answer = await site.by('anonymous').get(`/posts/${on}?_embed=replies`);
    expect(answer.body._embedded.replies[0]).toHaveLength(1);
    expect(answer.body._embedded.replies[0][0].id).toBe(id);
  });

  test('brings the writer', async () => {
    const id = await comment({
      post: await post({ author: site.users.author.id }),
      author: site.users.author.id,
    });
    const answer = await site.by('anonymous').get(`/comments/${id}?_embed=author`);
    expect(answer.body._embedded.author[0].id).toBe(site.users.author.id);
  });
});
