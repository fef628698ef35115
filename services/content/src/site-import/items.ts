/**
 * Posts, pages and files of an export. What they link to (parents, pictures) may come later in the file, or with another
 * one: such links are kept beside them, and set when both ends are here (links.ts). A page that waits for its parent has
 * no address yet, so that it takes none away at the top.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { hasPermalink, isUnfinished } from '@sevenfold/publishing/statuses';
import { uniqueSlug } from '@sevenfold/publishing/slugs';
import { slugify, trashedSlug } from '@sevenfold/text/slug';
import { stripControl } from '@sevenfold/text/text';
import * as media from '../media/store';
import { QUEUE, settle } from '../posts/aftermath';
import { pathBelow, pathOfPost } from '../posts/links';
import { lockPageTree, pagePath } from '../posts/page-tree';
import { spaceOf } from '../posts/slugs';
import { sourcesFor } from '../posts/sources';
import * as posts from '../posts/store';
import { renderTexts } from '../posts/texts';
import { retrying } from '../posts/transactions';
import type { PostTypeName } from '../posts/types';
import { orderEmbeds } from '@sevenfold/publishing/embeds/order';
import * as termStore from '../terms/store';
import { addressOfFile, insertFile } from './attachments';
import { authorOf } from './authors';
import type { ImportCall } from './call';
import { dateOf } from './dates';
import { type ExportedItem, metaOf } from './exported';
import { claimEven, findImported, keptId, lockImported, noteImported } from './identities';
import { notePending } from './pending';
import { placeOf } from './places';
import { beforeTrash, statusOf, statusOfFile } from './statuses';
import { numberOf } from './survey';
import { ensureTerm, skipTaxonomy, taxonomyOf } from './terms';

/** Everything that the row is made of and that no transaction is needed for. */
interface Prepared {
  readonly type: PostTypeName;
  readonly status: string;
  readonly date: { readonly local: string; readonly gmt: string };
  readonly author: number;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly format: string;
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
  const { deps, report, site } = call;
  const known = await findImported(deps.db, site, 'post', identityOf(item));
  if (known !== undefined && (await posts.findById(deps.db, known))) {
    report.countKnown(type);
    return known;
  }
  const prepared = await prepare(call, item, type);
  if (typeof prepared === 'string') {
    report.skip({ kind: type, title: item.title || item.slug, line: item.line, reason: prepared });
    return undefined;
  }
  const { id, isNew } = await retrying(deps, async (tx) => {
    const other = await lockImported(tx, site, 'post', identityOf(item));
    if (other !== undefined && (await posts.findById(tx, other))) return { id: other, isNew: false };
    return { id: await write(tx, call, item, prepared), isNew: true };
  });
  if (isNew) report.countCreated(type);
  else report.countKnown(type);
  return id;
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
    author: await authorOf(call, item.creator, item.line),
    url: address.url,
    ...(await termsOf(call, item, type)),
    even: await claimEven(call, item.foreignId),
  };
}

async function write(tx: Db, call: ImportCall, item: ExportedItem, prepared: Prepared): Promise<number> {
  const { type, status, date, author, url } = prepared;
  const { deps, site } = call;
  if (type !== 'post') await lockPageTree(tx);
  const id = (await keptId(tx, call, item.foreignId, prepared.even)) ?? (await posts.nextId(tx));
  const parent = await parentOf(tx, call, item, type);
  const waits = type === 'page' && parent === undefined;
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
    dateChosen: true,
    modifiedLocal: date.local,
    modifiedGmt: date.gmt,
    guid: stripControl(item.guid).slice(0, 2_000) || `${deps.siteUrl}/?p=${id}`,
    ...texts,
    ...renderTexts(texts, await sourcesFor(tx, { id, ...texts }, await deps.settings.get())),
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
  await posts.insert(tx, row);
  if (type === 'attachment') await insertFile(tx, id, item, url);
  await noteImported(tx, site, 'post', identityOf(item), id, placeOf(item.link));
  if (!isPost && parent === undefined)
    await notePending(tx, site, 'post', id, 'parent', item.parent, waits ? wanted : '');
  if (picture !== '' && featuredMedia === 0) await notePending(tx, site, 'post', id, 'picture', picture);
  if (type === 'attachment') await media.announce(tx, id, '');
  else {
    await settle(tx, undefined, row);
    await orderEmbeds(tx, QUEUE, row.id, row.contentRaw);
  }
  return id;
}

type Parent = Pick<posts.PostRow, 'id' | 'status' | 'slug' | 'path'>;
const NONE: Parent = { id: 0, status: '', slug: '', path: '' };

/** Undefined: it has one that is not here yet. */
async function parentOf(
  tx: Db,
  { site }: ImportCall,
  item: ExportedItem,
  type: PostTypeName,
): Promise<Parent | undefined> {
  if (type === 'post' || numberOf(item.parent) === 0 || item.parent === item.foreignId) return NONE;
  const id = await findImported(tx, site, 'post', item.parent);
  const row = id === undefined ? undefined : await posts.findById(tx, id);
  // Things of the calendar have no files attached.
  if (id !== undefined && !row) return type === 'attachment' ? NONE : undefined;
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

async function termsOf(
  call: ImportCall,
  item: ExportedItem,
  type: PostTypeName,
): Promise<Pick<Prepared, 'categories' | 'tags' | 'format'>> {
  if (type !== 'post') return { categories: [], tags: [], format: 'standard' };
  const format = item.terms.find(({ taxonomy }) => taxonomy === 'post_format')?.slug;
  const found = await importTerms(call, item);
  return {
    categories: found.get('category') ?? [],
    tags: found.get('post_tag') ?? [],
    format: format?.replace(/^post-format-/, '').slice(0, 40) || 'standard',
  };
}

/** Ids by taxonomy of the terms that an item carries; they are made where the export describes them nowhere else. */
export async function importTerms(call: ImportCall, item: ExportedItem): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const term of item.terms) {
    if (term.taxonomy === 'post_format') continue;
    const taxonomy = taxonomyOf(term.taxonomy);
    if (!taxonomy) {
      skipTaxonomy(call, { ...term, line: item.line });
      continue;
    }
    const id = await ensureTerm(call, taxonomy, term);
    if (id !== undefined) found.set(taxonomy, [...(found.get(taxonomy) ?? []), id]);
  }
  return found;
}

async function categoriesOf(call: ImportCall, tx: Db, ids: readonly number[]): Promise<number[]> {
  const existing = await termStore.existingInNameOrder(tx, 'category', [...ids]);
  if (existing.length > 0) return existing;
  const { default_category: fallback } = await call.deps.settings.get();
  return termStore.existingInNameOrder(tx, 'category', [fallback]);
}
