/** Users who go, or become others, while a write of theirs or about them is under way. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { picture, fileHeaders } from '../media/testing/pictures';
import { lockPageTree } from '../posts/page-tree';
import { makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { whileHeld } from '../testing/while-held';

let site: ContentSite;
let user: Actor;
beforeAll(async () => {
  site = await startContent();
});
beforeEach(async () => {
  user = await makeUser(site.deps.db, 'editor');
});
afterAll(() => site.stop());

const told = ({ status, body }: Answer): unknown[] => [status, body.code];

test('what a user is writing at the moment of the deletion goes to the heir', async () => {
  const heir = site.users.administrator.id;
  const answers = await whileHeld(site, lockPageTree, [
    () => site.as(user).post('/pages', { title: `Last words of ${user.id}` }),
    () => site.by('administrator').delete(`/users/${user.id}?force=true&reassign=${heir}`),
  ]);
  expect(answers.map(told)).toEqual([
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
  expect(told(await gone.post('/posts', { title: 'Late' }))).toEqual(refused);
  expect(told(await gone.post('/pages', { title: 'Late' }))).toEqual(refused);
  expect(told(await gone.post('/media', await picture(20, 20), fileHeaders('late.png')))).toEqual(refused);
  expect(await site.deps.db.first('select from posts where author = 999999')).toBeUndefined();
});

test('whoever has become the only administrator since the request began stays one', async () => {
  const { administrator } = site.users;
  const answers = await whileHeld(
    site,
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
  expect(answers.map(told)).toEqual([[409, 'rest_user_last_administrator']]);
  expect(await site.deps.db.first('select roles from users where id = $1', [user.id])).toEqual({
    roles: ['administrator'],
  });
});
