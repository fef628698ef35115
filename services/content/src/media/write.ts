/** Writes of attachments: what a create, an update and a delete change, each in one transaction. */
import { type Actor, isLoggedIn } from '@sevenfold/chassis/actor';
import { emit, enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { renderExcerpt } from '@sevenfold/text/excerpt';
import { renderTitle, renderingBody } from '@sevenfold/text/render';
import type { Sources } from '@sevenfold/text/rendering';
import { inTurns } from '@sevenfold/text/steps';
import { cleanText } from '@sevenfold/text/text';
import { type Common, follow } from '@sevenfold/publishing/course';
import { hasPermalink } from '@sevenfold/publishing/statuses';
import * as comments from '../comments/of-posts';
import type { Deps } from '../deps';
import { apiError, errors } from '../errors';
import { checkKept } from '../posts/args';
import { orderAttached, orderShownIn } from '../posts/attached';
import { errors as postErrors } from '../posts/errors';
import { pathBelow } from '../posts/links';
import { canEditPost } from '../posts/policy';
import { settleRow, wantedDate } from '../posts/settle-row';
import * as posts from '../posts/store';
import { cleanBody, cleanTitle, rawText, refuseLong } from '../posts/texts';
import type { SiteSettings } from '../settings/values';
import type { StoredMedia } from './add';
import * as register from './file-register';
import { refuseDelete, refuseUpdate } from './policy';
import { besides, fileUrl, nameOf } from './presenter';
import type { MediaFields } from './schema';
import * as store from './store';

type Writable = { -readonly [K in keyof posts.PostChanges]: posts.PostChanges[K] };

/** Columns that follow from the sent texts. The caption is the excerpt, the description the content. */
async function textChanges(
  actor: Actor,
  fields: MediaFields,
  sources: Sources,
  current?: store.MediaRow,
): Promise<Writable> {
  refuseLong('title', fields.title, current?.titleRaw);
  refuseLong('caption', fields.caption, current?.excerptRaw);
  refuseLong('alt_text', fields.alt_text, current?.altText);
  const changes: Writable = {};
  const title = cleanTitle(actor, fields.title);
  const caption = await cleanBody(actor, fields.caption);
  const description = await cleanBody(actor, fields.description);
  if (title !== undefined) Object.assign(changes, { titleRaw: title, titleHtml: renderTitle(title) });
  if (caption !== undefined)
    Object.assign(changes, { excerptRaw: caption, excerptHtml: renderExcerpt(caption, undefined, sources) });
  if (description !== undefined)
    Object.assign(changes, {
      contentRaw: description,
      contentHtml: await inTurns(renderingBody(description, sources)),
    });
  return changes;
}

type Parent = Pick<posts.PostRow, 'id' | 'status' | 'slug' | 'path'>;

/** Who it is attached to: something the actor may edit, and no attachment. Locked, so that its path stays what it is. */
async function findParent(tx: Db, actor: Actor, id: number): Promise<Parent | undefined> {
  if (id === 0) return undefined;
  const parent = await posts.lockById(tx, id);
  if (parent?.type === 'attachment')
    throw invalidParam('post', 'post is itself an attachment; nothing can be attached to it.');
  if (!parent || !canEditPost(actor, parent))
    throw apiError(
      'rest_cannot_edit',
      403,
      'You are not allowed to attach files to this post, or there is no such post.',
    );
  return parent;
}

/** Below its post when that has a readable address; otherwise only the form with the id works. */
function pathOf(parent: Parent | undefined, slug: string): string {
  if (!parent) return slug;
  const isLinked = hasPermalink(parent.status) && parent.slug !== '' && parent.path !== '';
  return isLinked ? pathBelow(parent.path, slug) : '';
}

async function requireAuthor(tx: Db, id: number): Promise<void> {
  if (!(await posts.holdAuthor(tx, id))) throw postErrors.invalidAuthor();
}

/** Any status but `private` leaves an attachment as visible as what it is attached to. */
const statusOf = (wanted: string | undefined): string => (wanted === 'private' ? 'private' : 'inherit');

export interface NewAttachment {
  readonly actor: Actor;
  readonly author: number;
  readonly fields: MediaFields;
  readonly sourceUrl?: string;
  readonly importId?: string;
}

/** Writes the rows of files that are stored already; answers the id. */
export async function createMedia(
  tx: Db,
  deps: Deps,
  stored: StoredMedia,
  entry: NewAttachment,
): Promise<number> {
  const { actor, author, fields } = entry;
  const settings = await deps.settings.within(tx);
  const { timezone, default_comment_status: commentStatus, use_smilies: smilies } = settings;
  // An upload may take longer than its user stays; what a service brings for nobody has no author.
  if (author !== 0 || isLoggedIn(actor)) await requireAuthor(tx, author);
  const parent = await findParent(tx, actor, fields.post ?? 0);
  const id = await posts.nextId(tx);
  const texts = await textChanges(
    actor,
    { ...fields, title: rawText(fields.title) || stored.title },
    { smilies },
  );
  const place = { id, type: 'attachment', parent: parent?.id ?? 0 } as const;
  const settled = await settleRow(
    tx,
    place,
    undefined,
    {
      status: statusOf(fields.status),
      date: wantedDate(fields, timezone),
      slug: fields.slug,
      title: texts.titleRaw ?? '',
    },
    { now: new Date(), timezone },
  );
  await posts.insert(tx, {
    ...place,
    ...settled,
    author,
    // What was uploaded, whatever is shown of it.
    guid: fileUrl(deps.siteUrl, besides(stored.file, stored.details.original_image ?? nameOf(stored.file))),
    ...texts,
    path: pathOf(parent, settled.slug),
    commentStatus: fields.comment_status ?? commentStatus,
    pingStatus: fields.ping_status ?? 'closed',
  });
  await store.insert(tx, {
    postId: id,
    file: stored.file,
    mimeType: stored.mimeType,
    filesize: stored.filesize,
    altText: cleanText(fields.alt_text ?? ''),
    details: stored.details,
    sourceUrl: entry.sourceUrl ?? '',
    importId: entry.importId,
  });
  if ((await register.giveFiles(tx, stored.upload, id)) === 0)
    throw new Error(`the files of upload ${stored.upload} were given up before it ended`);
  await store.announce(tx, id, '');
  await orderAttached(tx, [place.parent]);
  return id;
}

/** What is the same for every write of an attachment. */
const courseOf = (id: number): Common<store.MediaRow, unknown> => ({
  lock: (tx) => store.lockById(tx, id),
  gone: errors.postNotFound,
  announce: (tx, { status }) => store.announce(tx, id, status),
});

export async function updateMedia(
  tx: Db,
  deps: Deps,
  actor: Actor,
  id: number,
  fields: MediaFields,
): Promise<void> {
  const settings = await deps.settings.within(tx);
  const course = courseOf(id);
  await follow(tx, actor, {
    ...course,
    lock: async (tx) => {
      // Before the file: whoever moves a place locks that first, and the files below it after.
      if (fields.post) await posts.lockById(tx, fields.post);
      return course.lock(tx);
    },
    refuse: (row) => refuseUpdate(actor, row),
    settle: async (_tx, row) => {
      checkKept(fields, row);
      const changes = await changesOf(tx, actor, row, fields, settings);
      await posts.update(tx, id, changes);
      await orderShownIn(tx, id, [row.parent, changes.parent ?? 0]);
      if (row.status === 'trash' && changes.status !== 'trash') await comments.untrashForPost(tx, id);
      if (fields.alt_text !== undefined) await store.setAltText(tx, id, cleanText(fields.alt_text));
    },
  });
}

/** `row` is locked. */
async function changesOf(
  tx: Db,
  actor: Actor,
  row: store.MediaRow,
  fields: MediaFields,
  { timezone, use_smilies: smilies }: SiteSettings,
): Promise<posts.PostChanges> {
  const changes = await textChanges(actor, fields, { smilies }, row);
  if (fields.author !== undefined && fields.author !== row.author) {
    await requireAuthor(tx, fields.author);
    changes.author = fields.author;
  }
  if (fields.comment_status !== undefined) changes.commentStatus = fields.comment_status;
  if (fields.ping_status !== undefined) changes.pingStatus = fields.ping_status;
  if (fields.template !== undefined) changes.template = fields.template;
  const wantedParent = fields.post === undefined ? row.parent : (fields.post ?? 0);
  const moved = wantedParent !== row.parent;
  const parent = moved ? await findParent(tx, actor, wantedParent) : row.parentPost;
  if (moved) changes.parent = parent?.id ?? 0;
  const settled = await settleRow(
    tx,
    row,
    row,
    {
      // Without a status, or with the one that it has, the trash keeps what is in it; with any other it comes back.
      status:
        fields.status === undefined || fields.status === row.status ? row.status : statusOf(fields.status),
      date: wantedDate(fields, timezone),
      slug: fields.slug,
      title: changes.titleRaw ?? row.titleRaw,
      isMoved: moved,
    },
    { now: new Date(), timezone },
  );
  if (settled.slug !== row.slug || moved) changes.path = pathOf(parent, settled.slug);
  return { ...changes, ...settled };
}

/** Out of sight, files and rows kept. 410 when it is there already. */
export async function trashMedia(tx: Db, deps: Deps, actor: Actor, id: number): Promise<void> {
  const { timezone } = await deps.settings.within(tx);
  await follow(tx, actor, {
    ...courseOf(id),
    refuse: (row) => refuseDelete(actor, row),
    settle: async (_tx, row) => {
      if (row.status === 'trash') throw postErrors.alreadyTrashed();
      const wish = { status: 'trash', title: row.titleRaw };
      await posts.update(tx, id, await settleRow(tx, row, row, wish, { now: new Date(), timezone }));
      await orderShownIn(tx, id, [row.parent]);
      await comments.trashForPost(tx, id);
    },
  });
}

/**
 * For good. The files may only go after the commit: this transaction promises it by a job, and answers the upload whose
 * files the caller may remove at once.
 */
export const removeMedia = (tx: Db, actor: Actor, id: number): Promise<number | undefined> =>
  follow(tx, actor, {
    ...courseOf(id),
    refuse: (row) => refuseDelete(actor, row),
    settle: async (_tx, row) => {
      const upload = await register.uploadOf(tx, id);
      await comments.removeForPost(tx, [id]);
      await store.clearFeatured(tx, id);
      await posts.remove(tx, id);
      await orderShownIn(tx, id, [row.parent]);
      if (upload !== undefined) await enqueue(tx, 'content.media', 'remove-files', { upload });
      return upload;
    },
    announce: () => emit(tx, 'content.media.deleted', { id }),
  });
