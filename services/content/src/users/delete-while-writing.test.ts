/** Users who go, or become others, while a write of theirs or about them is under way. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { picture, fileHeaders } from '../media/testing/pictures';
import { lockPageTree } from '../posts/page-tree';
import { makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let user: Actor;
beforeAll(async () => {
  site = await startContent();
});
beforeEach(async () => {
  user = await makeUser(site.deps.db, 'editor');
});
afterAll(() => site.stop());

const told = async (answer: Promise<Answer> | undefined): Promise<unknown[]> => {
  const { status, body } = (await answer) as Answer;
  return [status, body.code];
};
/** So many requests wait for what others have locked. */
const waiting = (n: number) => () =>
  site.deps.db.first(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
     having count(*) >= $1`,
    [n],
  );
/** Starts them one after the other while `hold` is held; each waits, or has ended, before the next one begins. */
async function whileHeld(
  hold: (tx: Db) => Promise<unknown>,
  starts: readonly (() => Promise<Answer>)[],
  before: (tx: Db) => Promise<unknown> = () => Promise.resolve(),
): Promise<unknown[][]> {
  const answers: Promise<Answer>[] = [];
  let ended = 0;
  await site.deps.db.transaction(async (tx) => {
    await hold(tx);
    for (const start of starts) {
      answers.push(start().finally(() => ended++));
      await until(() => waiting(answers.length - ended)());
    }
    await before(tx);
  });
  return Promise.all(answers.map(told));
}

test('what a user is writing at the moment of the deletion goes to the heir', async () => {
  const heir = site.users.administrator.id;
  const answers = await whileHeld(lockPageTree, [
    () => site.as(user).post('/pages', { title: `Last words of ${user.id}` }),
    () => site.by('administrator').delete(`/users/${user.id}?force=true&reassign=${heir}`),
  ]);
  expect(answers).toEqual([
    [201, undefined],
    [200, undefined],
  ]);
  const row = await site.deps.db.first('select author from posts where title_raw = $1', [
    `Last words of ${user.id}`,
  ]);
  expect(row).toEqual({ author: heir });
});

test('what comes after it, such as a long upload that began before, is refused', async () => {
  const gone = site.as({ ...user, id: 999_999 });
  const refused = [400, 'rest_invalid_author'];
  expect(await told(gone.post('/posts', { title: 'Late' }))).toEqual(refused);
  expect(await told(gone.post('/pages', { title: 'Late' }))).toEqual(refused);
  expect(await told(gone.post('/media', await picture(20, 20), fileHeaders('late.png')))).toEqual(refused);
  expect(await site.deps.db.first('select from posts where author = 999999')).toBeUndefined();
});

test('whoever has become the only administrator since the request began stays one', async () => {
  const { administrator } = site.users;
  const answers = await whileHeld(
    (tx) =>
      tx.run('select from users where id = any($1::bigint[]) order by id for update', [
        [user.id, administrator.id],
      ]),
    [() => site.by('administrator').post(`/users/${user.id}`, { roles: ['author'] })],
    async (tx) => {
      await tx.run(`update users set roles = '{administrator}' where id = $1`, [user.id]);
      await tx.run(`update users set roles = '{editor}' where id = $1`, [administrator.id]);
    },
  );
  expect(answers).toEqual([[409, 'rest_user_last_administrator']]);
  expect(await site.deps.db.first('select roles from users where id = $1', [user.id])).toEqual({
    roles: ['administrator'],
  });
});
