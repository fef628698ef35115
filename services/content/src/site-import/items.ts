/**
 * Posts, pages and files of an export. What they link to (parents, pictures) may come later in the file, or with another
 * one: such links are kept beside them, and set when both ends are here (links.ts). A page that waits for its parent has
 * no address yet, so that it takes none away at the top. A file is private so long: what it hangs on may not be everybody's.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { hasPermalink, isUnfinished } from '@sevenfold/publishing/statuses';
import { uniqueSlug } from '@sevenfold/publishing/slugs';
import { slugify, trashedSlug } from '@sevenfold/text/slug';
import { stripControl } from '@sevenfold/text/text';
import * as media from '../media/store';
import { orderShown, settle } from '../posts/aftermath';
import { orderShownIn } from '../posts/attached';
import { pathBelow, pathOfPost } from '../posts/links';
import { lockPageTree, pagePath, usableParent } from '../posts/page-tree';
import { spaceOf } from '../posts/slugs';
import { renderWritten } from '../posts/sources';
import * as posts from '../posts/store';
import { retrying } from '../posts/transactions';
import type { PostTypeName } from '../posts/types';
import * as termStore from '../terms/store';
import { addressOfFile, altTextOf, insertFile } from './attachments';
import { authorOf } from './authors';
import type { ImportCall } from './call';
import { type ItemDate, dateOf, modifiedOf } from './dates';
import { type ExportedItem, metaOf } from './exported';
import { noteSaid } from './file-notes';
import {
  type Known,
  claimEven,
  findImported,
  findKnown,
  keptId,
  lockImported,
  noteImported,
} from './identities';
import { type ItemTerms, categoriesOf, termsOf } from './item-terms';
import { CHANGED_HERE, HIDDEN, compareSeen, leftAt, seenOf } from './marks';
import { dropPending, notePending } from './pending';
import { placeOf } from './places';
import { beforeTrash, statusOf, statusOfFile } from './statuses';
import { numberOf } from './survey';

/** Everything that the row is made of and that no transaction is needed for. */
interface Prepared extends ItemTerms {
  readonly type: PostTypeName;
  readonly status: string;
  readonly date: ItemDate;
  readonly modified: ItemDate;
  readonly author: number;
  /** Address of a file. */
  readonly url: string;
  readonly even: number | undefined;
}

/** By what an item is known when it has no number. */
export const identityOf = (item: ExportedItem): string =>
  item.foreignId ||
  `${item.guid || item.link}#${item.type}#${item.slug}#${item.date}#${item.title}`.slice(0, 500);

/** Number of the item here, new or from an earlier run; undefined when it was skipped. */
export async function importItem(
  call: ImportCall,
  item: ExportedItem,
  type: PostTypeName,
): Promise<number | undefined> {
  const id = await bring(call, item, type);
  if (id !== undefined && type === 'attachment' && call.isLive) await noteSaid(call.deps.db, id, item);
  return id;
}

async function bring(call: ImportCall, item: ExportedItem, type: PostTypeName): Promise<number | undefined> {
  const { deps, report, site } = call;
  const skip = (reason: string): void =>
    report.skip({ kind: type, title: item.title || item.slug, line: item.line, reason });
  const known = await findKnown(deps.db, site, 'post', identityOf(item));
  if (known && (await posts.findById(deps.db, known.id)) && !isNews(call, item, known, skip)) {
    report.countKnown(type);
    return known.id;
  }
  const prepared = await prepare(call, item, type);
  if (typeof prepared === 'string') {
    skip(prepared);
    return undefined;
  }
  const { id, outcome } = await retrying(deps, async (tx) => {
    const other = await lockImported(tx, site, 'post', identityOf(item));
    const row = other && (await posts.lockById(tx, other.id));
    if (!other || !row)
      return { id: await write(tx, call, item, prepared), outcome: other ? 'created anew' : 'created' };
    if (!call.isLive) return { id: other.id, outcome: 'known' };
    if (row.type !== type || leftAt(row.modifiedGmt) !== other.leftAs)
      return { id: other.id, outcome: 'changed here' };
    return { id: await write(tx, call, item, prepared, row), outcome: 'updated' };
  });
  if (outcome === 'created anew') call.anew.add(id);
  if (outcome.startsWith('created')) report.countCreated(type);
  else if (outcome === 'updated') report.countUpdated(type);
  else report.countKnown(type);
  if (outcome === 'changed here') skip(CHANGED_HERE);
  return id;
}

/** Whether the other site says something else than it did. */
export function isNews(
  { isLive }: Pick<ImportCall, 'isLive'>,
  item: ExportedItem,
  known: Known,
  skip: (reason: string) => void,
): boolean {
  const compared = isLive ? compareSeen(known.seen, seenOf(item)) : 'same';
  if (compared === 'hidden') skip(HIDDEN);
  return compared === 'changed';
}

/** The reason, where it cannot be moved. */
async function prepare(call: ImportCall, item: ExportedItem, type: PostTypeName): Promise<Prepared | string> {
  const date = dateOf(item, call.timezone);
  const isFile = type === 'attachment';
  const status = isFile ? statusOfFile(item) : statusOf(item, date.gmt);
  if (status === undefined || status.startsWith('calendar-'))
    return `items with the status ${item.status || '(none)'} are not moved`;
  const address = isFile ? addressOfFile(item, call.site) : { url: '' };
  if ('reason' in address) return address.reason;
  return {
    type,
    status,
    date,
    modified: modifiedOf(item, date, call.timezone),
    author: await authorOf(call, item),
    url: address.url,
    ...(await termsOf(call, item, type)),
    even: await claimEven(call, item.foreignId),
  };
}

/** `before` is the row that is there already. */
async function write(
  tx: Db,
  call: ImportCall,
  item: ExportedItem,
  prepared: Prepared,
  before?: posts.FullPostRow,
): Promise<number> {
  const { type, date, modified, author, url } = prepared;
  const { deps, site } = call;
  if (type !== 'post') await lockPageTree(tx);
  const id =
    before?.id ?? (await keptId(tx, call, item.foreignId, prepared.even)) ?? (await posts.nextId(tx));
  const found = await parentOf(tx, call, item, type);
  // What is above it there by now is still below it here: it stands at the top until that has come to its own place.
  const isTurned = type === 'page' && !!before && !!found?.id && (await usableParent(tx, id, found.id)) === 0;
  // What has its place keeps it until the other is here.
  const parent = isTurned ? NONE : (found ?? (before && (await posts.findById(tx, before.parent))));
  const waits = type === 'page' && parent === undefined && !before;
  const isHidden = prepared.status === 'inherit' && (parent?.id ?? 0) === 0 && found === undefined;
  const status = isHidden ? 'private' : prepared.status;
  const wanted = wantedSlug(item, status, id);
  const slug = waits ? '' : await uniqueSlug(tx, spaceOf({ type, parent: parent?.id ?? 0, id }), wanted);
  const picture = numberOf(metaOf(item, '_thumbnail_id')) === 0 ? '' : metaOf(item, '_thumbnail_id').trim();
  const featuredMedia = picture === '' ? 0 : await pictureOf(tx, call, picture);
  const texts = {
    titleRaw: stripControl(item.title).trim(),
    contentRaw: stripControl(item.content),
    excerptRaw: stripControl(item.excerpt),
  };
  const isPost = type === 'post';
  const template = metaOf(item, '_wp_page_template').trim();
  const row = {
    id,
    type,
    status,
    slug,
    author,
    dateLocal: date.local,
    dateGmt: date.gmt,
    dateChosen: date.isChosen || !isUnfinished(status),
    modifiedLocal: modified.local,
    modifiedGmt: modified.gmt,
    guid: stripControl(item.guid).slice(0, 2_000) || `${deps.siteUrl}/?p=${id}`,
    ...texts,
    ...(await renderWritten(tx, { id, type }, texts, await deps.settings.within(tx))),
    password: status === 'private' ? '' : item.password.slice(0, 255),
    parent: parent?.id ?? 0,
    menuOrder: menuOrderOf(item.menuOrder),
    commentStatus: item.commentStatus === 'open' ? 'open' : 'closed',
    pingStatus: item.pingStatus === 'open' ? 'open' : 'closed',
    sticky: isPost && item.sticky === '1' && status !== 'trash',
    format: prepared.format,
    template: template === 'default' ? '' : template.slice(0, 200),
    featuredMedia,
    categories: isPost ? await categoriesOf(call, tx, prepared.categories) : [],
    tags: isPost ? await termStore.existingInNameOrder(tx, 'post_tag', [...prepared.tags]) : [],
    statusBeforeTrash: status === 'trash' ? beforeTrash(item) : '',
    path: isPost ? pathOfPost(date.local, slug) : await pathOf(tx, type, parent, slug),
  };
  if (before) {
    const { id: _id, type: _type, guid: _guid, ...changes } = row;
    await posts.update(tx, id, changes);
  } else await posts.insert(tx, row);
  if (type === 'attachment')
    await (before ? media.setAltText(tx, id, altTextOf(item)) : insertFile(tx, id, item, url));
  await noteImported(tx, site, {
    kind: 'post',
    foreignId: identityOf(item),
    id,
    type,
    address: placeOf(item.link),
    seen: call.isLive ? seenOf(item) : '',
    leftAs: leftAt(modified.gmt),
  });
  if (before) await dropPending(tx, 'post', id);
  if (isTurned || (!isPost && found === undefined))
    await notePending(tx, site, 'post', id, 'parent', item.parent, {
      slug: waits ? wanted : '',
      status: isHidden ? prepared.status : '',
    });
  if (picture !== '' && featuredMedia === 0) await notePending(tx, site, 'post', id, 'picture', picture);
  if (type === 'attachment') {
    // Texts that moved in are made anew at the end; those that were written here may show it as well.
    if (before) await orderShownIn(tx, id, [before.parent, row.parent]);
    await media.announce(tx, id, before?.status ?? '');
  } else {
    await settle(tx, before, row);
    await orderShown(tx, row);
  }
  return id;
}

type Parent = Pick<posts.PostRow, 'id' | 'status' | 'slug' | 'path'>;
const NONE: Parent = { id: 0, status: '', slug: '', path: '' };

/** Undefined: it has one that is not here yet. */
async function parentOf(
  tx: Db,
  { open, site }: ImportCall,
  item: ExportedItem,
  type: PostTypeName,
): Promise<Parent | undefined> {
  if (type === 'post' || numberOf(item.parent) === 0 || item.parent === item.foreignId) return NONE;
  const id = await findImported(tx, site, 'post', item.parent);
  const row = id === undefined ? undefined : await posts.findById(tx, id);
  if (!row && type === 'attachment') return open.has(item.parent) ? NONE : undefined;
  if (id !== undefined && !row) return undefined;
  return row && (type === 'attachment' || row.type === 'page') ? row : id === undefined ? undefined : NONE;
}

async function pictureOf(tx: Db, { site }: ImportCall, foreignId: string): Promise<number> {
  const id = await findImported(tx, site, 'post', foreignId);
  const row = id === undefined ? undefined : await posts.findById(tx, id);
  return row?.type === 'attachment' ? row.id : 0;
}

/** In the trash it leaves its slug to others. */
function wantedSlug(item: ExportedItem, status: string, id: number): string {
  if (status === 'trash') return item.slug === '' ? '' : trashedSlug(slugify(item.slug));
  if (isUnfinished(status) && item.slug === '') return '';
  return slugify(item.slug || item.title) || String(id);
}

/** Below its post a file stands only when that has a readable address. */
function pathOf(
  tx: Db,
  type: PostTypeName,
  parent: Parent | undefined,
  slug: string,
): Promise<string> | string {
  if (slug === '') return '';
  if (type === 'page') return pagePath(tx, parent?.id ?? 0, slug);
  if (!parent || parent.id === 0) return slug;
  return hasPermalink(parent.status) && parent.slug !== '' && parent.path !== ''
    ? pathBelow(parent.path, slug)
    : '';
}

const menuOrderOf = (text: string): number => (/^-?\d{1,9}$/.test(text) ? Number(text) : 0);
