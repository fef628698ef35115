/** Comments of an export, with their threads. */
import { sanitizeInline } from '@sevenfold/text/html';
import { parseDateTime, toLocal } from '@sevenfold/text/dates';
import { renderCommentBody } from '@sevenfold/text/render';
import { stripControl } from '@sevenfold/text/text';
import * as store from '../comments/store';
import type { CommentStatus } from '../comments/store';
import { sqlUtc } from '@sevenfold/publishing/dates';
import { findImported, noteImported } from './identities';
import type { ImportCall } from './call';
import type { ExportedComment } from './read-export';

const STATUS: Readonly<Record<string, CommentStatus>> = {
  '1': 'approved',
  '0': 'hold',
  spam: 'spam',
  trash: 'trash',
  'post-trashed': 'post-trashed',
};

export async function importComments(
  call: ImportCall,
  post: number,
  comments: readonly ExportedComment[],
): Promise<void> {
  const pending: { id: number; parent: string }[] = [];
  for (const comment of comments) {
    const id = await importComment(call, post, comment);
    if (id !== undefined && comment.parent !== '' && comment.parent !== '0')
      pending.push({ id, parent: comment.parent });
  }
  for (const { id, parent } of pending) {
    const above = await findImported(call.deps.db, call.site, 'comment', parent);
    if (above !== undefined && above !== id) await store.update(call.deps.db, id, { parent: above });
  }
}

/** Id of a new comment; undefined when it was there, or was skipped. */
async function importComment(
  call: ImportCall,
  post: number,
  comment: ExportedComment,
): Promise<number | undefined> {
  const { deps, report } = call;
  if ((await findImported(deps.db, call.site, 'comment', comment.foreignId)) !== undefined) {
    report.countKnown('comment');
    return undefined;
  }
  const content = sanitizeInline(stripControl(comment.content)).trim();
  if (content === '') {
    report.skip(`comment ${comment.foreignId}`, 'the comment has no text');
    return undefined;
  }
  const moment =
    parseDateTime(comment.dateGmt, 'UTC')?.utc ??
    parseDateTime(comment.date, call.timezone)?.utc ??
    new Date();
  const id = await deps.db.transaction(async (tx) => {
    const id = await store.insert(tx, {
      post,
      parent: 0,
      // Users have other ids here; the e-mail address tells who it was.
      author: await authorOf(call, comment.email),
      authorName: stripControl(comment.author).slice(0, 245),
      authorEmail: comment.email.slice(0, 100),
      authorUrl: /^https?:\/\//i.test(comment.url) ? comment.url.slice(0, 200) : '',
      authorIp: comment.ip.slice(0, 100),
      authorUserAgent: '',
      dateLocal: parseDateTime(comment.date, call.timezone)?.local ?? toLocal(moment, call.timezone),
      dateGmt: sqlUtc(moment),
      contentRaw: content,
      contentHtml: renderCommentBody(content),
      status: STATUS[comment.approved] ?? 'hold',
      statusBefore: '',
    });
    if (comment.type !== '' && comment.type !== 'comment')
      await tx.run('update comments set type = $2 where id = $1', [id, comment.type]);
    await noteImported(tx, call.site, 'comment', comment.foreignId, id);
    return id;
  });
  report.countCreated('comment');
  return id;
}

async function authorOf(call: ImportCall, email: string): Promise<number> {
  if (email === '') return 0;
  const row = await call.deps.db.first<{ id: number }>(
    'select id from users where lower(email) = lower($1)',
    [email],
  );
  return row?.id ?? 0;
}
