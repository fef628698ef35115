import type { Answer, Speaker } from '@sevenfold/chassis/testing/service';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { makeComment, makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { removeLocked } from './actions';
import * as store from './store';

let site: ContentSite;
let on: number;
beforeAll(async () => {
  site = await startContent();
  on = (await makePost(site.deps.db)).id;
});
afterAll(() => site.stop());

const comment = async (fields: Record<string, unknown> = {}): Promise<number> =>
  (await makeComment(site.deps.db, { post: on, ...fields })).id;
const code = (answer: Answer): unknown[] => [answer.status, answer.body.code];

describe('POST, PUT, PATCH /comments/{id}', () => {
  test('changes what is sent and keeps the rest', async () => {
    const id = await comment({ author_url: 'http://old.test' });
    const before = (await site.by('editor').get(`/comments/${id}?context=edit`)).body;
    const answer = await site
      .by('editor')
      .patch(`/comments/${id}`, { content: { raw: 'New <i>text</i>' }, author_name: 'Zoe', parent: 7 });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...before,
      content: { raw: 'New <i>text</i>', rendered: '<p>New <i>text</i></p>\n' },
      author_name: 'Zoe',
      parent: 7,
      _links: {
        ...before._links,
        'in-reply-to': [{ embeddable: true, href: 'http://site.test/rest/core/v2/comments/7' }],
      },
    });
    expect((await site.by('editor').get(`/comments/${id}?context=edit`)).body).toEqual(answer.body);
    const events = await site.deps.db.rows(
      `select name, payload from outbox where (payload->>'id')::bigint = $1`,
      [id],
    );
    expect(events).toEqual([
      { name: 'content.comment.changed', payload: { id, post: on, status: 'approved', before: 'approved' } },
    ]);
  });

  test.each(['post', 'put', 'patch'] as const)('%s is the same', async (method) => {
    const id = await comment();
    expect((await site.by('editor')[method](`/comments/${id}`, { content: method })).body.content.raw).toBe(
      method,
    );
  });

  test('takes every field', async () => {
    const id = await comment();
    const other = (await makePost(site.deps.db)).id;
    const { subscriber } = site.users;
    const answer = await site.by('editor').put(`/comments/${id}`, {
      author: subscriber.id,
      author_ip: '2001:db8::1',
      author_user_agent: 'Robot',
      author_url: 'javascript:alert(1)',
      date_gmt: '2024-07-01T16:00:00',
      post: other,
      meta: {},
      status: 'hold',
    });
    expect(answer.body).toMatchObject({
      author: subscriber.id,
      author_name: subscriber.name,
      author_email: subscriber.email,
      author_ip: '2001:db8::1',
      author_user_agent: 'Robot',
      author_url: '',
      date: '2024-07-01T12:00:00',
      date_gmt: '2024-07-01T16:00:00',
      post: other,
      status: 'hold',
    });
    const moved = await site.by('editor').get(`/comments?post=${other}&status=hold`);
    expect(moved.headers.get('x-total')).toBe('1');
  });

  test('what was read can be sent back', async () => {
    const id = await comment({ author_name: 'Ann', date_local: '2024-01-02 22:04:05' });
    const { _links, ...item } = (await site.by('editor').get(`/comments/${id}?context=edit`)).body;
    const answer = await site.by('editor').put(`/comments/${id}`, item);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...item, _links });
  });

  test('nothing sent changes nothing and tells nobody', async () => {
    const id = await comment();
    for (const body of [{}, { status: 'approved' }, { status: 'no-such-word' }, { content: null }, undefined])
      expect((await site.by('editor').post(`/comments/${id}`, body)).body.status).toBe('approved');
    expect(await site.deps.db.rows(`select from outbox where (payload->>'id')::bigint = $1`, [id])).toEqual(
      [],
    );
  });

  test.each(['date', 'date_gmt'])('a %s that is null means now', async (name) => {
    const id = await comment();
    const { body } = await site.by('editor').post(`/comments/${id}`, { [name]: null });
    expect(Math.abs(Date.parse(`${body.date_gmt}Z`) - Date.now())).toBeLessThan(60_000);
    // The clock of the site is four hours behind in summer, five in winter.
    expect(body.date).not.toBe(body.date_gmt);
  });

  test('what is sent back as it was shown keeps its moment, in whatever zone the site is by now', async () => {
    const zone = (timezone: string) => site.by('administrator').post('/settings', { timezone });
    const { timezone } = (await site.by('administrator').get('/settings')).body;
    // An hour later that clock was set back, and showed it again.
    const id = await comment({ date_local: '2024-11-03 01:30:00', date_gmt: '2024-11-03 06:30:00Z' });
    const sentBack = async (): Promise<void> => {
      const { body: shown } = await site.by('editor').get(`/comments/${id}?context=edit`);
      expect(shown).toMatchObject({ date: '2024-11-03T01:30:00', date_gmt: '2024-11-03T06:30:00' });
      expect((await site.by('editor').put(`/comments/${id}`, shown)).body).toEqual(shown);
    };
    await sentBack();
    try {
      await zone('Europe/Berlin');
      await sentBack();
      const chosen = await site.by('editor').put(`/comments/${id}`, { date: '2024-11-03T01:31:00' });
      expect(chosen.body.date_gmt).toBe('2024-11-03T00:31:00');
    } finally {
      await zone(timezone);
    }
  });

  test('a network address that nobody knows is empty, and can be sent back so', async () => {
    const id = await comment({ author_ip: '192.0.2.9' });
    const path = `/comments/${id}`;
    const { body: without } = await site.by('editor').put(path, { author_ip: null });
    expect(without.author_ip).toBe('');
    const again = await site.by('editor').put(path, without);
    expect([again.status, again.body]).toEqual([200, without]);
  });

  test.each(['post', 'type'])('a %s that is null is as if absent', async (name) => {
    const id = await comment();
    const { status, body } = await site
      .by('editor')
      .post(`/comments/${id}`, { [name]: null, content: 'New' });
    expect([status, body.post, body.type, body.content.raw]).toEqual([200, on, 'comment', 'New']);
  });

  test('goes through the statuses and back', async () => {
    const id = await comment({ status: 'hold' });
    const steps: [string, string][] = [
      ['approve', 'approved'],
      ['spam', 'spam'],
      ['trash', 'trash'],
      ['untrash', 'spam'],
      ['unspam', 'approved'],
      ['0', 'hold'],
      ['trash', 'trash'],
      ['unspam', 'trash'],
      ['untrash', 'hold'],
      ['1', 'approved'],
    ];
    for (const [word, status] of steps)
      expect([word, (await site.by('editor').post(`/comments/${id}`, { status: word })).body.status]).toEqual(
        [word, status],
      );
    const events = await site.deps.db.rows<{ payload: { status: string; before: string } }>(
      `select payload from outbox where (payload->>'id')::bigint = $1 order by id`,
      [id],
    );
    expect(events.map(({ payload }) => `${payload.before}>${payload.status}`).slice(0, 3)).toEqual([
      'hold>approved',
      'approved>spam',
      'spam>trash',
    ]);
  });

  test('is for moderators and those who edit the post', async () => {
    const own = (await makePost(site.deps.db, { author: site.users.author.id })).id;
    const id = await comment({ post: own, status: 'hold', author: site.users.subscriber.id });
    expect(code(await site.by('anonymous').post(`/comments/${id}`, { content: 'x' }))).toEqual([
      401,
      'rest_cannot_edit',
    ]);
    for (const role of ['subscriber', 'contributor'] as const)
      expect(code(await site.by(role).post(`/comments/${id}`, { content: 'x' }))).toEqual([
        403,
        'rest_cannot_edit',
      ]);
    const approved = await site
      .by('author')
      .post(`/comments/${id}`, { status: 'approved', content: '<h1>x</h1>' });
    expect(approved.body).toMatchObject({ status: 'approved', content: { raw: 'x' } });
    expect(code(await site.by('author').post(`/comments/${id}`, { author: site.users.editor.id }))).toEqual([
      403,
      'rest_comment_invalid_author',
    ]);
    // Also the one that it came from, which he is not told.
    for (const author_ip of ['192.0.2.9', '192.0.2.1'])
      expect(code(await site.by('author').post(`/comments/${id}`, { author_ip }))).toEqual([
        403,
        'rest_comment_invalid_author_ip',
      ]);
    expect(code(await site.by('author').post(`/comments/${id}`, { post: on }))).toEqual([
      403,
      'rest_cannot_edit',
    ]);
    expect((await site.by('administrator').post(`/comments/${id}`, { post: on })).body.post).toBe(on);
  });

  test('tells who wrote it, and from where, to moderators alone: others who edit the post may not read that', async () => {
    const own = (await makePost(site.deps.db, { author: site.users.author.id })).id;
    const id = await comment({ post: own, author_user_agent: 'Robot' });
    const personal = { author_email: expect.any(String), author_ip: '192.0.2.1', author_user_agent: 'Robot' };
    expect((await site.by('author').get(`/comments/${id}?context=edit`)).status).toBe(403);
    const author = site.by('author');
    const told = [
      (await author.post(`/comments/${id}`, {})).body,
      (await author.delete(`/comments/${id}`)).body,
      (await author.delete(`/comments/${id}?force=true`)).body.previous,
    ];
    for (const item of told) {
      expect(item).toMatchObject({
        id,
        author_name: expect.any(String),
        content: { raw: expect.any(String) },
      });
      for (const name of Object.keys(personal)) expect(item).not.toHaveProperty(name);
    }
    const other = await comment({ post: own, author_user_agent: 'Robot' });
    expect((await site.by('editor').post(`/comments/${other}`, {})).body).toMatchObject(personal);
  });

  test('refuses what cannot be', async () => {
    const id = await comment();
    const write = (fields: object) => site.by('administrator').post(`/comments/${id}`, fields);
    for (const content of ['', ' ', {}, { raw: '' }])
      expect(code(await write({ content }))).toEqual([400, 'rest_comment_content_invalid']);
    expect(code(await write({ type: 'pingback' }))).toEqual([404, 'rest_comment_invalid_type']);
    expect(code(await write({ post: 999_999 }))).toEqual([403, 'rest_comment_invalid_post_id']);
    expect(code(await write({ post: 0 }))).toEqual([403, 'rest_comment_invalid_post_id']);
    expect(code(await write({ author: 999_999 }))).toEqual([400, 'rest_comment_author_invalid']);
    expect(code(await write({ parent: id }))).toEqual([400, 'rest_invalid_param']);
    const answer = await comment({ parent: await comment({ parent: id }) });
    expect(code(await write({ parent: answer }))).toEqual([400, 'rest_invalid_param']);
    expect(code(await write({ author_name: 'n'.repeat(246) }))).toEqual([
      400,
      'comment_author_column_length',
    ]);
    expect(code(await write({ content: 'c'.repeat(65_526) }))).toEqual([
      400,
      'comment_content_column_length',
    ]);
    const bad = await write({ author_email: 'x', author_ip: 'x', date: 'x' });
    expect(Object.keys(bad.body.data.params).sort()).toEqual(['author_email', 'author_ip', 'date']);
    expect(code(await site.by('administrator').post('/comments/999999', {}))).toEqual([
      404,
      'rest_comment_invalid_id',
    ]);
    expect((await site.by('editor').get(`/comments/${id}?context=edit`)).body.content.raw).toMatch(
      /^Comment/,
    );
  });
});

describe('DELETE /comments/{id}', () => {
  test('moves to the trash, once', async () => {
    const id = await comment();
    const answer = await site.by('editor').delete(`/comments/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id,
      status: 'trash',
      content: { raw: expect.any(String) as string },
    });
    expect(code(await site.by('editor').delete(`/comments/${id}`))).toEqual([410, 'rest_already_trashed']);
    expect((await site.by('editor').post(`/comments/${id}`, { status: 'untrash' })).body.status).toBe(
      'approved',
    );
  });

  test('of two that are to answer each other at once, one does', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await comment(), await comment()];
      const write = (id: number, parent: number) => site.by('editor').post(`/comments/${id}`, { parent });
      const answers = await Promise.all([write(one, other), write(other, one)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  test('of a comment and its answer that are deleted at once, what answered that moves up', async () => {
    const { db } = site.deps;
    const top = await comment();
    const middle = await comment({ parent: top });
    const low = await comment({ parent: middle });
    let other: Promise<Answer> | undefined;
    await db.transaction(async (tx) => {
      const answer = await store.lockById(tx, middle, [on]);
      other = site.by('editor').delete(`/comments/${top}?force=true`);
      await untilLocked(db, '%update comments set parent%');
      await removeLocked(tx, answer!);
    });
    expect((await other)?.status).toBe(200);
    expect((await site.by('editor').get(`/comments/${low}`)).body.parent).toBe(0);
  });

  test('force deletes for good; answers move up', async () => {
    const top = await comment();
    const middle = await comment({ parent: top });
    const low = await comment({ parent: middle });
    const answer = await site.by('editor').delete(`/comments/${middle}?force=true`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      deleted: true,
      previous: { id: middle, status: 'approved', author_ip: '192.0.2.1' },
    });
    expect(answer.body.previous._links).toBeUndefined();
    expect((await site.by('editor').get(`/comments/${middle}`)).status).toBe(404);
    expect((await site.by('editor').get(`/comments/${low}`)).body.parent).toBe(top);
    const events = await site.deps.db.rows(
      `select name, payload from outbox where (payload->>'id')::bigint = $1`,
      [middle],
    );
    expect(events).toEqual([
      {
        name: 'content.comment.deleted',
        payload: { id: middle, post: on, status: 'approved', before: 'approved' },
      },
    ]);
    const trashed = await comment({ status: 'trash' });
    expect((await site.by('editor').delete(`/comments/${trashed}?force=1`)).body.deleted).toBe(true);
  });

  test('is for moderators and those who edit the post', async () => {
    const own = (await makePost(site.deps.db, { author: site.users.author.id })).id;
    const id = await comment({ post: own, author: site.users.subscriber.id });
    expect(code(await site.by('anonymous').delete(`/comments/${id}`))).toEqual([401, 'rest_cannot_delete']);
    for (const role of ['subscriber', 'contributor'] as const)
      expect(code(await site.by(role).delete(`/comments/${id}?force=true`))).toEqual([
        403,
        'rest_cannot_delete',
      ]);
    expect((await site.by('author').delete(`/comments/${id}`)).status).toBe(200);
    expect((await site.by('author').delete(`/comments/${id}?force=true`)).body.deleted).toBe(true);
    expect(code(await site.by('editor').delete(`/comments/${id}`))).toEqual([404, 'rest_comment_invalid_id']);
    expect(code(await site.by('editor').delete(`/comments/${await comment()}?force=maybe`))).toEqual([
      400,
      'rest_invalid_param',
    ]);
  });
});

describe('a comment that is moved while it is written', () => {
  /** The write waits for the comment's post; meanwhile the comment goes to another one. */
  async function writeWhileMoved(write: (speaker: Speaker, id: number) => Promise<Answer>, author: number) {
    const { db } = site.deps;
    const from = (await makePost(db, { author: site.users.author.id })).id;
    const to = (await makePost(db, { author })).id;
    const id = await comment({ post: from });
    let answer: Promise<Answer> | undefined;
    await db.transaction(async (tx) => {
      await tx.run('select from posts where id = $1 for update', [from]);
      answer = write(site.by('author'), id);
      await untilLocked(db);
      await tx.run('update comments set post = $2 where id = $1', [id, to]);
    });
    const [status, error] = code(await (answer as Promise<Answer>));
    const row = await db.first<{ post: number; status: string; content: string }>(
      'select post, status, content_raw as content from comments where id = $1',
      [id],
    );
    return { status, error, row, to };
  }

  test.each([
    ['PATCH', (speaker: Speaker, id: number) => speaker.patch(`/comments/${id}`, { content: 'Mine' })],
    ['DELETE', (speaker: Speaker, id: number) => speaker.delete(`/comments/${id}`)],
    ['DELETE force', (speaker: Speaker, id: number) => speaker.delete(`/comments/${id}?force=true`)],
  ])('%s is judged by where it is', async (_, write) => {
    const { status, error, row, to } = await writeWhileMoved(write, site.users.editor.id);
    expect([status, error]).toEqual([403, expect.stringMatching(/^rest_cannot_(edit|delete)$/)]);
    expect(row).toMatchObject({ post: to, status: 'approved', content: expect.stringMatching(/^Comment/) });
  });

  test('whoever may write there, too, leaves it where it is', async () => {
    const patch = (speaker: Speaker, id: number) => speaker.patch(`/comments/${id}`, { content: 'Mine' });
    const { status, row, to } = await writeWhileMoved(patch, site.users.author.id);
    expect([status, row]).toEqual([200, { post: to, status: 'approved', content: 'Mine' }]);
  });
});

describe('a comment that is moved to or from a post in the trash (BEHAVIOUR.md 26)', () => {
  const move = (id: number, post: number) => site.by('editor').patch(`/comments/${id}`, { post });
  const statusOf = async (id: number) =>
    (await site.by('editor').get(`/comments/${id}?context=edit`)).body.status;
  const trashed = async (): Promise<number> => {
    const { id } = await makePost(site.deps.db);
    expect((await site.by('editor').delete(`/posts/${id}`)).status).toBe(200);
    return id;
  };

  test('is in the trash with it, and comes back with it', async () => {
    const [id, to] = [await comment({ status: 'spam', status_before: 'approved' }), await trashed()];
    expect((await move(id, to)).body).toMatchObject({ post: to, status: 'post-trashed' });
    const list = await site.by('editor').get(`/comments?post=${to}&status=any`);
    expect([list.body, list.headers.get('x-total')]).toEqual([[], '0']);
    await site.by('editor').post(`/posts/${to}`, { status: 'publish' });
    expect(await statusOf(id)).toBe('spam');
    await site.by('editor').patch(`/comments/${id}`, { status: 'unspam' });
    expect(await statusOf(id)).toBe('approved');
  });

  test('is what it was when it leaves, and stays where it is between two of them', async () => {
    const from = (await makePost(site.deps.db)).id;
    const id = await comment({ post: from });
    await site.by('editor').delete(`/posts/${from}`);
    expect((await move(id, await trashed())).body.status).toBe('post-trashed');
    expect((await move(id, on)).body).toMatchObject({ post: on, status: 'approved' });
    const answer = await site.by('editor').patch(`/comments/${id}`, { post: from, status: 'hold' });
    expect(answer.body).toMatchObject({ post: from, status: 'hold' });
  });
});
