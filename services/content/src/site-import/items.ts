/**
 * Posts, pages and attachments of an export. What links to other objects (parents, pictures) may name ones that come
 * later in the file: such links are kept and set at its end.
 */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { parseDateTime, toLocal } from '@sevenfold/text/dates';
import { slugify } from '@sevenfold/text/slug';
import { stripControl } from '@sevenfold/text/text';
import { typeOfEnding } from '@sevenfold/chassis/files/file-types';
import * as media from '../media/store';
import { changed, settle } from '../posts/aftermath';
import { fromSqlUtc, sqlUtc } from '@sevenfold/publishing/dates';
import { uniqueSlug } from '@sevenfold/publishing/slugs';
import { isUnfinished } from '@sevenfold/publishing/statuses';
import { pathOfPost } from '../posts/links';
import { lockPageTree, pagePath, refreshPathsBelow, usableParent } from '../posts/page-tree';
import { spaceOf } from '../posts/slugs';
import * as posts from '../posts/store';
import { renderTexts } from '../posts/texts';
import type { PostTypeName } from '../posts/types';
import * as termStore from '../terms/store';
import { findImported, noteImported } from './identities';
import type { ImportCall } from './call';
import type { ExportedItem } from './read-export';
import { ensureTerm, taxonomyOf } from './terms';

const TYPES: ReadonlySet<string> = new Set<PostTypeName>(['post', 'page', 'attachment']);
const STATUSES: ReadonlySet<string> = new Set(['publish', 'future', 'draft', 'pending', 'private', 'trash']);
const UNSET = /^0000-00-00/;

/** Id of the item here, new or from an earlier import; undefined when it was skipped. */
export async function importItem(call: ImportCall, item: ExportedItem): Promise<number | undefined> {
  const { deps, report } = call;
  const what = `${item.type} «${item.title || item.slug || item.foreignId}»`;
  if (!TYPES.has(item.type)) {
    report.skip(what, `this interface has no objects of the type ${item.type}`);
    return undefined;
  }
  const type = item.type as PostTypeName;
  const known = await findImported(deps.db, call.site, 'post', item.foreignId);
  if (known !== undefined && (await posts.findById(deps.db, known))) {
    report.countKnown(type);
    return known;
  }
  const status = statusOf(item, type);
  if (status === undefined) {
    report.skip(what, `items with the status ${item.status} are not moved`);
    return undefined;
  }
  if (type === 'attachment' && !/^https?:\/\/./.test(item.attachmentUrl)) {
    report.skip(what, 'the attachment names no file');
    return undefined;
  }
  const { categories, tags, format } = await termsOf(call, item, type);
  const date = dateOf(call, item);
  // A schedule that has passed is a publication that nobody missed.
  const settled = status === 'future' && fromSqlUtc(date.gmt).getTime() <= Date.now() ? 'publish' : status;
  const texts = {
    titleRaw: stripControl(item.title).trim(),
    contentRaw: stripControl(item.content),
    excerptRaw: stripControl(item.excerpt),
  };

  const id = await deps.db.transaction(async (tx) => {
    if (type !== 'post') await lockPageTree(tx);
    const id = await posts.nextId(tx);
    const slug =
      settled === 'trash'
        ? slugify(item.slug)
        : await uniqueSlug(
            tx,
            spaceOf({ type, parent: 0, id }),
            slugify(item.slug || item.title) || String(id),
          );
    const row = {
      id,
      type,
      status: settled,
      slug: isUnfinished(settled) && item.slug === '' ? '' : slug,
      author: call.authors.get(item.creator) ?? call.fallbackAuthor,
      dateLocal: date.local,
      dateGmt: date.gmt,
      dateChosen: true,
      modifiedLocal: date.local,
      modifiedGmt: date.gmt,
      guid: item.guid || `${deps.siteUrl}/?p=${id}`,
      ...texts,
      ...renderTexts(texts),
      password: settled === 'private' ? '' : item.password.slice(0, 255),
      menuOrder: wholeNumber(item.menuOrder),
      commentStatus: item.commentStatus === 'open' ? 'open' : 'closed',
      pingStatus: item.pingStatus === 'open' ? 'open' : 'closed',
      sticky: type === 'post' && item.sticky === '1',
      format,
      categories: type === 'post' ? await categoriesOf(call, tx, categories) : [],
      tags: type === 'post' ? await termStore.existingInNameOrder(tx, 'post_tag', tags) : [],
      statusBeforeTrash: settled === 'trash' ? 'draft' : '',
      path: '',
    };
    const placed = {
      ...row,
      path: type === 'post' ? pathOfPost(date.local, row.slug) : await pagePath(tx, 0, row.slug),
    };
    await posts.insert(tx, placed);
    if (type === 'attachment') await insertMedia(tx, id, item);
    await noteImported(tx, call.site, 'post', item.foreignId, id);
    if (type === 'attachment') await emit(tx, 'content.media.changed', { id });
    else await settle(tx, undefined, placed);
    return id;
  });
  report.countCreated(type);
  if (type !== 'post' && wholeNumber(item.parent) > 0) call.pendingParents.push({ id, parent: item.parent });
  const picture = item.meta.get('_thumbnail_id')?.trim();
  if (picture) call.pendingPictures.push({ id, picture });
  return id;
}

function statusOf(item: ExportedItem, type: PostTypeName): string | undefined {
  if (type === 'attachment')
    return item.status === 'private' ? 'private' : item.status === 'trash' ? undefined : 'inherit';
  return STATUSES.has(item.status) ? item.status : undefined;
}

const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

/** The clock of the other site is kept, as permalinks hang on it; the moment is what the file says, or that clock here. */
function dateOf(call: ImportCall, item: ExportedItem): { local: string; gmt: string } {
  const gmt = UNSET.test(item.dateGmt) ? undefined : parseDateTime(item.dateGmt, 'UTC')?.utc;
  const local = UNSET.test(item.date) ? undefined : parseDateTime(item.date, call.timezone);
  const moment = gmt ?? local?.utc ?? new Date();
  return { local: local?.local ?? toLocal(moment, call.timezone), gmt: sqlUtc(moment) };
}

async function termsOf(
  call: ImportCall,
  item: ExportedItem,
  type: PostTypeName,
): Promise<{ categories: number[]; tags: number[]; format: string }> {
  const found = { categories: [] as number[], tags: [] as number[], format: 'standard' };
  if (type !== 'post') return found;
  for (const term of item.terms) {
    if (term.taxonomy === 'post_format') {
      found.format = term.slug.replace(/^post-format-/, '') || 'standard';
      continue;
    }
    const taxonomy = taxonomyOf(term.taxonomy);
    if (!taxonomy) continue;
    const id = await ensureTerm(call, taxonomy, term.slug, term.name);
    if (id === undefined) continue;
    if (taxonomy === 'category') found.categories.push(id);
    else if (taxonomy === 'post_tag') found.tags.push(id);
  }
  return found;
}

async function categoriesOf(call: ImportCall, tx: Db, ids: number[]): Promise<number[]> {
  const existing = await termStore.existingInNameOrder(tx, 'category', ids);
  if (existing.length > 0) return existing;
  const { default_category: fallback } = await call.deps.settings.get();
  return termStore.existingInNameOrder(tx, 'category', [fallback]);
}

/** The record of a file that stays where it is: nothing is fetched, its address stands for its path. */
async function insertMedia(tx: Db, id: number, item: ExportedItem): Promise<void> {
  const ending = new URL(item.attachmentUrl).pathname.split('.').at(-1) ?? '';
  const taken = await tx.first('select from media where file = $1', [item.attachmentUrl]);
  await media.insert(tx, {
    postId: id,
    file: taken ? `${item.attachmentUrl}#${id}` : item.attachmentUrl,
    mimeType: typeOfEnding(ending)?.mime ?? 'application/octet-stream',
    filesize: 0,
    altText: stripControl(item.meta.get('_wp_attachment_image_alt') ?? ''),
    details: {},
    sourceUrl: '',
  });
}

/** Sets the links that named objects further down the file. */
export async function finishLinks(call: ImportCall): Promise<void> {
  const { db } = call.deps;
  for (const { id, parent } of call.pendingParents.splice(0)) {
    const above = await findImported(db, call.site, 'post', parent);
    if (above === undefined) continue;
    await db.transaction((tx) => setParent(tx, id, above));
  }
  for (const { id, picture } of call.pendingPictures.splice(0)) {
    const attachment = await findImported(db, call.site, 'post', picture);
    if (attachment !== undefined) await posts.update(db, id, { featuredMedia: attachment });
  }
}

async function setParent(tx: Db, id: number, above: number): Promise<void> {
  await lockPageTree(tx);
  const row = await posts.lockById(tx, id);
  const parent = row && (row.type === 'page' ? await usableParent(tx, id, above) : above);
  if (!row || !parent) return;
  const slug = row.slug === '' ? '' : await uniqueSlug(tx, spaceOf({ type: row.type, parent, id }), row.slug);
  await posts.update(tx, id, { parent, slug, path: slug === '' ? '' : await pagePath(tx, parent, slug) });
  await refreshPathsBelow(tx, id);
  await emit(tx, 'content.post.changed', changed(row, row.status));
}
