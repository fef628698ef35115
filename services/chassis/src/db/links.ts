/**
 * Tables of links: a row for each thing that a published row names (its categories, its organizers), in an index with the
 * moment of the row, so that what names one thing stands in order. Written by triggers with the row itself.
 */
import { type OrderKey, orderText } from './selection';
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
const among = (id: string, ids: string): string => `(${id} in (${ids})) is true`;
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

/** Whether the id of a row of the table is among links that meet the conditions on `l`. */
export const amongLinks = (
  conditions: Conditions,
  table: string,
  id: string,
  linked: Linked,
  parts: readonly string[],
): string =>
  marked(table, id, [`select l.${linked.links.id} ${fromLinks(conditions, linked)}`, ...parts].join(' and '));

/** So many things are looked up one by one beside each of few rows. */
const MOST_LOOKED_UP = 20;

/** Whether each of few links `l` has another beside it: of the same row, to one of the other things. */
function besideLinks(conditions: Conditions, table: string, { at, id }: Links, other: Linked): string {
  if (other.ids.length > MOST_LOOKED_UP) return amongLinks(conditions, table, `l.${id}`, other, []);
  const { links, ids } = other;
  const named = `k.${links.target} = any(${conditions.value(ids)}::bigint[])`;
  return `(exists (select from ${links.table} k where ${named} and k.${links.at} = l.${at} and k.${links.id} = l.${id})) is true`;
}

/**
 * The rows of the table that name one thing of each of the lists and meet the conditions on `l`, in no order: for each list, from
 * its own links, which are to be few.
 */
export const fewLinks = (
  conditions: Conditions,
  table: string,
  wanted: readonly Linked[],
  parts: readonly string[],
  direction: OrderKey['direction'],
): Pick<Track, 'from' | 'id' | 'order'>[] =>
  wanted.map((one) => {
    const { at, id } = one.links;
    const beside = wanted
      .filter((other) => other !== one)
      .map((other) => besideLinks(conditions, table, one.links, other));
    const from = [fromLinks(conditions, one), ...parts, ...beside].join(' and ');
    return {
      from: one.ids.length === 1 ? from : `from (select distinct l.${at}, l.${id} ${from}) as l`,
      id: `l.${id}`,
      order: [at, id].map((column) => ({ sql: `l.${column}`, direction })),
    };
  });

/** The rows that name one of the things and meet the conditions on `l`, in no order. */
export interface LinkedRows {
  /** Statement of the ids, each of them once. */
  readonly ids: string;
  /** SQL of their number. */
  readonly total: string;
  /** In the order of the moments, where few things are asked for. */
  readonly track?: Pick<Track, 'from' | 'backwards' | 'id' | 'order'>;
}

/** What asks other tables: once for a whole list, not once for each of the things that it is merged of. */
const asksElsewhere = (part: string): boolean => /\bselect\b/.test(part);

export function linkedRows(
  conditions: Conditions,
  { links, ids }: Linked,
  parts: readonly string[],
  direction: OrderKey['direction'],
): LinkedRows {
  const { at, id } = links;
  const rows = (some: readonly number[], which: readonly string[]): string =>
    [fromLinks(conditions, { links, ids: some }), ...which].join(' and ');
  const order = [at, id].map((column) => ({ sql: `l.${column}`, direction }));
  const all = rows(ids, parts);
  if (ids.length === 1)
    return {
      ids: `select l.${id} ${all}`,
      total: `(select count(*) ${all})`,
      track: { from: all, id: `l.${id}`, order },
    };
  const found = { ids: `select distinct l.${id} ${all}`, total: numberOfIds(`l.${id}`, all) };
  if (ids.length > MOST_MERGED) return found;
  const here = parts.filter((part) => !asksElsewhere(part));
  const each = ids.map((one) => `select l.* ${rows([one], here)}`).join(' union all ');
  const outside = ['true', ...parts.filter(asksElsewhere)].join(' and ');
  const merged = (reversed: boolean): string =>
    `from (select distinct on (l.${at}, l.${id}) l.* from (${each}) as l order by ${orderText(order, reversed)}) as l where ${outside}`;
  return { ...found, track: { from: merged(false), backwards: merged(true), id: `l.${id}`, order } };
}

/** Of rows that may come several times: bits of words are counted in half the time of entries in a hash table. */
const numberOfIds = (id: string, from: string): string =>
  `(select coalesce(sum(bit_count(int8send(bits))), 0)::bigint from (
     select bit_or(1::bigint << (${id} & 63)::integer) as bits ${from} group by ${id} >> 6) as words)`;
