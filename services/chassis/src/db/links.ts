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

/** Ids up to here have a bit each, in half a megabyte; filling it takes longer with larger ids, however few are listed. */
const MOST_MARKED = 2 ** 22;

/**
 * Whether the id of a row of the table is among many: a bit in a map of them is made and found in half the time of an entry in a hash
 * table. `get_bit` counts from the end of each byte, and a number is written from its first one.
 */
export const marked = (table: string, id: string, ids: string): string =>
  `case when ${id} < ${MOST_MARKED} then get_bit((
     with words as (
       select listed.id >> 6 as word, bit_or(1::bigint << (56 - (listed.id & 56) + (listed.id & 7))::integer) as bits
         from (${ids}) as listed (id) where listed.id < ${MOST_MARKED} group by 1)
     select string_agg(int8send(coalesce(words.bits, 0)), '' order by n)
       from generate_series(0, (select least(max(id), ${MOST_MARKED - 1}) >> 6 from ${table})) as n
       left join words on words.word = n), ${id}) = 1
   else ${among(id, ids)} end`;

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
