/** Comments of an export, with their threads: what is answered comes before its answers, whatever the order of the file. */
import { sanitizeInline } from '@sevenfold/text/html';
import { renderCommentBody } from '@sevenfold/text/render';
import { stripControl } from '@sevenfold/text/text';
import { isKeepable, isTaken } from '@sevenfold/publishing/kept-ids';
import * as store from '../comments/store';
import type { CommentStatus } from '../comments/store';
import { alone } from './alone';
import type { ImportCall } from './call';
import { dateOf } from './dates';
import { type ExportedComment, type ExportedItem, metaOf } from './exported';
import { lockImported, noteImported } from './identities';
import { listIn, unserialize } from './php';
import { numberOf } from './survey';

const STATUS: Readonly<Record<string, CommentStatus>> = {
  '1': 'approved',
  approve: 'approved',
  '0': 'hold',
  spam: 'spam',
  trash: 'trash',
  'post-trashed': 'post-trashed',
};

export async function importComments(call: ImportCall, post: number, item: ExportedItem): Promise<void> {
  // What the comments of a post in the trash were before it went there.
  const before = listIn(unserialize(metaOf(item, '_wp_trash_meta_comments_status')));
  const ids = new Map<string, number>();
  for (const comment of inOrder(item.comments)) {
    const title = `comment ${comment.foreignId} of «${item.title || item.slug}»`;
    const was = before?.get(comment.foreignId);
    const status = statusOf(comment, item, typeof was === 'string' ? was : '');
    const id = await alone(call.report, { kind: 'comment', title, line: comment.line }, () =>
      importComment(call, { post, parent: ids.get(comment.parent) ?? 0, ...status }, comment, item),
    );
    if (id !== undefined && comment.foreignId !== '') ids.set(comment.foreignId, id);
  }
}

/** Each after what it answers; what answers itself, round some corners, answers nothing. */
function inOrder(comments: readonly ExportedComment[]): ExportedComment[] {
  const byId = new Map(comments.map((comment) => [comment.foreignId, comment]));
  const ordered = new Set<ExportedComment>();
  for (const comment of comments) {
    const line: ExportedComment[] = [];
    const seen = new Set<ExportedComment>();
    for (let at: ExportedComment | undefined = comment; at && !ordered.has(at) && !seen.has(at);) {
      seen.add(at);
      line.push(at);
      at = at.parent === '' ? undefined : byId.get(at.parent);
    }
    for (const one of line.reverse()) ordered.add(one);
  }
  return [...ordered];
}

interface Status {
  readonly status: CommentStatus;
  readonly statusBefore: string;
}

function statusOf(comment: ExportedComment, item: ExportedItem, beforeTrash: string): Status {
  const status = STATUS[comment.approved] ?? 'hold';
  const isTrashed = item.status === 'trash' && (status === 'approved' || status === 'post-trashed');
  if (isTrashed) {
    const before = status === 'approved' ? 'approved' : (STATUS[beforeTrash] ?? 'approved');
    return { status: 'post-trashed', statusBefore: before };
  }
  const before = STATUS[metaOf(comment, '_wp_trash_meta_status')];
  return { status, statusBefore: status === 'trash' || status === 'spam' ? (before ?? '') : '' };
}

/** Its number here, from now or from an earlier run; undefined when it was skipped. */
async function importComment(
  call: ImportCall,
  place: Status & { readonly post: number; readonly parent: number },
  comment: ExportedComment,
  item: ExportedItem,
): Promise<number | undefined> {
  const { deps, report, site } = call;
  const { use_smilies: smilies } = await deps.settings.get();
  const content = sanitizeInline(stripControl(comment.content)).trim();
  const identity = identityOf(comment, item);
  const date = dateOf(comment, call.timezone);
  const made = await deps.db.transaction(async (tx) => {
    const known = await lockImported(tx, site, 'comment', identity);
    if (known !== undefined) return { id: known, isNew: false };
    if (content === '') return undefined;
    const wanted = numberOf(comment.foreignId);
    const isFree = isKeepable(wanted) && !(await isTaken(tx, ['comments'], wanted));
    const id = await store.insert(tx, {
      ...(isFree && { id: wanted }),
      ...place,
      // Only the number says that a user wrote it: whoever knows an address may write it under a comment.
      author: (comment.user !== '0' && call.authorNumbers.get(comment.user)) || 0,
      authorName: stripControl(comment.author).slice(0, 245),
      authorEmail: comment.email.slice(0, 100),
      authorUrl: /^https?:\/\//i.test(comment.url) ? comment.url.slice(0, 200) : '',
      authorIp: comment.ip.slice(0, 100),
      authorUserAgent: '',
      dateLocal: date.local,
      dateGmt: date.gmt,
      contentRaw: content,
      contentHtml: renderCommentBody(content, { smilies }),
    });
    if (comment.type !== '' && comment.type !== 'comment')
      await tx.run('update comments set type = $2 where id = $1', [id, comment.type.slice(0, 40)]);
    await noteImported(tx, site, 'comment', identity, id);
    return { id, isNew: true };
  });
  if (made === undefined)
    report.skip({
      kind: 'comment',
      title: `comment ${comment.foreignId} of «${item.title || item.slug}»`,
      line: comment.line,
      reason: 'the comment has no text',
    });
  else if (made.isNew) report.countCreated('comment');
  else report.countKnown('comment');
  return made?.id;
}

/** Without a number it is known by who said it, when and where. */
const identityOf = (comment: ExportedComment, item: ExportedItem): string =>
  comment.foreignId ||
  `${item.foreignId || item.guid || item.title}#${comment.date}#${comment.author}`.slice(0, 500);
