/** Rights over users: everybody sees and edits himself, the rest takes a capability; each refusal has its code. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import {
  canManageCredentials,
  canViewUser,
  createUser,
  deleteMe,
  deleteUser,
  listUsers,
  updateMe,
  updateUser,
  viewMe,
  viewUser,
} from './policy';

const ME = 5;
const user = (...capabilities: string[]): Actor => ({
  ...stranger,
  id: ME,
  capabilities: new Set(capabilities),
});
const person = (id: number, published = false) => ({ id, published });
type Args = Record<string, unknown>;
const asked = (actor: Actor, args: Args = {}) => ({ actor, args, sent: new Set(Object.keys(args)) });
const about = (actor: Actor, subject: ReturnType<typeof person> | undefined, args: Args = {}) => ({
  ...asked(actor, args),
  subject,
});

test('whoever has published is seen by all; others by themselves and by those who list or edit users', () => {
  expect(canViewUser(stranger, person(6, true))).toBe(true);
  expect(canViewUser(stranger, person(6))).toBe(false);
  expect(canViewUser(user(), person(ME))).toBe(true);
  expect(canViewUser(user('list_users'), person(6))).toBe(true);
  expect(canViewUser(user('edit_users'), person(6))).toBe(true);
  expect(viewUser(about(stranger, person(6)))).toMatchObject({ code: 'rest_user_cannot_view' });
  expect(viewUser(about(stranger, person(6, true)))).toBeUndefined();
  expect(viewUser(about(stranger, undefined, { context: 'edit' }))).toBeUndefined();
});

test('the edit context is for oneself and for those who edit users', () => {
  const edit = { context: 'edit' };
  expect(viewUser(about(user(), person(ME), edit))).toBeUndefined();
  expect(viewUser(about(user('edit_users'), person(6), edit))).toBeUndefined();
  expect(viewUser(about(user('list_users'), person(6, true), edit))?.code).toBe('rest_forbidden_context');
});

test.each<[string, Args, string, string]>([
  ['by role', { roles: ['editor'] }, 'list_users', 'rest_user_cannot_view'],
  ['in the edit context', { context: 'edit' }, 'list_users', 'rest_forbidden_context'],
  ['by mail address', { orderby: 'email' }, 'list_users', 'rest_forbidden_orderby'],
  ['by registration', { orderby: 'registered_date' }, 'list_users', 'rest_forbidden_orderby'],
  ['of authors', { who: 'authors' }, 'edit_posts', 'rest_forbidden_who'],
])('a list %s takes a right', (_name, args, capability, code) => {
  expect(listUsers(asked(stranger, args))?.code).toBe(code);
  expect(listUsers(asked(user(capability), args))).toBeUndefined();
});

test.each<Args>([
  {},
  { roles: [] },
  { roles: 'editor' },
  { context: 'view' },
  { orderby: 'name' },
  { who: 'x' },
])('a list with %j is open', (args) => expect(listUsers(asked(stranger, args))).toBeUndefined());

test('making users takes its right, giving roles one more', () => {
  expect(createUser(asked(user('promote_users')))?.code).toBe('rest_cannot_create_user');
  expect(createUser(asked(user('create_users')))).toBeUndefined();
  expect(createUser(asked(user('create_users'), { roles: [] }))?.code).toBe('rest_cannot_edit_roles');
  expect(createUser(asked(user('create_users', 'promote_users'), { roles: [] }))).toBeUndefined();
});

test('everybody edits himself; others take the right to edit users; roles the right to promote', () => {
  expect(updateUser(about(user(), person(ME)))).toBeUndefined();
  expect(updateUser(about(user(), person(6)))?.code).toBe('rest_cannot_edit');
  expect(updateUser(about(user('edit_users'), person(6)))).toBeUndefined();
  expect(updateUser(about(user(), undefined))?.code).toBe('rest_cannot_edit');
  expect(updateUser(about(user('edit_users'), undefined))).toBeUndefined();
  expect(updateUser(about(user(), person(ME), { roles: [] }))?.code).toBe('rest_cannot_edit_roles');
  expect(updateUser(about(user('promote_users'), person(ME), { roles: [] }))).toBeUndefined();
  expect(updateUser(about(user(), person(ME), { name: 'x' }))).toBeUndefined();
});

test('deleting takes its right', () => {
  expect(deleteUser(asked(user('edit_users')))?.code).toBe('rest_user_cannot_delete');
  expect(deleteUser(asked(user('delete_users')))).toBeUndefined();
});

test('nobody is nobody', () => {
  expect(viewMe(asked(stranger))).toMatchObject({ code: 'rest_not_logged_in', status: 401 });
  expect(viewMe(asked(user()))).toBeUndefined();
  for (const refusal of [updateMe(asked(stranger)), deleteMe(asked(stranger))])
    expect(refusal).toMatchObject({ code: 'rest_user_invalid_id', status: 404 });
  expect(updateMe(asked(user()))).toBeUndefined();
  expect(updateMe(asked(user(), { roles: [] }))?.code).toBe('rest_cannot_edit_roles');
  expect(updateMe(asked(user('promote_users'), { roles: [] }))).toBeUndefined();
  expect(deleteMe(asked(user()))?.code).toBe('rest_user_cannot_delete');
  expect(deleteMe(asked(user('delete_users')))).toBeUndefined();
});

test('credentials are for oneself, and for those who edit users', () => {
  expect(canManageCredentials(user(), ME)).toBe(true);
  expect(canManageCredentials(user(), 6)).toBe(false);
  expect(canManageCredentials(user('edit_users'), 6)).toBe(true);
  expect(canManageCredentials({ ...user('edit_users'), id: 0 }, 0)).toBe(false);
});
