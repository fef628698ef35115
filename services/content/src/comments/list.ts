/**
 * Lists of comments: the filter as conditions, what the caller may see among them, and the total of exactly that. The
 * plain lists (no filter but status and type) take their total from the counters that triggers keep; a list of named
 * posts leaves the question of who may read them to policy.ts.
 */
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import { type Lane, readsOf } from '@sevenfold/chassis/db/lanes';
import type { Found } from '@sevenfold/chassis/db/list';
import { type OrderKey, type SkippedBy, FAR } from '@sevenfold/chassis/db/selection';
import { type SearchedFor, listWhole, searchFor } from '@sevenfold/chassis/db/page';
import type { Searched } from '@sevenfold/chassis/db/search';
import { Conditions, type Database } from '@sevenfold/chassis/db/sql';
import { publishedStatuses, sqlWords } from '@sevenfold/publishing/statuses';
import type { Linkable } from '../posts/links';
import { canEditPost } from '../posts/policy';
import { type PostTypeName, postTypes } from '../posts/types';
import { isModerator } from './policy';
import { COMMENT_COLUMNS, type CommentRow, type CommentStatus, type CommentedPost } from './store';

export type CommentOrder = 'date' | 'date_gmt' | 'id' | 'include' | 'post' | 'parent' | 'type';

/** Empty lists filter nothing. */
export interface CommentFilter {
  readonly statuses: readonly CommentStatus[];
  /** `comment`, `pings`, `all` … */
  readonly type: string;
  readonly search: string;
  /** ISO moments, exclusive. */
  readonly after?: string;
  readonly before?: string;
  readonly author: readonly number[];
  readonly authorExclude: readonly number[];
  readonly authorEmail: string;
  readonly include: readonly number[];
  readonly exclude: readonly number[];
  readonly parent: readonly number[];
  readonly parentExclude: readonly number[];
  /** Ids as asked for, and those posts that exist and that the caller may read. */
  readonly post: readonly number[];
  readonly readablePosts: readonly CommentedPost[];
  readonly orderBy: CommentOrder;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  readonly skippedBy?: SkippedBy;
}

type ListRow = Omit<CommentRow, 'commentedPost'> & {
  readonly postId: number | null;
  readonly postType: PostTypeName;
  readonly postStatus: string;
  readonly postSlug: string;
  readonly postPath: string;
};

interface ListDeps {
  readonly db: Database;
  readonly lists: Lane;
  readonly searches: Lane;
}

/** One page and the number of all, in one statement. */
export async function list(deps: ListDeps, actor: Actor, filter: CommentFilter): Promise<Found<CommentRow>> {
  const where = new Conditions();
  addStatus(where, filter.statuses);
  addType(where, filter.type);
  const plain = where.parts.length;
  addFilters(where, filter, isModerator(actor));
  const isPlain = where.parts.length === plain && filter.search === '';
  const kind = where.parts.join(' and ') || 'true';
  addVisibility(where, actor, filter);
  const order = orderOf(filter, where);
  const { quick, costly } = readsOf(deps, actor);
  // What is said below some posts is read through their index.
  const isQuick = isPlain ? filter.offset < FAR && isIndexed(order) : filter.post.length > 0;
  const found = await listWhole<ListRow>(
    filter.search !== '' ? deps.searches : isQuick ? quick : costly,
    {
      table: 'comments',
      as: 'c',
      columns: `${COMMENT_COLUMNS}, p.id as "postId", p.type as "postType", p.status as "postStatus",
        p.slug as "postSlug", p.path as "postPath"`,
      joins: 'left join posts p on p.id = c.post',
      conditions: where,
      order,
      total: isPlain ? plainTotal(where, actor, filter, kind) : undefined,
      search: filter.search === '' ? undefined : searchFor(where, order, searchedFor(actor, filter)),
    },
    { skip: filter.offset, size: filter.limit, by: filter.skippedBy },
  );
  return { ...found, rows: found.rows.map(toRow) };
}

function toRow(row: ListRow): CommentRow {
  const commentedPost: Linkable | undefined =
    row.postId === null
      ? undefined
      : {
          id: row.postId,
          type: row.postType,
          status: row.postStatus,
          slug: row.postSlug,
          path: row.postPath,
        };
  return { ...row, commentedPost };
}

// ---- filters -----------------------------------------------------------------------------------------------------

// The words come from our own list, and partial indexes need to see them in the statement's text.
function addStatus(where: Conditions, statuses: readonly CommentStatus[]): void {
  if (statuses.length === 0) where.add('false');
  else if (statuses.length === 1) where.add(`c.status = '${statuses[0] as string}'`);
  else if (statuses.length < 5)
    where.add(`c.status in (${statuses.map((status) => `'${status}'`).join(', ')})`);
}

function addType(where: Conditions, type: string): void {
  if (type === 'comment') where.check(`c.type = 'comment'`);
  else if (type === 'pings') where.check(`c.type in ('pingback', 'trackback')`);
  else if (type !== '' && type !== 'all') where.check('c.type = ?', type);
}

const SEARCHED: Searched = {
  text: `lower(c.author_name || E'\\n' || c.author_url || E'\\n' || c.content_raw)`,
  title: 'c.author_name',
};
const ADDRESSES = `(c.author_email || E'\\n' || c.author_ip)`;
const SEARCHED_BY_MODERATORS: Searched = { text: `lower${ADDRESSES}`, title: ADDRESSES };

function addFilters(where: Conditions, filter: CommentFilter, moderator: boolean): void {
  const oneOf = (column: string, ids: readonly number[]): void => {
    if (ids.length === 1) where.add(`${column} = ?`, ids[0]);
    else if (ids.length > 1) where.add(`${column} = any(?::bigint[])`, ids);
  };
  const noneOf = (column: string, ids: readonly number[]): void => {
    if (ids.length > 0) where.check(`${column} <> all(?::bigint[])`, ids);
  };
  oneOf('c.id', filter.include);
  noneOf('c.id', filter.exclude);
  oneOf('c.parent', filter.parent);
  noneOf('c.parent', filter.parentExclude);
  oneOf('c.author', filter.author);
  // Lets the partial index of authors serve.
  if (filter.author.length > 0 && !filter.author.includes(0)) where.add('c.author > 0');
  noneOf('c.author', filter.authorExclude);
  if (moderator) oneOf('c.post', filter.post);
  else if (filter.post.length > 0) {
    if (filter.readablePosts.length === 0) where.add('false');
    oneOf(
      'c.post',
      filter.readablePosts.map((post) => post.id),
    );
  }
  // Addresses are not for everybody, so a filter must not tell whose one is.
  if (filter.authorEmail !== '' && !moderator) where.add('false');
  else if (filter.authorEmail !== '') where.add('lower(c.author_email) = lower(?)', filter.authorEmail);
  if (filter.after !== undefined) where.add('c.date_gmt > ?::timestamptz', filter.after);
  if (filter.before !== undefined) where.add('c.date_gmt < ?::timestamptz', filter.before);
}

const newestFirst: readonly OrderKey[] = [
  { sql: 'c.date_gmt', direction: 'desc' },
  { sql: 'c.id', direction: 'desc' },
];

/** Orders whose index knows which comments come first. */
const INDEXED: ReadonlySet<string> = new Set(['c.date_gmt', 'c.date_local', 'c.id']);
const isIndexed = (order: readonly OrderKey[]): boolean => INDEXED.has(order[0]?.sql ?? '');

function searchedFor(actor: Actor, filter: CommentFilter): SearchedFor {
  const base = new Conditions();
  addStatus(base, filter.statuses);
  if (!isLoggedIn(actor)) base.add(filter.post.length > 0 ? `c.status = 'approved'` : PUBLIC);
  return {
    term: filter.search,
    // Addresses are not for everybody, so a search must not tell whether one is there.
    columns: isModerator(actor) ? [SEARCHED, SEARCHED_BY_MODERATORS] : [SEARCHED],
    base: base.where,
    indexed: INDEXED,
    first: newestFirst,
    text: 'c.content_raw',
  };
}

// ---- who sees what -----------------------------------------------------------------------------------------------

const PUBLIC = `c.post_public and c.status = 'approved'`;

function addVisibility(where: Conditions, actor: Actor, filter: CommentFilter): void {
  if (isModerator(actor)) return;
  if (filter.post.length > 0) {
    // Whoever asks for posts that he may not read was refused before; what is left is the state of each comment.
    const editable = filter.readablePosts.filter((post) => canEditPost(actor, post)).map((post) => post.id);
    if (!isLoggedIn(actor)) where.add(`c.status = 'approved'`);
    else if (editable.length === 0) where.add(`c.status = 'approved' or c.author = ?`, actor.id);
    else where.add(`c.status = 'approved' or c.author = ? or c.post = any(?::bigint[])`, actor.id, editable);
  } else if (!isLoggedIn(actor)) where.add(PUBLIC);
  else {
    const me = where.value(actor.id);
    const readable = `c.post_public or c.post in (
      select id from posts where author = ${me} and password = '' and status <> 'inherit')`;
    where.add(
      `(${readable}) and (c.status = 'approved' or c.author = ${me}) or c.post in (${editablePosts(actor, me)})`,
    );
  }
}

/** The caller's own posts that he may edit: canEditPost as a condition. */
function editablePosts(actor: Actor, me: string): string {
  const editable = Object.values(postTypes).flatMap(({ name, plural }) => {
    if (!can(actor, `edit_${plural}`)) return [];
    const finished = can(actor, `edit_published_${plural}`)
      ? ''
      : ` and case status when 'trash' then status_before_trash else status end not in ${sqlWords(publishedStatuses)}`;
    return [`type = '${name}'${finished}`];
  });
  if (editable.length === 0) return 'select id from posts where false';
  return `select id from posts where author = ${me} and (${editable.map((one) => `(${one})`).join(' or ')})`;
}

/** Exact without counting: what triggers counted, and what only this caller sees besides, found through his id. */
function plainTotal(where: Conditions, actor: Actor, filter: CommentFilter, kind: string): string {
  if (filter.statuses.length === 0) return 'select 0';
  const counted = (condition: string): string =>
    `select coalesce(sum(c.total), 0)::bigint from comment_totals c where ${kind} and ${condition}`;
  if (isModerator(actor)) return counted('true');
  const shared = counted(PUBLIC);
  if (!isLoggedIn(actor)) return shared;
  const me = where.value(actor.id);
  const notPublic = `not (post_public and status = 'approved')`;
  return `(${shared}) + (
    select count(*) from (
      select id, post, author, status, type, post_public from comments
        where author = ${me} and author > 0 and ${notPublic}
      union
      select id, post, author, status, type, post_public from comments
        where post in (select id from posts where author = ${me}) and ${notPublic}
    ) c where ${where.where})`;
}

function orderOf({ orderBy, order, include }: CommentFilter, where: Conditions): OrderKey[] {
  const by = (sql: string, direction: OrderKey['direction'] = order): OrderKey => ({ sql, direction });
  switch (orderBy) {
    case 'id':
      return [by('c.id')];
    case 'date':
      return [by('c.date_local'), by('c.id')];
    case 'date_gmt':
      return [by('c.date_gmt'), by('c.id')];
    case 'include':
      // The order is the one that was given, whatever the direction; nothing given, nothing changes.
      return include.length === 0
        ? [by('c.date_gmt'), by('c.id')]
        : [by(`array_position(${where.value(include)}::bigint[], c.id)`, 'asc')];
    // Among equals the newest comes first, whatever the direction: clients are used to it.
    case 'post':
      return [by('c.post'), by('c.id', 'desc')];
    case 'parent':
      return [by('c.parent'), by('c.id', 'desc')];
    case 'type':
      return [by('c.type'), by('c.id', 'desc')];
  }
}
