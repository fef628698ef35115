/** Pages of venues or organizers, newest first. Whether one has events is judged by the events the caller may read. */
import type { Actor } from '@sevenfold/chassis/actor';
import { Conditions } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { totalPages } from '@sevenfold/chassis/http/paging';
import { likePattern } from '@sevenfold/chassis/text/search';
import { stripControl } from '@sevenfold/chassis/text/text';
import { askedStatuses, canRead, visibility } from '../common/policy';
import type { Deps } from '../deps';
import * as events from '../events/store';
import { noSuchPage } from './errors';
import type { LinkedKind } from './kinds';
import type { LinkedRow } from './rows';
import type { LinkedListArgs } from './schema';
import * as store from './store';

export interface LinkedPage<R> {
  readonly rows: R[];
  readonly total: number;
  readonly pages: number;
}

/** Throws 404 when the page is beyond the last one. */
export async function listLinked<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  actor: Actor,
  query: LinkedListArgs,
): Promise<LinkedPage<R>> {
  const conditions = new Conditions();
  conditions.add(visibility(conditions, actor, askedStatuses(actor, query.status), 't'));
  if (query.search !== undefined)
    conditions.add('t.search_text ilike ?', likePattern(stripControl(query.search).trim()));
  if (query.event !== undefined) {
    const event = await events.findById(deps.db, query.event);
    if (!event || !canRead(actor, event))
      throw invalidParam('event', `event: there is no event with the number ${query.event}.`);
    conditions.add(`t.id in (select ${kind.linksOfEvent} from events e where e.id = ?)`, query.event);
  }
  if (query.has_events !== undefined || query.only_with_upcoming) {
    // What is planned or being written is no event yet, whoever asks.
    const seen = visibility(conditions, actor, ['publish', 'private'], 'e');
    const linked = (more = ''): string =>
      `t.id in (select ${kind.linksOfEvent} from events e where (${seen})${more})`;
    if (query.has_events !== undefined)
      conditions.add(isYes(query.has_events) ? linked() : `not (${linked()})`);
    if (query.only_with_upcoming) conditions.add(linked(' and e.end_utc >= now()'));
  }
  const { page, per_page: limit } = query;
  const { rows, total } = await store.list(deps.db, kind, conditions, { limit, offset: (page - 1) * limit });
  const pages = totalPages(total, limit);
  if (page > 1 && page > pages) throw noSuchPage(kind, pages);
  return { rows, total, pages };
}

/** Anything that is not a yes is a no, as clients know it. */
const isYes = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === 'string' && /^\s*(1|true|yes|on|y)\s*$/i.test(value));
