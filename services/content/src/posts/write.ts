/** Creating and updating posts and pages, one transaction each. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { openFaults } from '@sevenfold/chassis/faults';
import * as comments from '../comments/of-posts';
import { refuseDeep } from '../common/paths';
import type { Deps } from '../deps';
import { isRasterMime } from '@sevenfold/chassis/files/file-types';
import * as media from '../media/store';
import type { SiteSettings } from '../settings/values';
import * as terms from '../terms/store';
import { orderShown, settle } from './aftermath';
import { type PostInput, checkKept } from './args';
import { errors } from './errors';
import { type Linkable, pathAbove, pathOfPost, plainLink, postLink } from './links';
import { lockPageTree, lockPost, pagePath, usableParent } from './page-tree';
import { canReadPost, refuseUpdate } from './policy';
import { settleRow, wantedDate } from './settle-row';
import { sourcesFor } from './sources';
import { follow } from '@sevenfold/publishing/course';
import * as store from './store';
import type { FullPostRow } from './store';
import { cleanBody, cleanTitle, refuseLong, renderTexts } from './texts';
import { retrying } from './transactions';
import type { PostType } from './types';

type Draft = Omit<FullPostRow, 'parentType' | 'revisionCount' | 'lastRevision'>;

export async function createPost(
  deps: Deps,
  actor: Actor,
  type: PostType,
  input: PostInput,
): Promise<FullPostRow> {
  const settings = await deps.settings.get();
  return retrying(deps, async (tx) => {
    const author = input.author ?? actor.id;
    // Of another one it is told with all that is wrong.
    if (!(await store.holdAuthor(tx, author)) && author === actor.id) throw errors.invalidAuthor();
    if (type.hierarchical) await lockPageTree(tx);
    const id = await store.nextId(tx);
    const draft = await fillIn(tx, actor, type, blank(id, type, actor, settings), undefined, input, settings);
    const row = {
      ...draft,
      guid: draft.slug === '' ? plainLink(deps.siteUrl, draft) : postLink(deps.siteUrl, draft),
    };
    await store.insert(tx, row);
    await settle(tx, undefined, row);
    await orderShown(tx, row);
    return (await store.findFullById(tx, id)) as FullPostRow;
  });
}

/** Throws 404 when it is gone. */
export async function updatePost(
  deps: Deps,
  actor: Actor,
  type: PostType,
  id: number,
  input: PostInput,
): Promise<FullPostRow> {
  const settings = await deps.settings.get();
  return retrying(deps, (tx) =>
    follow(tx, actor, {
      lock: async () => {
        if (input.author !== undefined) await store.holdAuthor(tx, input.author);
        return lockPost(tx, type, id);
      },
      gone: errors.notFound,
      refuse: (current) => refuseUpdate(actor, type, current, input),
      settle: async (_tx, current) => {
        checkKept(input, current);
        const draft = await fillIn(tx, actor, type, current, current, input, settings);
        const { id: _id, type: _type, guid: _guid, ...changes } = draft;
        await store.revise(tx, id, changedOnly(current, changes), actor.id);
        if (current.status === 'trash' && draft.status !== 'trash') await comments.untrashForPost(tx, id);
        await orderShown(tx, draft, current.contentRaw);
        return draft;
      },
      announce: async (_tx, before, after) => {
        const moved = await settle(tx, before, after);
        if (after.path.length > before.path.length) refuseDeepBelow(before, after, moved);
      },
    }).then(async () => (await store.findFullById(tx, id)) as FullPostRow),
  );
}

/** Of what got other paths by it. */
function refuseDeepBelow(before: FullPostRow, after: Draft, moved: readonly Linkable[]): void {
  const param = after.parent === before.parent ? 'slug' : 'parent';
  for (const post of moved) if (post.type === 'page') refuseDeep('page', param, pathAbove(post));
}

function changedOnly(current: FullPostRow, next: store.PostChanges): store.PostChanges {
  const isChanged = (name: keyof store.PostChanges): boolean => {
    const [old, value] = [current[name], next[name]];
    return Array.isArray(value) ? String(value) !== String(old) : value !== old;
  };
  const names = Object.keys(next) as (keyof store.PostChanges)[];
  return Object.fromEntries(names.filter(isChanged).map((name) => [name, next[name]]));
}

/** A new post before anything of the input is in it. */
function blank(id: number, type: PostType, actor: Actor, settings: SiteSettings): Draft {
  const open = (value: 'open' | 'closed'): string => (type.blog ? value : 'closed');
  return {
    id,
    type: type.name,
    status: 'draft',
    slug: '',
    author: actor.id,
    dateLocal: '',
    dateGmt: '',
    dateChosen: false,
    modifiedLocal: '',
    modifiedGmt: '',
    guid: '',
    titleRaw: '',
    titleHtml: '',
    contentRaw: '',
    contentHtml: '',
    excerptRaw: '',
    excerptHtml: '',
    password: '',
    parent: 0,
    menuOrder: 0,
    commentStatus: open(settings.default_comment_status),
    pingStatus: open(settings.default_ping_status),
    sticky: false,
    format: 'standard',
    template: '',
    featuredMedia: 0,
    categories: type.blog ? [settings.default_category] : [],
    tags: [],
    path: '',
    statusBeforeTrash: '',
  };
}

/** The row as the input makes it. `current` is undefined for a new post. */
async function fillIn(
  tx: Db,
  actor: Actor,
  type: PostType,
  base: Draft,
  current: FullPostRow | undefined,
  input: PostInput,
  settings: SiteSettings,
): Promise<Draft> {
  const { timezone } = settings;
  const texts = await textsOf(tx, actor, base, input, settings);
  const sticky = type.blog ? (input.sticky ?? base.sticky) : false;
  const password = input.password ?? base.password;
  const author = input.author ?? base.author;
  const { collect, refuse } = openFaults();
  await collect(() => {
    if (texts.titleRaw === '' && texts.contentRaw === '' && texts.excerptRaw === '') throw errors.empty();
  });
  await collect(() => {
    // What came with an import may be both, and is changed like any other.
    const isBoth = base.sticky && base.password !== '';
    if (sticky && password !== '' && !isBoth) throw errors.stickyWithPassword();
  });
  await collect(async () => {
    if (author !== base.author && !(await store.holdAuthor(tx, author))) throw errors.invalidAuthor();
  });
  const newParent = await collect(() => (type.hierarchical ? parentOf(tx, base, input.parent) : base.parent));
  const featuredMedia = await collect(() => featuredOf(tx, actor, base, input.featured_media));
  refuse();
  const parent = newParent as number;
  const settled = await settleRow(
    tx,
    { ...base, parent },
    current,
    {
      status: input.status ?? base.status,
      date: wantedDate(input, timezone),
      slug: input.slug,
      title: texts.titleRaw,
      isMoved: parent !== base.parent,
    },
    { now: new Date(), timezone },
  );
  return {
    ...base,
    ...settled,
    ...texts,
    path: type.hierarchical
      ? await pagePath(tx, parent, settled.slug)
      : pathOfPost(settled.dateLocal, settled.slug),
    author,
    // Private posts are hidden as a whole; a password would only add a second lock nobody can open.
    password: settled.status === 'private' ? '' : password,
    sticky,
    parent,
    menuOrder: input.menu_order ?? base.menuOrder,
    commentStatus: input.comment_status ?? base.commentStatus,
    pingStatus: input.ping_status ?? base.pingStatus,
    template: input.template ?? base.template,
    format: input.format ?? base.format,
    featuredMedia: featuredMedia as number,
    categories: await termsOf(tx, 'category', input.categories, current?.categories, base.categories),
    tags: await termsOf(tx, 'post_tag', input.tags, current?.tags, base.tags),
  };
}

async function textsOf(
  tx: Db,
  actor: Actor,
  base: Draft,
  input: PostInput,
  settings: SiteSettings,
): Promise<
  Pick<Draft, 'titleRaw' | 'titleHtml' | 'contentRaw' | 'contentHtml' | 'excerptRaw' | 'excerptHtml'>
> {
  refuseLong('title', input.title, base.titleRaw);
  refuseLong('excerpt', input.excerpt, base.excerptRaw);
  const raw = {
    titleRaw: cleanTitle(actor, input.title) ?? base.titleRaw,
    contentRaw: (await cleanBody(actor, input.content)) ?? base.contentRaw,
    excerptRaw: (await cleanBody(actor, input.excerpt)) ?? base.excerptRaw,
  };
  const same =
    raw.titleRaw === base.titleRaw &&
    raw.contentRaw === base.contentRaw &&
    raw.excerptRaw === base.excerptRaw;
  const { titleHtml, contentHtml, excerptHtml } = same
    ? base
    : await renderTexts(raw, await sourcesFor(tx, { id: base.id, ...raw }, settings));
  return { ...raw, titleHtml, contentHtml, excerptHtml };
}

async function parentOf(tx: Db, base: Draft, wanted: number | undefined): Promise<number> {
  if (wanted === undefined || wanted === base.parent) return base.parent;
  const parent = await usableParent(tx, base.id, wanted);
  if (parent === undefined) throw errors.invalidParent();
  const above = await pagePath(tx, parent, '');
  if (above.length > (await pagePath(tx, base.parent, '')).length) refuseDeep('page', 'parent', above);
  return parent;
}

/**
 * Other files than images count as none. One that the caller may not read is refused like one that does not exist; the
 * picture that is there already stays, whoever sends it back.
 */
async function featuredOf(tx: Db, actor: Actor, base: Draft, wanted: number | undefined): Promise<number> {
  if (wanted === undefined || wanted === base.featuredMedia) return base.featuredMedia;
  if (wanted <= 0) return 0;
  await media.hold(tx, wanted);
  const row = await media.findById(tx, wanted);
  if (!row || row.status === 'trash' || !canReadPost(actor, row))
    throw invalidParam('featured_media', `featured_media: there is no media item with the number ${wanted}.`);
  return isRasterMime(row.mimeType) ? wanted : 0;
}

/** Unknown ids vanish; only a new post without any list gets the default, which also must exist. */
async function termsOf(
  tx: Db,
  taxonomy: 'category' | 'post_tag',
  sent: readonly number[] | undefined,
  current: readonly number[] | undefined,
  fallback: readonly number[],
): Promise<readonly number[]> {
  if (sent === undefined && current) return current;
  const wanted = [...new Set(sent ?? fallback)];
  return wanted.length === 0 ? [] : terms.existingInNameOrder(tx, taxonomy, wanted);
}
