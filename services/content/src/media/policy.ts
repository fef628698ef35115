/** Who may see, upload, change and delete media. An attachment is as visible as what it is attached to. */
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import { type Denial, type Subject } from '@sevenfold/chassis/http/route';
import { canDeletePost, canEditPost, canReadPost } from '../posts/policy';
import type { MediaRow } from './store';
import { deny } from '../errors';

type Asked = Pick<Subject<unknown, unknown>, 'actor' | 'args' | 'sent'>;
type About = Asked & { readonly subject: MediaRow | undefined };

export const canRead = (actor: Actor, media: MediaRow): boolean => canReadPost(actor, media);

export function refuseListMedia({ actor, args }: Asked): Denial | undefined {
  if (args.context === 'edit' && !can(actor, 'edit_posts'))
    return deny('rest_forbidden_context', 'Listing media in the edit context takes the right to edit posts.');
  return undefined;
}

export function refuseReadMedia({ actor, args, subject }: About): Denial | undefined {
  if (!subject) return undefined;
  if (args.context === 'edit') {
    return canEditPost(actor, subject)
      ? undefined
      : deny(
          'rest_forbidden_context',
          'Reading this attachment in the edit context takes the right to edit it.',
        );
  }
  return canRead(actor, subject) ? undefined : cannotRead();
}

export const cannotRead = (): Denial => deny('rest_forbidden', 'You are not allowed to see this attachment.');

export function refuseUploadMedia({ actor }: Asked): Denial | undefined {
  return can(actor, 'upload_files')
    ? undefined
    : deny('rest_cannot_create', 'Uploading files takes the right to do so.');
}

export function refuseUpdateMedia({ actor, args, sent, subject }: About): Denial | undefined {
  if (!subject && can(actor, 'edit_posts')) return refuseGiveToOther(actor, args, sent, undefined);
  return refuseUpdate(actor, subject) ?? refuseGiveToOther(actor, args, sent, subject?.author);
}

export const refuseUpdate = (actor: Actor, media: MediaRow | undefined): Denial | undefined =>
  media && canEditPost(actor, media)
    ? undefined
    : deny('rest_cannot_edit', 'You are not allowed to edit this attachment.');

/** Speaking for somebody else takes the right to edit what others write. */
export function refuseGiveToOther(
  actor: Actor,
  args: Asked['args'],
  sent: Asked['sent'],
  owner: number | undefined,
): Denial | undefined {
  if (
    !sent.has('author') ||
    args.author === actor.id ||
    args.author === owner ||
    can(actor, 'edit_others_posts')
  )
    return undefined;
  return deny(
    'rest_cannot_edit_others',
    "Making somebody else the owner takes the right to edit others' posts.",
  );
}

export function refuseDeleteMedia({ actor, subject }: About): Denial | undefined {
  if (!subject && isLoggedIn(actor) && can(actor, 'delete_posts')) return undefined;
  return refuseDelete(actor, subject);
}

export const refuseDelete = (actor: Actor, media: MediaRow | undefined): Denial | undefined =>
  media && canDeletePost(actor, media)
    ? undefined
    : deny('rest_cannot_delete', 'You are not allowed to delete this attachment.');

export const canSideload = (actor: Actor): boolean =>
  can(actor, 'upload_files') || can(actor, 'manage_imports');
