/** Comments of an export, with their threads: what is answered comes before its answers, whatever the order of the file. */
import { isIP } from 'node:net';
import { addNofollow, sanitizeInline } from '@sevenfold/text/html';
import { renderCommentBody } from '@sevenfold/text/render';
import { cleanText, shorten, stripControl } from '@sevenfold/text/text';
import { isKeepable, isTaken } from '@sevenfold/publishing/kept-ids';
import { cleanUrl } from '../common/clean-url';
import * as store from '../comments/store';
import type { CommentStatus } from '../comments/store';
import { alone } from './alone';
import type { ImportCall } from './call';
import { dateOf } from './dates';
import { type ExportedComment, type ExportedItem, type ExportedRemark, metaOf } from './exported';
import { findImported, lockImported, noteImported } from './identities';
import { CHANGED_HERE, HIDDEN, compareSeen, leftAs, seenOfText } from './marks';
import { notePending } from './pending';
import { listIn, unserialize } from './php';
import * as posts from '../posts/store';
import { numberOf } from './survey';

const STATUS: Readonly<Record<string, CommentStatus>> = {
  '1': 'approved',
  approve: 'approved',
  approved: 'approved',
  hold: 'hold',
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
    const place = { post, parent: ids.get(comment.parent) ?? 0, title, identity: identityOf(comment, item) };
    const id = await alone(call.report, { kind: 'comment', title, line: comment.line }, () =>
      importComment(call, { ...place, ...status }, comment),
    );
    if (id !== undefined && comment.foreignId !== '') ids.set(comment.foreignId, id);
  }
}

/** A comment that comes by itself: after its post, and before or after what it answers. */
export async function importRemark(call: ImportCall, remark: ExportedRemark): Promise<void> {
  const { deps, report, site } = call;
  const title = `comment ${remark.foreignId}`;
  const skip = (reason: string): void => report.skip({ kind: 'comment', title, line: remark.line, reason });
  const post = await findImported(deps.db, site, 'post', remark.post);
  if (post === undefined) return skip('what it is about is not here');
  const row = await posts.findById(deps.db, post);
  if (!row) return skip('comments on things of the calendar are not moved');
  const parent =
    numberOf(remark.parent) === 0 ? 0 : await findImported(deps.db, site, 'comment', remark.parent);
  const place = { post, parent: parent ?? 0, title, identity: remark.foreignId };
  const status = statusOf(remark, { status: row.status }, '');
  const id = await importComment(call, { ...place, ...status }, remark);
  if (id !== undefined && parent === undefined)
    await notePending(deps.db, site, 'comment', id, 'parent', remark.parent);
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

function statusOf(comment: ExportedComment, item: Pick<ExportedItem, 'status'>, beforeTrash: string): Status {
  const status = STATUS[comment.approved] ?? 'hold';
  const isTrashed = item.status === 'trash' && (status === 'approved' || status === 'post-trashed');
  if (isTrashed) {
    const before = status === 'approved' ? 'approved' : (STATUS[beforeTrash] ?? 'approved');
    return { status: 'post-trashed', statusBefore: before };
  }
  const before = STATUS[metaOf(comment, '_wp_trash_meta_status')];
  return { status, statusBefore: status === 'trash' || status === 'spam' ? (before ?? '') : '' };
}

interface Place extends Status {
  readonly post: number;
  readonly parent: number;
  readonly title: string;
  readonly identity: string;
}

/** Its number here, from now or from an earlier run; undefined when it was skipped. */
async function importComment(
  call: ImportCall,
  place: Place,
  comment: ExportedComment & Pick<ExportedRemark, 'isRendered'>,
): Promise<number | undefined> {
  const { deps, report, site, isLive } = call;
  const { title, identity, post, parent, status, statusBefore } = place;
  const { use_smilies: smilies } = await deps.settings.get();
  const content = addNofollow(sanitizeInline(stripControl(comment.content))).trim();
  const date = dateOf(comment, call.timezone);
  const seen = isLive ? seenOf(comment) : '';
  const values = {
    post,
    parent,
    status,
    statusBefore,
    // Only the number says that a user wrote it: whoever knows an address may write it under a comment.
    author: (comment.user !== '0' && call.authorNumbers.get(comment.user)) || 0,
    authorName: shorten(cleanText(comment.author), 245),
    authorEmail: comment.email.slice(0, 100),
    authorUrl: /^https?:\/\//i.test(comment.url) ? shorten(cleanUrl(comment.url), 200) : '',
    authorIp: addressOf(comment.ip),
    authorUserAgent: stripControl(comment.agent ?? '').slice(0, 500),
    dateLocal: date.local,
    dateGmt: date.gmt,
    contentRaw: content,
    contentHtml: renderCommentBody(content, { smilies }),
  };
  const outcome = await deps.db.transaction(async (tx): Promise<{ id: number; is: Outcome } | undefined> => {
    const known = await lockImported(tx, site, 'comment', identity);
    const isAnew = call.anew.has(post);
    const row = known && (isLive || isAnew) ? await store.lockById(tx, known.id, [post]) : undefined;
    if (known && (row ? !isLive : !isAnew)) return { id: known.id, is: 'known' };
    if (content === '') return undefined;
    const note = (id: number): Promise<void> =>
      noteImported(tx, site, {
        kind: 'comment',
        type: 'comment',
        foreignId: identity,
        id,
        seen,
        leftAs: markOf(values),
      });
    if (known && row) {
      const compared = compareSeen(known.seen, seen);
      if (compared !== 'changed') return { id: row.id, is: compared === 'same' ? 'known' : 'hidden' };
      if (markOf(row) !== known.leftAs) return { id: row.id, is: 'changed here' };
      const { parent: _parent, ...changes } = values;
      await store.update(tx, row.id, changes);
      await note(row.id);
      return { id: row.id, is: 'updated' };
    }
    const wanted = numberOf(comment.foreignId);
    const isFree = isKeepable(wanted) && !(await isTaken(tx, ['comments'], wanted));
    const id = await store.insert(tx, { ...(isFree && { id: wanted }), ...values });
    if (comment.type !== '' && comment.type !== 'comment')
      await tx.run('update comments set type = $2 where id = $1', [id, comment.type.slice(0, 40)]);
    await note(id);
    return { id, is: 'created' };
  });
  const skip = (reason: string): void => report.skip({ kind: 'comment', title, line: comment.line, reason });
  if (outcome === undefined) skip('the comment has no text');
  else if (outcome.is === 'created') report.countCreated('comment');
  else if (outcome.is === 'updated') report.countUpdated('comment');
  else report.countKnown('comment');
  if (outcome?.is === 'changed here') skip(CHANGED_HERE);
  if (outcome?.is === 'hidden') skip(HIDDEN);
  return outcome?.id;
}

/** The first of several, as proxies write them: the client's. What is no address at all tells nobody anything. */
const addressOf = (text: string): string =>
  text
    .slice(0, 1_000)
    .split(/[\s,]+/)
    .find((word) => isIP(word) !== 0) ?? '';

type Outcome = 'created' | 'updated' | 'known' | 'hidden' | 'changed here';

const seenOf = ({
  line: _line,
  meta: _meta,
  isRendered = false,
  ...said
}: ExportedComment & Pick<ExportedRemark, 'isRendered'>): string => seenOfText(isRendered, said);

const markOf = (
  row: Pick<store.CommentValues, 'contentRaw' | 'status' | 'authorName' | 'authorEmail' | 'authorUrl'>,
): string => leftAs(row.contentRaw, row.status, row.authorName, row.authorEmail, row.authorUrl);

/** Without a number it is known by who said it, when and where. */
const identityOf = (comment: ExportedComment, item: ExportedItem): string =>
  comment.foreignId ||
  `${item.foreignId || item.guid || item.title}#${comment.date}#${comment.author}`.slice(0, 500);
