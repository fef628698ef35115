/**
 * Tables of links: a row for each thing that a published row names (its categories, its organizers), in an index with the
 * moment of the row, so that what names one thing stands in order. Written by triggers with the row itself.
 */
import { type IdSet, bitsOr, inEach, isIn, setOf } from './id-sets';
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

/** Where nobody folds them notes become any number, of 4 µs for each id: beyond so many ids the links are read. */
const MOST_NOTED = 100_000;

/**
 * The ids of the rows that name any of several things: from the maps of those that many name, with what is noted since from the rows, and
 * from the links of the others.
 */
export function linkedIds(conditions: Conditions, linked: Linked): IdSet {
  const { links } = linked;
  const asked = `${conditions.value(linked.ids)}::bigint[]`;
  const areFew = '(select yes from few)';
  const ofList = (table: string): string => `from ${table} where list = '${links.list}' and ${areFew}`;
  const noted = `select unnest(ids) from link_notes where ${areFew}`;
  const unmapped = `select ${links.id} from ${links.table}
     where ${links.target} = any(array(select unnest(${asked}) except select target ${ofList('mapped_links')}))`;
  const fresh = `select id from ${links.rows} and id = any(array(${noted})) and ${links.names} && ${asked}`;
  const known = (how: string): string => bitsOr(`bit_or(bits) filter (where how = '${how}')`);
  return {
    ids: `select l.${links.id} ${fromLinks(conditions, linked)}`,
    chunks: `
      with few as materialized (select coalesce(sum(cardinality(ids)), 0) <= ${MOST_NOTED} as yes from link_notes)
      select chunk, (${known('mapped')} & ~${known('noted')}) | ${known('linked')} as bits
        from (
          select 'mapped' as how, chunk, bits ${ofList('link_maps')} and target = any(${asked})
          union all select 'noted', chunk, bits from (${setOf(noted).chunks}) as noted
          union all select 'linked', chunk, bits from (${setOf(`${unmapped} union all ${fresh}`).chunks}) as linked
        ) as parts
       group by chunk`,
  };
}

/** The ids of the rows that name one thing of each of the lists. */
export const linkedToAll = (conditions: Conditions, wanted: readonly Linked[]): IdSet =>
  inEach(wanted.map((one) => linkedIds(conditions, one)));

/** So many things are looked up one by one beside each of few rows. */
const MOST_LOOKED_UP = 20;

/** Whether each of few links `l` has another beside it: of the same row, to one of the other things. */
function besideLinks(conditions: Conditions, table: string, { at, id }: Links, other: Linked): string {
  if (other.ids.length > MOST_LOOKED_UP) return isIn(table, `l.${id}`, linkedIds(conditions, other));
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
