/** Arguments of an event list as conditions for SQL, over rows `e` of events. */
import type { Actor } from '@sevenfold/chassis/actor';
import { type Searched, addSearch as addWords, candidatesOf } from '@sevenfold/chassis/db/search';
import { Conditions, type Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { parseFreeDate, toLocal } from '@sevenfold/text/dates';
import { stripControl } from '@sevenfold/text/text';
import { openFaults } from '@sevenfold/chassis/faults';
import type { Owned } from '@sevenfold/publishing/rights';
import { askedStatuses, canRead, visibility } from '../common/policy';
import { CATEGORY, TAG } from '../content/resolve-terms';
import type { Deps } from '../deps';
import * as store from './store';
import type { LinkFilter } from './track';
import { addPlace, placeAsked } from './near';
import { hasPlace } from '../venues/places';

export interface ListQuery {
  readonly page: number;
  readonly per_page: number;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly search?: string;
  readonly categories?: readonly (number | string)[];
  readonly tags?: readonly (number | string)[];
  readonly venue?: readonly number[];
  readonly organizer?: readonly number[];
  readonly featured?: boolean;
  readonly status?: unknown;
  readonly geoloc?: boolean;
  readonly geoloc_lat?: unknown;
  readonly geoloc_lng?: unknown;
  readonly include?: readonly number[];
  readonly post_parent?: number;
}

/** Whole days of the clock: `YYYY-MM-DD 00:00:00` to `YYYY-MM-DD 23:59:59`. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

/**
 * The window asked for, widened to whole days and in order. By default from yesterday to the end of the day two years
 * ahead; beside a bound that lies beyond that the other one is two years from it: what is listed begins after the first and before
 * the last. Days are compared with each event's own clock: what a poster says is what counts.
 */
export function windowOf(
  query: Pick<ListQuery, 'start_date' | 'end_date'>,
  timezone: string,
  now: Date,
): Window {
  const today = toLocal(now, timezone).slice(0, 10);
  const [first, last] = [dayAfter(today, -1), yearsAfter(today, YEARS)];
  const given = (name: 'start_date' | 'end_date'): string | undefined => {
    const text = query[name];
    return text === undefined ? undefined : dayOf(name, text, timezone, now);
  };
  const [start, end] = [given('start_date'), given('end_date')];
  const window = [
    start ?? (end !== undefined && end < first ? yearsAfter(end, -YEARS) : first),
    end ?? (start !== undefined && start > last ? yearsAfter(start, YEARS) : last),
  ];
  const [from, to] = window.sort();
  return { from: `${from} 00:00:00`, to: `${to} 23:59:59` };
}

const YEARS = 2;
const LAST_DAY = '9999-12-31';
const FIRST_DAY = '0001-01-01';

function dayOf(param: string, text: string, timezone: string, now: Date): string {
  // The day alone counts: the last of all ends west of UTC where that has the year 10000, and the first begins east of it in the year 0.
  const read = parseFreeDate(text, timezone, now) ?? parseFreeDate(text, 'UTC', now);
  if (!read) throw invalidParam(param, `${param} is not a date of a year from 1 to 9999.`);
  return read.local.slice(0, 10);
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** 29 February moves to 1 March, as calendars do. */
function yearsAfter(day: string, years: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  const year = date.getUTCFullYear() + years;
  if (year > 9999) return LAST_DAY;
  if (year < 1) return FIRST_DAY;
  date.setUTCFullYear(year);
  return date.toISOString().slice(0, 10);
}

interface Words {
  /** The filters. */
  readonly filters: string;
  /** What the index of words brings to be looked at. */
  readonly words: string;
}

export interface Filtered {
  readonly conditions: Conditions;
  /** Whether anything but the default filters the list: such lists are planned for their values. */
  readonly isFiltered: boolean;
  /** Ids of the venues around the point asked for, nearest first: the order of the list. */
  readonly near?: readonly number[];
  /** Of searches. */
  readonly words?: Words;
  /** What tables of links know of published events (track.ts), and the conditions that these do not know. */
  readonly links: readonly LinkFilter[];
  readonly others: readonly string[];
}

/** Everything but the window; looks around a point on `costly`. Asks the content service for terms by slug and for what is below a category. */
export async function filtersOf(deps: Deps, actor: Actor, query: ListQuery, costly: Db): Promise<Filtered> {
  const { collect, refuse } = openFaults();
  const conditions = new Conditions();
  const statuses = (await collect(() => askedStatuses(actor, query.status))) ?? [];
  const usual = statuses.length === 1 && statuses[0] === 'publish';
  conditions.add(usual ? `e.status = 'publish'` : visibility(conditions, actor, statuses, 'e'));
  if (query.include) conditions.add('e.id = any(?::bigint[])', query.include);
  if (query.featured !== undefined) conditions.add(query.featured ? 'e.featured' : 'not e.featured');
  await collect(() => addSeries(deps, conditions, actor, query.post_parent));
  await collect(() => addVenue(deps, conditions, actor, query));
  const links: LinkFilter[] = [];
  const linkedFrom = conditions.parts.length;
  await collect(() => addOrganizer(deps, conditions, links, actor, query));
  await collect(() => addCategories(deps, conditions, links, query.categories));
  await collect(() => addTags(deps, conditions, links, query.tags));
  const linkedTo = conditions.parts.length;
  const around = any(query.venue) ? { ...query, geoloc: undefined } : query;
  const near = await collect(() => addPlace(deps.config, conditions, actor, around, costly));
  const words = await collect(() => addSearch(conditions, query.search));
  refuse();
  const { parts } = conditions;
  return {
    conditions,
    isFiltered: !usual || parts.length > 1,
    near,
    words,
    links: usual ? links : [],
    others: [...parts.slice(1, linkedFrom), ...parts.slice(linkedTo)],
  };
}

const any = <T>(list: readonly T[] | undefined): list is readonly T[] =>
  list !== undefined && list.length > 0;

/** What it belongs to may be anything, and need not be there any more; of what the reader may not read nothing tells the parts. */
async function addSeries(
  deps: Deps,
  conditions: Conditions,
  actor: Actor,
  id: number | undefined,
): Promise<void> {
  if (id === undefined) return;
  conditions.add('e.parent = ?', id);
  const series = await store.findSubject(deps.db, id);
  if (series && !canRead(actor, series)) conditions.add('false');
}

/** Where venues are named, which of them have a place is settled here. */
async function addVenue(
  deps: Deps,
  conditions: Conditions,
  actor: Actor,
  query: Pick<ListQuery, 'venue' | 'geoloc' | 'geoloc_lat' | 'geoloc_lng'>,
): Promise<void> {
  if (!any(query.venue)) return;
  const found = await deps.linked.venues(query.venue);
  refuseUnknown('venue', query.venue, found, actor);
  const isPlaced = placeAsked(query);
  const ids = query.venue.filter((id) => isPlaced === undefined || isPlaced === hasPlace(found.get(id)));
  // A single one as an equation lets its index give the order as well.
  if (ids.length === 1) conditions.add('e.venue_id = ?', ids[0]);
  else conditions.add('e.venue_id = any(?::bigint[])', ids);
}

/** `&&` compares each with each: beside a search, which finds the rows, so many are looked up in a hash table instead. */
const MANY = 30;

async function addOrganizer(
  deps: Deps,
  conditions: Conditions,
  links: LinkFilter[],
  actor: Actor,
  { organizer: ids, search }: Pick<ListQuery, 'organizer' | 'search'>,
): Promise<void> {
  if (!any(ids)) return;
  refuseUnknown('organizer', ids, await deps.linked.organizers(ids), actor);
  const isLookedUp = search !== undefined && ids.length > MANY;
  conditions.add(
    isLookedUp
      ? 'exists (select from unnest(e.organizer_ids) as one where one = any(?::bigint[]))'
      : 'e.organizer_ids && ?::bigint[]',
    ids,
  );
  links.push({ what: 'organizers', ids });
}

const SEARCHED: Searched = { text: 'e.search_text', title: 'e.title_raw' };

function addSearch(conditions: Conditions, search: string | undefined): Words | undefined {
  if (search === undefined) return undefined;
  const text = stripControl(search).trim();
  if (text === '') throw invalidParam('search', 'search is empty.');
  // Commas alone are a search for nothing that there is.
  const filters = conditions.where;
  if (!addWords(conditions, text, SEARCHED)) conditions.add('false');
  return { filters, words: candidatesOf(conditions, text, SEARCHED) };
}

/** What the reader may not read is as unknown to him as what is not there: no filter tells which events it has. */
function refuseUnknown(
  param: string,
  ids: readonly number[],
  found: ReadonlyMap<number, Owned>,
  actor: Actor,
): void {
  const unknown = ids.filter((id) => {
    const row = found.get(id);
    return !row || !canRead(actor, row);
  });
  if (unknown.length > 0)
    throw invalidParam(param, `${param}: there is none with the number ${unknown.join(', ')}.`);
}

async function addCategories(
  deps: Deps,
  conditions: Conditions,
  links: LinkFilter[],
  refs: ListQuery['categories'],
): Promise<void> {
  if (!any(refs)) return;
  const ids = await deps.known.descendants(await termIds(deps, 'categories', CATEGORY, refs));
  conditions.add('e.category_ids && ?::bigint[]', ids);
  links.push({ what: 'categories', ids });
}

async function addTags(
  deps: Deps,
  conditions: Conditions,
  links: LinkFilter[],
  refs: ListQuery['tags'],
): Promise<void> {
  if (!any(refs)) return;
  const ids = await termIds(deps, 'tags', TAG, refs);
  conditions.add('e.tag_ids && ?::bigint[]', ids);
  links.push({ what: 'tags', ids });
}

async function termIds(
  deps: Deps,
  param: string,
  taxonomy: string,
  refs: readonly (number | string)[],
): Promise<number[]> {
  const ids = refs.filter((ref) => typeof ref === 'number');
  const slugs = refs.filter((ref) => typeof ref === 'string');
  const [byId, bySlug] = await Promise.all([
    deps.known.terms(ids),
    slugs.length === 0 ? new Map<string, number>() : deps.known.termsBySlug(taxonomy, slugs),
  ]);
  const unknown = [
    ...ids.filter((id) => byId.get(id)?.taxonomy !== taxonomy),
    ...slugs.filter((slug) => !bySlug.has(slug)),
  ];
  if (unknown.length > 0)
    throw invalidParam(param, `${param}: there is no such term: ${unknown.slice(0, 10).join(', ')}.`);
  return [...ids, ...bySlug.values()];
}
