/** Rights over users: everybody sees and edits himself, the rest takes a capability; each refusal has its code. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import {
  canManageCredentials,
  canViewUser,
  refuseCreateUser,
  refuseDeleteMe,
  refuseDeleteUser,
  refuseListUsers,
  refuseUpdateMe,
  refuseUpdateUser,
  refuseViewUser,
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
  expect(refuseViewUser(about(stranger, person(6)))).toMatchObject({ code: 'rest_user_cannot_view' });
  expect(refuseViewUser(about(stranger, person(6, true)))).toBeUndefined();
  expect(refuseViewUser(about(stranger, undefined, { context: 'edit' }))).toBeUndefined();
});

test('the edit context is for oneself and for those who edit users', () => {
  const edit = { context: 'edit' };
  expect(refuseViewUser(about(user(), person(ME), edit))).toBeUndefined();
  expect(refuseViewUser(about(user('edit_users'), person(6), edit))).toBeUndefined();
  expect(refuseViewUser(about(user('list_users'), person(6, true), edit))?.code).toBe(
    'rest_forbidden_context',
  );
});

test.each<[string, Args, string, string]>([
  ['by role', { roles: ['editor'] }, 'list_users', 'rest_user_cannot_view'],
  ['in the edit context', { context: 'edit' }, 'list_users', 'rest_forbidden_context'],
  ['by mail address', { orderby: 'email' }, 'list_users', 'rest_forbidden_orderby'],
  ['by registration', { orderby: 'registered_date' }, 'list_users', 'rest_forbidden_orderby'],
  ['of authors', { who: 'authors' }, 'edit_posts', 'rest_forbidden_who'],
])('a list %s takes a right', (_name, args, capability, code) => {
  expect(refuseListUsers(asked(stranger, args))?.code).toBe(code);
  expect(refuseListUsers(asked(user(capability), args))).toBeUndefined();
});

test.each<Args>([
  {},
  { roles: [] },
  { roles: 'editor' },
  { context: 'view' },
  { orderby: 'name' },
  { who: 'x' },
])('a list with %j is open', (args) => expect(refuseListUsers(asked(stranger, args))).toBeUndefined());

test('making users takes its right, giving roles one more', () => {
  expect(refuseCreateUser(asked(user('promote_users')))?.code).toBe('rest_cannot_create_user');
  expect(refuseCreateUser(asked(user('create_users')))).toBeUndefined();
  expect(refuseCreateUser(asked(user('create_users'), { roles: [] }))?.code).toBe('rest_cannot_edit_roles');
  expect(refuseCreateUser(asked(user('create_users', 'promote_users'), { roles: [] }))).toBeUndefined();
});

test('everybody edits himself; others take the right to edit users; roles the right to promote', () => {
  expect(refuseUpdateUser(about(user(), person(ME)))).toBeUndefined();
  expect(refuseUpdateUser(about(user(), person(6)))?.code).toBe('rest_cannot_edit');
  expect(refuseUpdateUser(about(user('edit_users'), person(6)))).toBeUndefined();
  expect(refuseUpdateUser(about(user(), undefined))?.code).toBe('rest_cannot_edit');
  expect(refuseUpdateUser(about(user('edit_users'), undefined))).toBeUndefined();
  expect(refuseUpdateUser(about(user(), person(ME), { roles: [] }))?.code).toBe('rest_cannot_edit_roles');
  expect(refuseUpdateUser(about(user('promote_users'), person(ME), { roles: [] }))).toBeUndefined();
  expect(refuseUpdateUser(about(user(), person(ME), { name: 'x' }))).toBeUndefined();
});

test('deleting takes its right', () => {
  expect(refuseDeleteUser(asked(user('edit_users')))?.code).toBe('rest_user_cannot_delete');
  expect(refuseDeleteUser(asked(user('delete_users')))).toBeUndefined();
});

test('nobody is nobody', () => {
  for (const refusal of [refuseUpdateMe(asked(stranger)), refuseDeleteMe(asked(stranger))])
    expect(refusal).toMatchObject({ code: 'rest_user_invalid_id', status: 404 });
  expect(refuseUpdateMe(asked(user()))).toBeUndefined();
  expect(refuseUpdateMe(asked(user(), { roles: [] }))?.code).toBe('rest_cannot_edit_roles');
  expect(refuseUpdateMe(asked(user('promote_users'), { roles: [] }))).toBeUndefined();
  expect(refuseDeleteMe(asked(user()))?.code).toBe('rest_user_cannot_delete');
  expect(refuseDeleteMe(asked(user('delete_users')))).toBeUndefined();
});

test('credentials are for oneself, and for those who edit users', () => {
  expect(canManageCredentials(user(), ME)).toBe(true);
  expect(canManageCredentials(user(), 6)).toBe(false);
  expect(canManageCredentials(user('edit_users'), 6)).toBe(true);
  expect(canManageCredentials({ ...user('edit_users'), id: 0 }, 0)).toBe(false);
});
