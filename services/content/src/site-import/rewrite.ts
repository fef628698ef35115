/**
 * Links in texts that moved in and that point to the old address of something that is here now: they lead here. What the
 * old address had and this site has not stays as it is, and is counted. Texts are read as they are by now, so doing it
 * again finds nothing more to do, and what somebody wrote since stays.
 */
import { emit } from '@sevenfold/chassis/db/outbox';
import { findAddresses, replaceAddresses } from '@sevenfold/text/addresses';
import { renderCommentBody } from '@sevenfold/text/render';
import * as comments from '../comments/store';
import * as media from '../media/store';
import { changed, orderShown } from '../posts/aftermath';
import { orderShownIn } from '../posts/attached';
import { renderWritten } from '../posts/sources';
import * as posts from '../posts/store';
import { retrying } from '../posts/transactions';
import { alone } from './alone';
import { askCalendar, calendarKindOf } from './calendar';
import type { ImportCall } from './call';
import type { ExportedItem, ExportedRemark } from './exported';
import { findImported } from './identities';
import { identityOf } from './items';
import { ExportEnds } from './read-export';
import { type Resolver, openResolver } from './resolve-address';
import type { Source } from './source';

export async function rewriteLinks(
  call: ImportCall,
  source: Source,
  progress: (records: number) => void,
): Promise<void> {
  if (call.addresses.length === 0) return;
  const resolve = openResolver(call);
  let records = 0;
  try {
    for await (const record of source.records()) {
      if (record.kind === 'item')
        await alone(call.report, { kind: 'link', title: record.title, line: record.line }, () =>
          rewriteItem(call, record, resolve),
        );
      if (record.kind === 'remark')
        await alone(call.report, { kind: 'link', title: `comment ${record.foreignId}`, line: 0 }, () =>
          rewriteRemark(call, record, resolve),
        );
      progress(++records);
    }
  } catch (error) {
    if (!(error instanceof ExportEnds)) throw error;
  }
}

async function rewriteItem(call: ImportCall, item: ExportedItem, resolve: Resolver): Promise<void> {
  const { deps, site, report } = call;
  const texts = [item.content, item.excerpt, ...item.comments.map(({ content }) => content)].join('\n');
  const id = await findImported(deps.db, site, 'post', identityOf(item));
  const by = id === undefined ? undefined : await placesIn(call, texts, resolve);
  if (id === undefined || !by) return;
  const kind = calendarKindOf(item.type);
  if (kind) {
    const replacements = [...by].map(([from, to]) => ({ from, to }));
    const { calendar } = call;
    if (!calendar) return;
    const { replaced } = await askCalendar(calendar, (remote, options) =>
      remote.replaceAddresses({ kind, id, replacements }, options),
    );
    return report.countDone('links rewritten', replaced);
  }
  report.countDone('links rewritten', await rewritePost(call, id, by));
  for (const { foreignId } of item.comments) {
    const comment = await findImported(deps.db, site, 'comment', foreignId);
    if (comment !== undefined) report.countDone('links rewritten', await rewriteComment(call, comment, by));
  }
}

/** Undefined: nothing in it is to be changed. */
async function placesIn(
  { addresses, report }: ImportCall,
  text: string,
  resolve: Resolver,
): Promise<ReadonlyMap<string, string> | undefined> {
  const by = new Map<string, string>();
  for (const address of findAddresses(text, addresses)) {
    const here = await resolve.here(address);
    if (here === undefined) report.countDone('links that lead to nothing here');
    else if (here !== address) by.set(address, here);
    // What was rewritten before the file was replaced there shows the one that it was.
    if (here !== undefined) for (const old of await resolve.before(address)) by.set(old, here);
  }
  return by.size === 0 ? undefined : by;
}

async function rewriteRemark(call: ImportCall, remark: ExportedRemark, resolve: Resolver): Promise<void> {
  const id = await findImported(call.deps.db, call.site, 'comment', remark.foreignId);
  const by = id === undefined ? undefined : await placesIn(call, remark.content, resolve);
  if (id !== undefined && by) call.report.countDone('links rewritten', await rewriteComment(call, id, by));
}

const rewritePost = ({ deps }: ImportCall, id: number, by: ReadonlyMap<string, string>): Promise<number> =>
  retrying(deps, async (tx) => {
    const row = await posts.lockById(tx, id);
    if (!row) return 0;
    const [content, excerpt] = [replaceAddresses(row.contentRaw, by), replaceAddresses(row.excerptRaw, by)];
    const count = content.replaced + excerpt.replaced;
    if (count === 0) return 0;
    const texts = { titleRaw: row.titleRaw, contentRaw: content.text, excerptRaw: excerpt.text };
    const rendered = await renderWritten(tx, row, texts, await deps.settings.within(tx));
    await posts.update(tx, id, { ...texts, ...rendered });
    if (row.type === 'attachment') {
      await orderShownIn(tx, id, [row.parent]);
      await media.announce(tx, id, row.status);
    } else {
      await orderShown(tx, { ...row, ...texts });
      await emit(tx, 'content.post.changed', changed(row, row.status));
    }
    return count;
  });

async function rewriteComment(
  { deps }: ImportCall,
  id: number,
  by: ReadonlyMap<string, string>,
): Promise<number> {
  const { use_smilies: smilies } = await deps.settings.get();
  return deps.db.transaction(async (tx) => {
    const row = await comments.lockById(tx, id, []);
    if (!row) return 0;
    const { text, replaced } = replaceAddresses(row.contentRaw, by);
    if (replaced > 0)
      await comments.update(tx, id, { contentRaw: text, contentHtml: renderCommentBody(text, { smilies }) });
    return replaced;
  });
}
