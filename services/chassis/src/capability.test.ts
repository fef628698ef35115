/** Who somebody is, before any signature: a stranger has no id and may do nothing, the system has no id and may what it is given. */
import { can, isLoggedIn, stranger, systemActor } from './actor';

test('a stranger is nobody and may do nothing', () => {
  expect(isLoggedIn(stranger)).toBe(false);
  expect(stranger.id).toBe(0);
  expect(can(stranger, 'edit_posts')).toBe(false);
});

test('a user is logged in, from the first id on, and may what is his', () => {
  const user = { ...stranger, id: 1, capabilities: new Set(['edit_posts']) };
  expect(isLoggedIn(user)).toBe(true);
  expect(isLoggedIn({ ...user, id: 900_000 })).toBe(true);
  expect(isLoggedIn({ ...user, id: -1 })).toBe(false);
  expect(can(user, 'edit_posts')).toBe(true);
  expect(can(user, 'edit_pages')).toBe(false);
});

test('the system is no user, and may what it was given', () => {
  const system = systemActor(['manage_imports']);
  expect(isLoggedIn(system)).toBe(false);
  expect(system.name).toBe('system');
  expect(can(system, 'manage_imports')).toBe(true);
  expect(can(system, 'edit_posts')).toBe(false);
});
