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
  /** Its name among the maps (link-maps.ts). */
  readonly list: string;
  /** What names them: a table and which rows of it, `posts where status = 'publish'`. */
  readonly rows: string;
  /** The column of these that lists what they name. */
  readonly names: string;
}

/** Links to some things. */
export interface Linked {
  readonly links: Links;
  readonly ids: readonly number[];
}

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

/** The bit of an id in the word of 64 of them: `get_bit` counts from the end of each byte, and a number is written from its first one. */
const bitOf = (id: string): string => `(1::bigint << (56 - (${id} & 56) + (${id} & 7))::integer)`;

/** Statement of the words of a map of ids. */
const wordsOf = (ids: string): string =>
  `select listed.id >> 6 as word, bit_or(${bitOf('listed.id')}) as bits from (${ids}) as listed (id) group by 1`;

/** Words of 64 ids that a chunk of a map has. */
const WORDS = 128;

/** Where nobody folds them notes become any number, of 4 µs for each id: beyond so many ids the links are read. */
const MOST_NOTED = 100_000;

/**
 * The same of what names any of several things: from the maps of those that many name, with what is noted since from the rows, and from
 * the links of the others.
 */
function wordsLinked(conditions: Conditions, { links, ids }: Linked): string {
  const asked = `${conditions.value(ids)}::bigint[]`;
  const areFew = '(select yes from few)';
  const ofList = (table: string): string => `from ${table} where list = '${links.list}' and ${areFew}`;
  const noted = `select unnest(ids) from link_notes where ${areFew}`;
  return `
    with few as materialized (select coalesce(sum(cardinality(ids)), 0) <= ${MOST_NOTED} as yes from link_notes)
    select word, (coalesce(bit_or(bits) filter (where how = 'mapped'), 0) & ~coalesce(bit_or(bits) filter (where how = 'noted'), 0))
                 | coalesce(bit_or(bits) filter (where how = 'linked'), 0) as bits
      from (
        select 'mapped' as how, m.chunk * ${WORDS} + n as word, substring(m.bits from n * 64 + 1 for 64)::bit(64)::bigint as bits
          from (select chunk, bit_or(bits) as bits ${ofList('link_maps')} and target = any(${asked}) group by chunk) as m,
               generate_series(0, ${WORDS - 1}) as n
        union all
        select 'noted', word, bits from (${wordsOf(noted)}) as noted
        union all
        select 'linked', word, bits from (${wordsOf(
          `select ${links.id} from ${links.table}
            where ${links.target} = any(array(select unnest(${asked}) except select target ${ofList('mapped_links')}))
           union all
           select id from ${links.rows} and id = any(array(${noted})) and ${links.names} && ${asked}`,
        )}) as linked) as parts
     group by word`;
}

/** A bit in a map of ids is made and found in half the time of an entry in a hash table. */
const inMap = (table: string, id: string, words: string, ids: string): string =>
  `case when ${id} < ${MOST_MARKED} then get_bit((
     with words as (${words})
     select string_agg(int8send(coalesce(words.bits, 0)), '' order by n)
       from generate_series(0, (select least(max(id), ${MOST_MARKED - 1}) >> 6 from ${table})) as n
       left join words on words.word = n), ${id}) = 1
   else ${among(id, ids)} end`;

/** Whether the id of a row of the table is among many. */
export const marked = (table: string, id: string, ids: string): string => inMap(table, id, wordsOf(ids), ids);

/** SQL of how many ids there are, each counted once: bits take neither the sorting nor the memory of `count(distinct id)`. */
export const numberAmong = (ids: string): string =>
  `(select coalesce(sum(bit_count(int8send(bits))), 0)::bigint from (${wordsOf(ids)}) as words)`;

/** Statement of the ids of what the links name, which may come several times. */
const idsOf = (conditions: Conditions, linked: Linked): string =>
  `select l.${linked.links.id} ${fromLinks(conditions, linked)}`;

/** Whether the id of a row of the table is among links. */
export const amongLinks = (conditions: Conditions, table: string, id: string, linked: Linked): string =>
  inMap(table, id, wordsLinked(conditions, linked), idsOf(conditions, linked));

/** SQL of the number of rows that links name. */
export const numberLinked = (conditions: Conditions, linked: Linked): string =>
  `(select coalesce(sum(bit_count(int8send(bits))), 0)::bigint from (${wordsLinked(conditions, linked)}) as words)`;

/** So many things are looked up one by one beside each of few rows. */
const MOST_LOOKED_UP = 20;

/** Whether each of few links `l` has another beside it: of the same row, to one of the other things. */
function besideLinks(conditions: Conditions, table: string, { at, id }: Links, other: Linked): string {
  if (other.ids.length > MOST_LOOKED_UP) return amongLinks(conditions, table, `l.${id}`, other);
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
