/** Pages of venues or organizers, newest first. Whether one has events is judged by the events the caller may read. */
import { type Actor, isLoggedIn } from '@sevenfold/chassis/actor';
import { readsOf } from '@sevenfold/chassis/db/lanes';
import { FAR } from '@sevenfold/chassis/db/selection';
import { Conditions, type Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import { totalPages } from '@sevenfold/chassis/http/paging';
import { stripControl } from '@sevenfold/text/text';
import { listed, numberListed } from '../common/listings';
import { askedStatuses, canRead, visibility } from '../common/policy';
import type { Deps } from '../deps';
import * as events from '../events/store';
import { noSuchPage } from './errors';
import type { LinkedKind } from './kind';
import type { LinkedRow, Listed } from './fields';
import type { ListTable } from './schema';
import * as store from './store';

export interface LinkedPage<R extends LinkedRow> {
  readonly rows: Listed<R>[];
  readonly total: number;
  /** There are more than the total says. */
  readonly more: boolean;
  readonly pages: number;
}

/** Throws 404 when the page is beyond the last one. */
export async function listLinked<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  actor: Actor,
  query: ArgsOf<ListTable>,
): Promise<LinkedPage<R>> {
  const { quick, costly } = readsOf(deps, actor);
  const { search } = query;
  const conditions = new Conditions();
  const statuses = askedStatuses(actor, query.status);
  conditions.add(visibility(conditions, actor, statuses, 't'));
  const base = conditions.where;
  if (query.event !== undefined) {
    const event = await events.findById(deps.db, query.event);
    if (!event || !canRead(actor, event))
      throw invalidParam('event', `event: there is no event with the number ${query.event}.`);
    conditions.add(`t.id in (select ${kind.linksOfEvent} from events e where e.id = ?)`, query.event);
  }
  const used = {
    any: query.has_events === undefined ? undefined : isYes(query.has_events),
    upcoming: query.only_with_upcoming === true,
  };
  const isUsed = used.any !== undefined || used.upcoming;
  const isOfAll = statuses.join() === 'publish' && search === undefined && query.event === undefined;
  // Users may read events that what is kept for strangers does not know.
  const isListed = isOfAll && isUsed && !isLoggedIn(actor);
  const known = isListed
    ? listed(kind, used)
    : isOfAll && !isUsed
      ? { total: `select ${numberListed(kind.many)}` }
      : {};
  if (isUsed && !isListed) {
    const named = async (which: 'any' | 'upcoming'): Promise<string> => {
      if (isLoggedIn(actor))
        return `t.id = any(${conditions.value(await withEvents(deps, costly, kind, actor, which))}::bigint[])`;
      const { rows, names } = kind.publicEvents;
      return `exists (select ${rows}${which === 'any' ? '' : ' and l.end_utc >= now()'} and ${names} = t.id)`;
    };
    if (used.any !== undefined) conditions.add(`${used.any ? '' : 'not '}(${await named('any')})`);
    if (used.upcoming) conditions.add(await named('upcoming'));
  }
  const { page, per_page: limit } = query;
  const words = search === undefined ? undefined : { term: stripControl(search).trim(), base };
  const range = { size: limit, skip: (page - 1) * limit };
  const isQuick = range.skip < FAR && !isUsed;
  const db = words ? deps.searches : isQuick ? quick : costly;
  const { rows, total, more } = await store.list(db, kind, conditions, range, { words, ...known });
  const pages = totalPages(total, limit);
  if (page > 1 && page > pages) throw noSuchPage(kind, pages);
  return { rows, total, more, pages };
}

/**
 * Ids that events name which a user may read (of strangers the indexes of published events know); what is planned or being written is no event yet, whoever asks. It
 * takes a pass over all events, so the ids are remembered until an event changes, or for seconds as time goes on.
 */
function withEvents(
  deps: Pick<Deps, 'linksOfEvents'>,
  db: Db,
  { linksOfEvent }: Pick<LinkedKind, 'linksOfEvent'>,
  actor: Actor,
  which: 'any' | 'upcoming',
): Promise<readonly number[]> {
  const seen = new Conditions();
  seen.add(visibility(seen, actor, ['publish', 'private'], 'e'));
  if (which === 'upcoming') seen.add('e.end_utc >= now()');
  const text = `select distinct ${linksOfEvent} as id from events e where ${seen.where}`;
  return deps.linksOfEvents.get(JSON.stringify([text, seen.values]), async () =>
    (await db.rows<{ id: number }>(text, seen.values)).map(({ id }) => id),
  );
}

export const linksOptions = { lifetimeMs: 15_000, most: 200 } as const;

/** Anything that is not a yes is a no, as clients know it. */
const isYes = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === 'string' && /^\s*(1|true|yes|on|y)\s*$/i.test(value));
