/** Rights over terms: which capability of the taxonomy each act takes, and its code without. */
import { admits } from '@sevenfold/chassis/access';
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { PostSubject } from '../posts/policy';
import {
  editorsOf,
  refuseCreateTerm,
  refuseDeleteTerm,
  refuseListTerms,
  mayCreateMissing,
  refuseUpdateTerm,
  refuseViewTerm,
} from './policy';
import { taxonomies } from './taxonomies';

const user = (...capabilities: string[]): Actor => ({
  ...stranger,
  id: 5,
  capabilities: new Set(capabilities),
});
const post: PostSubject = { type: 'post', status: 'draft', author: 6, password: '' };
const about = <S>(actor: Actor, context: string, subject: S) => ({ actor, args: { context }, subject });

describe.each(Object.values(taxonomies))('$many', (taxonomy) => {
  const { rights } = taxonomy;
  const all = user(...Object.values(rights));
  const allBut = (capability: string): Actor =>
    user(...Object.values(rights).filter((one) => one !== capability));

  test('making, changing and deleting take their rights', () => {
    expect(refuseCreateTerm(taxonomy)({ actor: user(rights.create) })).toBeUndefined();
    expect(refuseCreateTerm(taxonomy)({ actor: allBut(rights.create) })?.code).toBe('rest_cannot_create');
    expect(refuseUpdateTerm(taxonomy)({ actor: user(rights.update) })).toBeUndefined();
    expect(refuseUpdateTerm(taxonomy)({ actor: allBut(rights.update) })?.code).toBe('rest_cannot_update');
    for (const subject of [undefined, { isDefault: false }]) {
      expect(refuseDeleteTerm(taxonomy)({ actor: user(rights.delete), subject })).toBeUndefined();
      expect(refuseDeleteTerm(taxonomy)({ actor: allBut(rights.delete), subject })?.code).toBe(
        'rest_cannot_delete',
      );
    }
    expect(refuseDeleteTerm(taxonomy)({ actor: all, subject: { isDefault: true } })).toMatchObject({
      code: 'rest_cannot_delete',
      message: 'The default category of the site cannot be deleted.',
    });
  });

  test('other services are told who may change them, and nobody else', () => {
    expect(admits(editorsOf(taxonomy), user(rights.update))).toBe(true);
    for (const actor of [stranger, allBut(rights.update)])
      expect(admits(editorsOf(taxonomy), actor)).toBe(false);
  });

  test('the edit context takes the right to change them', () => {
    for (const rule of [refuseListTerms, refuseViewTerm]) {
      expect(rule(taxonomy)(about(stranger, 'view', undefined))).toBeUndefined();
      expect(rule(taxonomy)(about(allBut(rights.update), 'edit', undefined))?.code).toBe(
        'rest_forbidden_context',
      );
      expect(rule(taxonomy)(about(user(rights.update), 'edit', undefined))).toBeUndefined();
    }
  });

  test('those of a post are for whoever reads the post', () => {
    expect(refuseListTerms(taxonomy)(about(stranger, 'view', { post }))?.code).toBe('rest_forbidden_context');
    expect(refuseListTerms(taxonomy)(about(user(rights.update), 'edit', { post }))?.code).toBe(
      'rest_forbidden_context',
    );
    expect(
      refuseListTerms(taxonomy)(about(stranger, 'view', { post: { ...post, status: 'publish' } })),
    ).toBeUndefined();
    expect(
      refuseListTerms(taxonomy)(about(user('edit_posts', 'edit_others_posts'), 'view', { post })),
    ).toBeUndefined();
  });

  test('imports bring along what is not there, and so does whoever may make it', () => {
    expect(
      [stranger, user(rights.create), user('manage_imports')].map((one) => mayCreateMissing(one, taxonomy)),
    ).toEqual([false, true, true]);
  });
});
