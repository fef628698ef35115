import { admits } from '@sevenfold/chassis/access';
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import * as policy from './policy';
import { type Role, capabilitiesOf, roles, rolesThatMay } from './roles';

const actor = (role: Role | undefined, id = 7): Actor =>
  role ? { ...stranger, id, roles: [role], capabilities: capabilitiesOf([role]) } : stranger;
const everybody: (Role | undefined)[] = [
  undefined,
  'subscriber',
  'contributor',
  'author',
  'editor',
  'administrator',
];
const hidden = { id: 9, published: false };
const published = { id: 9, published: true };

/** Who passes, by role; `undefined` is a stranger. */
const allowed = (ask: (asker: Actor) => unknown): (Role | undefined)[] =>
  everybody.filter((role) => ask(actor(role)) === undefined);
const asked = (asker: Actor, args: Record<string, unknown> = {}) => ({
  actor: asker,
  args,
  sent: new Set(Object.keys(args)),
});

test('anybody lists users; some arguments take rights', () => {
  const may = (args: Record<string, unknown>) =>
    allowed((asker) => policy.refuseListUsers(asked(asker, args)));
  expect(may({})).toEqual(everybody);
  expect(may({ roles: [] })).toEqual(everybody);
  expect(may({ roles: ['author'] })).toEqual(['administrator']);
  expect(may({ context: 'edit' })).toEqual(['administrator']);
  expect(may({ context: 'embed' })).toEqual(everybody);
  expect(may({ orderby: 'email' })).toEqual(['administrator']);
  expect(may({ orderby: 'registered_date' })).toEqual(['administrator']);
  expect(may({ orderby: 'url' })).toEqual(everybody);
  expect(may({ who: 'authors' })).toEqual(['contributor', 'author', 'editor', 'administrator']);
});

test('a user is seen when published, by administrators, and by the user', () => {
  expect(allowed((asker) => policy.refuseViewUser({ ...asked(asker), subject: published }))).toEqual(
    everybody,
  );
  expect(allowed((asker) => policy.refuseViewUser({ ...asked(asker), subject: hidden }))).toEqual([
    'administrator',
  ]);
  expect(
    allowed((asker) => policy.refuseViewUser({ ...asked(asker, { context: 'edit' }), subject: published })),
  ).toEqual(['administrator']);
  expect(
    policy.refuseViewUser({ ...asked(actor('subscriber', 9), { context: 'edit' }), subject: hidden }),
  ).toBeUndefined();
});

test('writes are for administrators; everybody edits the own profile but not the own roles', () => {
  expect(allowed((asker) => policy.refuseCreateUser(asked(asker, { roles: ['editor'] })))).toEqual([
    'administrator',
  ]);
  expect(allowed((asker) => policy.refuseUpdateUser({ ...asked(asker), subject: published }))).toEqual([
    'administrator',
  ]);
  expect(allowed((asker) => policy.refuseDeleteUser(asked(asker)))).toEqual(['administrator']);
  const self = actor('subscriber', 9);
  expect(policy.refuseUpdateUser({ ...asked(self), subject: hidden })).toBeUndefined();
  expect(policy.refuseUpdateUser({ ...asked(self, { roles: [] }), subject: hidden })).toMatchObject({
    code: 'rest_cannot_edit_roles',
  });
  expect(policy.refuseUpdateMe(asked(self, { roles: [] }))).toMatchObject({ code: 'rest_cannot_edit_roles' });
});

test('without a log-in there is no me', () => {
  expect(policy.refuseUpdateMe(asked(stranger))).toMatchObject({ code: 'rest_user_invalid_id', status: 404 });
  expect(policy.refuseDeleteMe(asked(stranger))).toMatchObject({ code: 'rest_user_invalid_id', status: 404 });
  expect(allowed((asker) => policy.refuseDeleteMe(asked(asker)))).toEqual(['administrator']);
});

test('application passwords belong to their user and to administrators', () => {
  expect(everybody.filter((role) => policy.canManageCredentials(actor(role), 9))).toEqual(['administrator']);
  expect(policy.canManageCredentials(actor('subscriber', 9), 9)).toBe(true);
  expect(policy.canManageCredentials(stranger, 0)).toBe(false);
});

test('a role has everything that the role below it has', () => {
  const order = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const;
  order.slice(1).forEach((lower, index) => {
    const higher = new Set<string>(roles[order[index] as Role]);
    expect(roles[lower].filter((capability) => !higher.has(capability))).toEqual([]);
  });
  expect(rolesThatMay('edit_users')).toEqual(['administrator']);
  expect(capabilitiesOf(['pope'])).toEqual(new Set());
});

test('other services are told who may change a user: he himself, and whoever may change users', () => {
  const editors = policy.editorsOf(hidden);
  expect(everybody.filter((role) => admits(editors, actor(role)))).toEqual(['administrator']);
  expect(admits(editors, actor('subscriber', hidden.id))).toBe(true);
});
