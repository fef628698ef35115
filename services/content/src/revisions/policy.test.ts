/** Revisions follow their post: editing it opens them, deleting it deletes them, and of nothing there are none. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { PostSubject } from '../posts/policy';
import { refuseDelete, refuseRead } from './policy';

const post: PostSubject = { type: 'post', status: 'draft', author: 6, password: '' };
const user = (...capabilities: string[]): Actor => ({
  ...stranger,
  id: 5,
  capabilities: new Set(capabilities),
});

test.each([
  ['read', refuseRead, 'edit', 'rest_cannot_read'],
  ['deleted', refuseDelete, 'delete', 'rest_cannot_delete'],
] as const)('they are %s by whoever may do so with the post', (_name, refuse, verb, code) => {
  const able = user(`${verb}_posts`, `${verb}_others_posts`);
  const other = verb === 'edit' ? 'delete' : 'edit';
  expect(refuse(able, post)).toBeUndefined();
  expect(refuse(able, undefined)?.code).toBe(code);
  expect(refuse(stranger, post)?.code).toBe(code);
  expect(refuse(user(`${verb}_posts`), post)?.code).toBe(code);
  expect(refuse(user(`${other}_posts`, `${other}_others_posts`), post)?.code).toBe(code);
});
