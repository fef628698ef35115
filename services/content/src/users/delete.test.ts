import type { Actor } from '@sevenfold/chassis/actor';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let user: Actor;
let post: number;
beforeAll(async () => {
  site = await startContent();
});
beforeEach(async () => {
  user = await makeUser(site.deps.db, 'author');
  post = (await makePost(site.deps.db, { author: user.id })).id;
});
afterAll(() => site.stop());

const remove = (query: string, role: Parameters<ContentSite['by']>[0] = 'administrator') =>
  site.by(role).delete(`/users/${user.id}${query}`);
const posted = () =>
  site.deps.db.first<{ author: number; status: string }>('select author, status from posts where id = $1', [
    post,
  ]);
const exists = async (id = user.id) =>
  (await site.deps.db.first('select from users where id = $1', [id])) !== undefined;

describe('DELETE /users/{id}', () => {
  test('gives the posts to another user', async () => {
    const heir = site.users.editor;
    const answer = await remove(`?force=true&reassign=${heir.id}`);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['deleted', 'previous']);
    expect(answer.body).toMatchObject({
      deleted: true,
      previous: {
        id: user.id,
        username: user.username,
        email: user.email,
        roles: ['author'],
        locale: 'en_US',
      },
    });
    expect(answer.body.previous).not.toHaveProperty('_links');
    expect(await exists()).toBe(false);
    expect(await posted()).toEqual({ author: heir.id, status: 'publish' });
    const event = await site.deps.db.first(
      `select payload from outbox where channel = 'content.user.deleted' order by id desc limit 1`,
    );
    expect(event).toEqual({ payload: { id: user.id, reassign: heir.id } });
    expect(
      (await site.by('administrator').delete(`/users/${user.id}?force=true&reassign=${heir.id}`)).status,
    ).toBe(404);
  });

  test.each(['false', ''])('reassign=%s sends the posts to the trash', async (reassign) => {
    expect((await remove(`?force=true&reassign=${reassign}`)).status).toBe(200);
    expect(await posted()).toEqual({ author: user.id, status: 'trash' });
    expect(await exists()).toBe(false);
  });

  test('the arguments may be in the body', async () => {
    const answer = await site
      .by('administrator')
      .request('DELETE', `/users/${user.id}`, { body: { force: true, reassign: false } });
    expect(answer.body.deleted).toBe(true);
  });

  test('reassign is required, before rights and before force', async () => {
    const answer = await remove('', 'anonymous');
    expect(answer.body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params: ['reassign'] },
    });
    const force = await remove(`?reassign=${site.users.editor.id}`);
    expect([force.status, force.body.code]).toEqual([501, 'rest_trash_not_supported']);
    expect(await exists()).toBe(true);
  });

  test.each(['abc', 'true', '1.5', '1,2'])('reassign=%s is 400', async (reassign) => {
    const answer = await remove(`?force=true&reassign=${reassign}`);
    expect([answer.status, answer.body.code, Object.keys(answer.body.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      ['reassign'],
    ]);
    expect(await exists()).toBe(true);
  });

  test('reassign must be another user', async () => {
    for (const reassign of [user.id, 999_999, 0, -1, Number.MAX_SAFE_INTEGER]) {
      const answer = await remove(`?force=true&reassign=${reassign}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'rest_user_invalid_reassign']);
    }
    expect(await exists()).toBe(true);
    expect(await posted()).toEqual({ author: user.id, status: 'publish' });
  });

  test.each([
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 403],
    ['author', 403],
    ['editor', 403],
  ] as const)('%s may not', async (role, status) => {
    const answer = await remove('?force=true&reassign=false', role);
    expect([answer.status, answer.body.code]).toEqual([status, 'rest_user_cannot_delete']);
  });

  test('authors may not delete themselves', async () => {
    const answer = await site.as(user).delete(`/users/${user.id}?force=true&reassign=false`);
    expect([answer.status, answer.body.code]).toEqual([403, 'rest_user_cannot_delete']);
  });

  test('unknown users and bad arguments', async () => {
    const unknown = await site.by('administrator').delete('/users/999999?force=true&reassign=false');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'rest_user_invalid_id']);
    const bad = await remove('?force=maybe&reassign=x', 'anonymous');
    expect([bad.status, Object.keys(bad.body.data.params)]).toEqual([400, ['force', 'reassign']]);
  });

  test('the last administrator stays, also when two go at the same moment', async () => {
    const { administrator } = site.users;
    const path = `/users/${administrator.id}?force=true&reassign=false`;
    const last = await site.by('administrator').delete(path);
    expect([last.status, last.body.code]).toEqual([409, 'rest_user_last_administrator']);
    const second = await makeUser(site.deps.db, 'administrator');
    const answers = await Promise.all([
      site.as(second).delete(path),
      site.by('administrator').delete(`/users/${second.id}?force=true&reassign=false`),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    await makeUser(site.deps.db, 'administrator');
  });
});

test('whoever logs in as another administrator does not wait for a deletion', async () => {
  const { db } = site.deps;
  const other = await makeUser(db, 'administrator');
  let answer: Promise<Answer> | undefined;
  await db.transaction(async (tx) => {
    await tx.run('select from posts where id = $1 for update', [post]);
    answer = remove('?force=true&reassign=false');
    await untilLocked(db);
    // If this waited for the deletion, which waits for us, PostgreSQL would end one of both.
    await tx.run(`insert into application_passwords (user_id, name, hash, hint) values ($1, 'x', '!', 0)`, [
      other.id,
    ]);
  });
  expect((await answer)?.status).toBe(200);
  expect(await posted()).toEqual({ author: user.id, status: 'trash' });
});

describe('a user who wrote much', () => {
  let busy: ContentSite;
  let writer: Actor;
  let posts: number[];
  beforeAll(async () => {
    busy = await startContent({ ROLE: 'all' });
  });
  afterAll(() => busy.stop());
  beforeEach(async () => {
    const { db } = busy.deps;
    writer = await makeUser(db, 'author');
    posts = [(await makePost(db, { author: writer.id, type: 'page', slug: `p${writer.id}` })).id];
    while (posts.length < 220) posts.push((await makePost(db, { author: writer.id })).id);
    await db.run(
      `insert into revisions (parent, author, date_local, date_gmt) select id, author, date_local, date_gmt from posts where author = $1`,
      [writer.id],
    );
  });

  const removeFrom = (id: number, reassign: unknown) =>
    busy.by('administrator').delete(`/users/${id}?force=true&reassign=${String(reassign)}`);
  /** Does so while somebody else is writing one of the posts. */
  const whileHeld = (work: (held: number) => Promise<void>) =>
    busy.deps.db.transaction(async (tx) => {
      const held = posts[30] as number;
      await tx.run('select from posts where id = $1 for update', [held]);
      await work(held);
    });
  const isOver = async () => (await busy.deps.db.first('select from departed_authors')) === undefined;
  const groups = (columns: string) =>
    busy.deps.db.rows(
      `select ${columns}, count(*) as n from posts where id = any($1::bigint[]) group by ${columns}`,
      [posts],
    );

  test('is gone at once; then the posts go to the heir, each once', async () => {
    const { db } = busy.deps;
    const heir = busy.users.editor.id;
    await whileHeld(async (held) => {
      expect((await removeFrom(writer.id, heir)).status).toBe(200);
      const { status, body } = await busy.by('anonymous').get(`/posts/${held}?_embed`);
      expect([status, body.author]).toEqual([200, writer.id]);
      expect(body._embedded.author).toMatchObject([{ code: 'rest_user_invalid_id' }]);
      expect((await busy.by('anonymous').get(`/posts?author=${writer.id}`)).status).toBe(200);
    });
    await until(isOver);
    expect(await groups('author')).toEqual([{ author: heir, n: 220 }]);
    expect(await db.first('select from revisions where author = $1', [writer.id])).toBeUndefined();
    const told = await db.first(
      `select count(*) as n, count(distinct payload->>'id') as posts from outbox
        where channel = 'content.post.changed' and (payload->>'id')::bigint = any($1::bigint[])`,
      [posts],
    );
    expect(told).toEqual({ n: 220, posts: 220 });
  });

  test('or to the trash', async () => {
    await whileHeld(async () => {
      expect((await removeFrom(writer.id, false)).status).toBe(200);
    });
    await until(isOver);
    expect(await groups('author, status, revision_count')).toEqual([
      { author: writer.id, status: 'trash', revision_count: 1, n: 220 },
    ]);
  });

  test('or to the heir of an heir who goes, too', async () => {
    const heir = await makeUser(busy.deps.db, 'author');
    const last = busy.users.editor.id;
    await whileHeld(async () => {
      expect((await removeFrom(writer.id, heir.id)).status).toBe(200);
      expect((await removeFrom(heir.id, last)).status).toBe(200);
    });
    await until(isOver);
    expect(await groups('author')).toEqual([{ author: last, n: 220 }]);
  });
});

describe('DELETE /users/me', () => {
  test('deletes the administrator who asks, when there is another', async () => {
    const me = await makeUser(site.deps.db, 'administrator');
    const heir = await makeUser(site.deps.db, 'administrator');
    const answer = await site.as(me).delete(`/users/me?force=true&reassign=${heir.id}`);
    expect(answer.body).toMatchObject({ deleted: true, previous: { id: me.id } });
    expect(await exists(me.id)).toBe(false);
  });

  test('is refused to others, and there is no such user for strangers', async () => {
    const own = await site.as(user).delete('/users/me?force=true&reassign=false');
    expect([own.status, own.body.code]).toEqual([403, 'rest_user_cannot_delete']);
    const stranger = await site.by('anonymous').delete('/users/me?force=true&reassign=false');
    expect([stranger.status, stranger.body.code]).toEqual([404, 'rest_user_invalid_id']);
    const missing = await site.by('anonymous').delete('/users/me');
    expect([missing.status, missing.body.data.params]).toEqual([400, ['reassign']]);
    const force = await site
      .as(await makeUser(site.deps.db, 'administrator'))
      .delete('/users/me?reassign=false');
    expect([force.status, force.body.code]).toEqual([501, 'rest_trash_not_supported']);
  });
});
