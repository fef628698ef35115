/**
 * Tables of links: a row for each thing that a published row names (its categories, its organizers), in an index with the
 * moment of the row, so that what names one thing stands in order. Written by triggers with the row itself.
 */
import type { OrderKey } from './selection';
import type { Conditions } from './sql';
import type { Track } from './track';

/** A table of links and its columns: what is named, the moment, and the id of the row. */
export interface Links {
  readonly table: string;
  readonly target: string;
  readonly at: string;
  readonly id: string;
}

/** Links to some things. */
export interface Linked {
  readonly links: Links;
  readonly ids: readonly number[];
}

/** Links to so many things are merged, which keeps them in order; those to more are told apart in a hash table. */
const MOST_MERGED = 20;

/** Links `l`: `from … where …`. */
export const fromLinks = (conditions: Conditions, { links: { table, target }, ids }: Linked): string =>
  `from ${table} l where ${
    ids.length === 1
      ? `l.${target} = ${conditions.value(ids[0])}::bigint`
      : `l.${target} = any(${conditions.value(ids)}::bigint[])`
  }`;

// `is true` keeps PostgreSQL from joining: it would sort what the index has in order.
export const among = (id: string, ids: string): string => `(${id} in (${ids})) is true`;
export const notAmong = (id: string, ids: string): string => `(${id} in (${ids})) is not true`;

export const amongLinks = (conditions: Conditions, id: string, linked: Linked): string =>
  among(id, `select l.${linked.links.id} ${fromLinks(conditions, linked)}`);

/** The rows that name one of the things and meet the conditions on `l`, in no order. */
export interface LinkedRows {
  /** Statement of the ids, each of them once. */
  readonly ids: string;
  /** SQL of their number. */
  readonly total: string;
  /** In the order of the moments, where few things are asked for. */
  readonly track?: Pick<Track, 'from' | 'id' | 'order' | 'isOneWay'>;
}

export function linkedRows(
  conditions: Conditions,
  { links, ids }: Linked,
  parts: readonly string[],
  direction: OrderKey['direction'],
): LinkedRows {
  const { at, id } = links;
  const rows = (some: readonly number[]): string =>
    [fromLinks(conditions, { links, ids: some }), ...parts].join(' and ');
  const order = [at, id].map((column) => ({ sql: `l.${column}`, direction }));
  if (ids.length === 1) {
    const from = rows(ids);
    return {
      ids: `select l.${id} ${from}`,
      total: `(select count(*) ${from})`,
      track: { from, id: `l.${id}`, order },
    };
  }
  if (ids.length > 1 && ids.length <= MOST_MERGED) {
    const from = `from (${ids.map((one) => `select l.${at}, l.${id} ${rows([one])}`).join(' union ')}) as l`;
    return {
      ids: `select l.${id} ${from}`,
      total: `(select count(*) ${from})`,
      track: { from, id: `l.${id}`, order, isOneWay: true },
    };
  }
  const all = `select distinct l.${id} ${rows(ids)}`;
  return { ids: all, total: `(select count(*) from (${all}) as l)` };
}
