/** Totals and lists without a `post`: they rest on what triggers keep, so each change of a post is tried here. */
import { isPublic, writableStatuses } from '@sevenfold/publishing/statuses';
import { expectTotalsToBeRight } from './testing/totals';
import { makeComment, makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import type { Role } from '../users/roles';

let site: ContentSite;

beforeEach(async () => {
  site = await startContent();
});
afterEach(() => site.stop());

const set = (id: number, changes: string): Promise<number> =>
  site.deps.db.run(`update posts set ${changes} where id = $1`, [id]);

/** The total that is shown, having compared it with the list. */
async function seen(role: Role | 'anonymous', query = ''): Promise<number> {
  const answer = await site.by(role).get(`/comments?per_page=100&${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-total')).toBe(String(answer.body.length));
  return Number(answer.headers.get('x-total'));
}

const expectCountersToBeRight = (): Promise<void> => expectTotalsToBeRight(site.deps.db);

test('the database knows the public statuses', async () => {
  const rows = await site.deps.db.rows<{ status: string; open: boolean }>(
    `select status, is_public_status(status) as open from unnest($1::text[]) as status`,
    [[...writableStatuses, 'trash', 'inherit', 'auto-draft']],
  );
  for (const { status, open } of rows) expect([status, open]).toEqual([status, isPublic(status)]);
});

test('comments are as visible as their post is', async () => {
  const { db } = site.deps;
  const { id } = await makePost(db);
  for (let n = 0; n < 3; n++) await makeComment(db, { post: id });
  await makeComment(db, { post: id, status: 'hold' });
  await makeComment(db, { post: 999_999 });
  expect(await seen('anonymous')).toBe(3);
  expect(await seen('editor')).toBe(4);
  for (const [changes, open] of [
    [`status = 'draft'`, false],
    [`status = 'calendar-ea-success'`, true],
    [`status = 'private'`, false],
    [`status = 'publish', password = 'x'`, false],
    [`password = ''`, true],
    [`status = 'trash'`, false],
    [`status = 'publish'`, true],
  ] as const) {
    await set(id, changes);
    expect([changes, await seen('anonymous')]).toEqual([changes, open ? 3 : 0]);
    expect(await seen('editor')).toBe(4);
    expect(await seen('editor', 'status=hold')).toBe(1);
    await expectCountersToBeRight();
  }
  await db.run('delete from posts where id = $1', [id]);
  expect(await seen('anonymous')).toBe(0);
  await expectCountersToBeRight();
});

test('comments on attachments follow what these are attached to', async () => {
  const { db } = site.deps;
  const above = await makePost(db, { status: 'draft' });
  const picture = await makePost(db, { type: 'attachment', status: 'inherit', parent: above.id });
  await makeComment(db, { post: picture.id });
  expect(await seen('anonymous')).toBe(0);
  await set(above.id, `status = 'publish'`);
  expect(await seen('anonymous')).toBe(1);
  await set(above.id, `status = 'private'`);
  expect(await seen('anonymous')).toBe(0);
  await set(picture.id, 'parent = 0');
  expect(await seen('anonymous')).toBe(1);
  await set(picture.id, `parent = ${above.id}`);
  expect(await seen('anonymous')).toBe(0);
  expect((await site.by('anonymous').get(`/comments?post=${picture.id}`)).status).toBe(401);
  await db.run('delete from posts where id = $1', [above.id]);
  expect(await seen('anonymous')).toBe(1);
  await expectCountersToBeRight();
});

test('writers see besides what is on their own posts, and what they wrote', async () => {
  const { db } = site.deps;
  const { author, contributor, subscriber } = site.users;
  const open = await makePost(db);
  const drafts = await makePost(db, { status: 'draft', author: author.id });
  const published = await makePost(db, { author: author.id });
  const locked = await makePost(db, { author: author.id, password: 'x' });
  const planned = await makePost(db, { author: contributor.id, status: 'future' });
  const shut = await makePost(db, { author: contributor.id, password: 'x' });
  const page = await makePost(db, { type: 'page', author: author.id, status: 'private' });
  for (const post of [open, drafts, published, locked, planned, shut, page]) {
    await makeComment(db, { post: post.id });
    await makeComment(db, { post: post.id, status: 'hold' });
  }
  await makeComment(db, { post: open.id, author: subscriber.id, status: 'hold' });
  await makeComment(db, { post: open.id, author: author.id, status: 'spam' });
  await makeComment(db, { post: shut.id, author: author.id });
  expect(await seen('anonymous')).toBe(2);
  expect(await seen('subscriber')).toBe(2);
  // Own drafts and locked posts, and the page, which may be read but not edited.
  expect(await seen('author')).toBe(5);
  expect(await seen('author', 'status=hold')).toBe(3);
  expect(await seen('author', 'status=any')).toBe(9);
  expect(await seen('author', 'status=any&parent=0')).toBe(9);
  expect(await seen('author', 'status=all')).toBe(8);
  expect(await seen('contributor')).toBe(3);
  expect(await seen('contributor', 'status=hold')).toBe(0);
  expect(await seen('editor', 'status=any')).toBe(17);
  expect(await seen('administrator', 'type=pings')).toBe(0);
  expect(await seen('administrator', 'status=no-such')).toBe(0);
  for (const role of ['anonymous', 'subscriber', 'contributor', 'author', 'editor'] as const) {
    const { body } = await site.by(role).get('/comments?per_page=100');
    for (const { id } of body) expect((await site.by(role).get(`/comments/${id}`)).status).toBe(200);
    const plain = await seen(role);
    expect(await seen(role, 'exclude=999999')).toBe(plain);
  }
});

test('the posts take their comments along to the trash and back, and when they are deleted', async () => {
  const { db } = site.deps;
  const [one, other] = [await makePost(db), await makePost(db)];
  const ids: number[] = [];
  for (const status of ['approved', 'hold', 'spam', 'trash'])
    ids.push((await makeComment(db, { post: one.id, status })).id);
  await makeComment(db, { post: other.id });
  const statuses = async (): Promise<string[]> =>
    (
      await db.rows<{ status: string }>('select status from comments where post = $1 order by id', [one.id])
    ).map((row) => row.status);
  expect((await site.by('editor').delete(`/posts/${one.id}`)).status).toBe(200);
  const gone = Array.from({ length: 4 }, () => 'post-trashed');
  expect(await statuses()).toEqual(gone);
  const answer = await site.by('editor').get(`/comments/${ids[0] as number}`);
  expect(answer.body.status).toBe('post-trashed');
  expect(await seen('editor', 'status=any')).toBe(1);
  expect(await seen('editor', 'status=post-trashed')).toBe(4);
  // What the trash itself changes leaves them there.
  expect((await site.by('editor').post(`/posts/${one.id}`, { title: 'still' })).status).toBe(200);
  expect(await statuses()).toEqual(gone);
  expect((await site.by('editor').post(`/posts/${one.id}`, { status: 'draft' })).status).toBe(200);
  expect(await statuses()).toEqual(['approved', 'hold', 'spam', 'trash']);
  await expectCountersToBeRight();
  expect((await site.by('editor').delete(`/posts/${one.id}?force=true`)).status).toBe(200);
  expect(await statuses()).toEqual([]);
  expect(await seen('editor', 'status=any')).toBe(1);
  await expectCountersToBeRight();
  const events = await db.rows<{ name: string; payload: object }>(
    `select name, payload from outbox where kind = 'event' order by id`,
  );
  expect(events.filter((event) => event.name === 'content.comment.deleted')).toHaveLength(4);
  expect(events).toContainEqual({
    name: 'content.comment.changed',
    payload: { id: ids[0], post: one.id, status: 'post-trashed', before: 'approved' },
  });
});

test('totals stay right while a post changes and is commented on at once', async () => {
  const { db } = site.deps;
  const { id } = await makePost(db);
  await Promise.all([
    ...Array.from({ length: 20 }, () => makeComment(db, { post: id })),
    ...Array.from({ length: 9 }, (_, index) => set(id, `status = '${index % 2 ? 'publish' : 'draft'}'`)),
  ]);
  await set(id, `status = 'draft'`);
  expect(await seen('anonymous')).toBe(0);
  await set(id, `status = 'publish'`);
  expect(await seen('anonymous')).toBe(20);
  await expectCountersToBeRight();
});
