/** Who sees which entries of the registries: which capability each view takes, and its code without. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import {
  type Named,
  canAssign,
  canEditType,
  canReadStatus,
  refuseListStatuses,
  refuseListTaxonomies,
  refuseListTypes,
  refuseViewStatus,
  refuseViewTaxonomy,
  refuseViewType,
} from './policy';
import { statuses } from './statuses';
import { shownTaxonomies } from './taxonomies';
import { shownTypes } from './types';

const user = (...capabilities: string[]): Actor => ({
  ...stranger,
  id: 5,
  capabilities: new Set(capabilities),
});
const bySlug = <E extends { readonly slug: string }>(list: readonly E[], slug: string): E =>
  list.find((one) => one.slug === slug) as E;
const post = bySlug(shownTypes, 'post');
const page = bySlug(shownTypes, 'page');
const about = <E>(actor: Actor, context: string, subject?: Named<E>) => ({
  actor,
  args: { context },
  subject,
});

test('the edit context of a type takes the right to edit such posts', () => {
  expect(canEditType(user('edit_pages'), page)).toBe(true);
  expect(canEditType(user('edit_pages'), post)).toBe(false);
  expect(refuseViewType(about(stranger, 'view', post))).toBeUndefined();
  expect(refuseViewType(about(user('edit_pages'), 'edit', post))?.code).toBe('rest_forbidden_context');
  expect(refuseViewType(about(user('edit_pages'), 'edit', page))).toBeUndefined();
});

test('what is hidden is refused in every context; what is unknown is no matter of rights', () => {
  const all = user('edit_posts', 'edit_pages', 'assign_categories');
  for (const context of ['view', 'edit']) {
    expect(refuseViewType(about(all, context, 'hidden'))?.code).toBe('rest_cannot_read_type');
    expect(refuseViewStatus(about(all, context, 'hidden'))?.code).toBe('rest_cannot_read_status');
    expect(refuseViewTaxonomy(about(all, context, 'hidden'))?.code).toBe('rest_forbidden');
    expect(refuseViewType(about(stranger, context))).toBeUndefined();
    expect(refuseViewStatus(about(stranger, context))).toBeUndefined();
    expect(refuseViewTaxonomy(about(stranger, context))).toBeUndefined();
  }
});

test.each([
  ['types', refuseListTypes],
  ['statuses', refuseListStatuses],
])('the edit context of the list of %s takes the right to edit some type', (_name, rule) => {
  expect(rule(about(stranger, 'view'))).toBeUndefined();
  expect(rule(about(stranger, 'edit'))?.code).toBe('rest_cannot_view');
  expect(rule(about(user('edit_pages'), 'edit'))).toBeUndefined();
  expect(rule(about(user('edit_posts'), 'edit'))).toBeUndefined();
});

test('a status that is public is for everybody, the others for those who may edit some type', () => {
  const [published, drafted] = [bySlug(statuses, 'publish'), bySlug(statuses, 'draft')];
  expect(canReadStatus(stranger, published)).toBe(true);
  expect(canReadStatus(stranger, drafted)).toBe(false);
  expect(canReadStatus(user('edit_pages'), drafted)).toBe(true);
  expect(refuseViewStatus(about(stranger, 'view', published))).toBeUndefined();
  expect(refuseViewStatus(about(stranger, 'view', drafted))?.code).toBe('rest_cannot_read_status');
  expect(refuseViewStatus(about(user('edit_posts'), 'view', drafted))).toBeUndefined();
});

test('the edit context of taxonomies takes the right to assign their terms', () => {
  const [category, tag] = shownTaxonomies as [
    (typeof shownTaxonomies)[number],
    (typeof shownTaxonomies)[number],
  ];
  const assigner = user(category.rights.assign);
  expect(canAssign(assigner, category)).toBe(true);
  expect(canAssign(stranger, category)).toBe(false);
  expect(refuseViewTaxonomy(about(stranger, 'view', category))).toBeUndefined();
  expect(refuseViewTaxonomy(about(stranger, 'edit', category))?.code).toBe('rest_forbidden_context');
  expect(refuseViewTaxonomy(about(assigner, 'edit', category))).toBeUndefined();
  const both = refuseListTaxonomies(() => [tag, category]);
  const none = refuseListTaxonomies(() => []);
  expect(both(about(stranger, 'view'))).toBeUndefined();
  expect(both(about(stranger, 'edit'))?.code).toBe('rest_cannot_view');
  expect(both(about(assigner, 'edit'))).toBeUndefined();
  expect(none(about(assigner, 'edit'))?.code).toBe('rest_cannot_view');
});
