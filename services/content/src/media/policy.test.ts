/** Rights over media: which capability each act takes, and with which code it is refused without. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { PostSubject } from '../posts/policy';
import {
  canRead,
  canSideload,
  refuseDeleteMedia,
  refuseGiveToOther,
  refuseListMedia,
  refuseReadMedia,
  refuseUpdateMedia,
  refuseUploadMedia,
} from './policy';
import type { MediaRow } from './store';

const OWN = 5;
const user = (...capabilities: string[]): Actor => ({
  ...stranger,
  id: OWN,
  capabilities: new Set(capabilities),
});
const attachment = (more: Partial<PostSubject> = {}): MediaRow => {
  const subject: PostSubject = { type: 'attachment', status: 'inherit', author: 6, password: '', ...more };
  // The rules look at nothing else of a row.
  return subject as MediaRow;
};
const draft: PostSubject = { type: 'post', status: 'draft', author: 6, password: '' };
const about = (actor: Actor, subject: MediaRow | undefined, args: Record<string, unknown> = {}) => ({
  actor,
  subject,
  args,
  sent: new Set(Object.keys(args)),
});
const view = { context: 'view' };
const edit = { context: 'edit' };

test('an attachment is as visible as what it is attached to', () => {
  expect(canRead(stranger, attachment())).toBe(true);
  expect(canRead(stranger, attachment({ parentPost: { ...draft, status: 'publish' } }))).toBe(true);
  expect(canRead(stranger, attachment({ parentPost: draft }))).toBe(false);
  expect(refuseReadMedia(about(stranger, attachment({ parentPost: draft }), view))?.code).toBe(
    'rest_forbidden',
  );
  expect(refuseReadMedia(about(stranger, attachment(), view))).toBeUndefined();
  expect(refuseReadMedia(about(stranger, undefined, edit))).toBeUndefined();
});

test('the edit context takes the right to edit: posts for the list, this one for one', () => {
  expect(refuseListMedia(about(stranger, undefined, view))).toBeUndefined();
  expect(refuseListMedia(about(stranger, undefined, edit))?.code).toBe('rest_forbidden_context');
  expect(refuseListMedia(about(user('edit_posts'), undefined, edit))).toBeUndefined();
  expect(refuseReadMedia(about(user('edit_posts'), attachment(), edit))?.code).toBe('rest_forbidden_context');
  expect(refuseReadMedia(about(user('edit_posts', 'edit_others_posts'), attachment(), edit))).toBeUndefined();
  expect(refuseReadMedia(about(user('edit_posts'), attachment({ author: OWN }), edit))).toBeUndefined();
});

test('uploading takes its own right; managing imports may bring files too', () => {
  expect(refuseUploadMedia(about(user('edit_posts'), undefined))?.code).toBe('rest_cannot_create');
  expect(refuseUploadMedia(about(user('upload_files'), undefined))).toBeUndefined();
  expect(
    [user('upload_files'), user('manage_imports'), user('edit_posts'), stranger].map(canSideload),
  ).toEqual([true, true, false, false]);
});

test('changing takes the right to edit it, or anything where nothing is', () => {
  expect(refuseUpdateMedia(about(user('edit_posts'), attachment()))?.code).toBe('rest_cannot_edit');
  expect(refuseUpdateMedia(about(user('edit_posts'), attachment({ author: OWN })))).toBeUndefined();
  expect(refuseUpdateMedia(about(user('edit_posts', 'edit_others_posts'), attachment()))).toBeUndefined();
  expect(refuseUpdateMedia(about(user('edit_posts'), undefined))).toBeUndefined();
  expect(refuseUpdateMedia(about(stranger, undefined))?.code).toBe('rest_cannot_edit');
});

test('giving it to somebody else takes the right to edit what others write', () => {
  const give = (actor: Actor, author: number | undefined, owner: number | undefined) =>
    refuseGiveToOther(actor, { author }, new Set(author === undefined ? [] : ['author']), owner)?.code;
  expect(give(user(), undefined, 6)).toBeUndefined();
  expect(give(user(), OWN, undefined)).toBeUndefined();
  expect(give(user(), 6, 6)).toBeUndefined();
  expect(give(user(), 7, 6)).toBe('rest_cannot_edit_others');
  expect(give(user(), 7, undefined)).toBe('rest_cannot_edit_others');
  expect(give(user('edit_others_posts'), 7, 6)).toBeUndefined();
  const mine = attachment({ author: OWN });
  expect(refuseUpdateMedia(about(user('edit_posts'), mine, { author: 7 }))?.code).toBe(
    'rest_cannot_edit_others',
  );
  expect(refuseUpdateMedia(about(user('edit_posts'), mine, { author: OWN }))).toBeUndefined();
  expect(refuseUpdateMedia(about(user('edit_posts'), undefined, { author: 7 }))?.code).toBe(
    'rest_cannot_edit_others',
  );
});

test('deleting takes the right to delete it', () => {
  expect(refuseDeleteMedia(about(user('delete_posts'), attachment()))?.code).toBe('rest_cannot_delete');
  expect(refuseDeleteMedia(about(user('delete_posts', 'delete_others_posts'), attachment()))).toBeUndefined();
  expect(refuseDeleteMedia(about(user('delete_posts'), attachment({ author: OWN })))).toBeUndefined();
  expect(refuseDeleteMedia(about(user('delete_posts'), undefined))).toBeUndefined();
  expect(refuseDeleteMedia(about(user('edit_posts'), undefined))?.code).toBe('rest_cannot_delete');
  const nobody = { ...user('delete_posts'), id: 0 };
  expect(refuseDeleteMedia(about(nobody, undefined))?.code).toBe('rest_cannot_delete');
});
