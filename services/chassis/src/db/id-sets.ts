/**
 * Sets of many ids within a statement, as a bit for each: laid over each other, counted and looked up in less time than sorting them or
 * hash tables take. The bits stand in chunks of 8,192 ids, where `link_bit` of the migrations puts them: in the order that `get_bit`
 * counts those of bytes in.
 */

/** SQL of a set of ids. */
export interface IdSet {
  /** Statement of its `chunk`s and their `bits`. */
  readonly chunks: string;
  /** Statement of the ids, which may come several times. */
  readonly ids: string;
}

/** Ids up to here are looked up by their bits, in half a megabyte; filling it takes longer with larger ids, however few there are. */
const MOST_MARKED = 2 ** 22;

const chunkOf = (id: string): string => `${id} >> 13`;
const NO_BITS = `repeat('0', 8192)::bit(8192)`;
const NO_BYTES = `decode(repeat('00', 1024), 'hex')`;

/** Bits that may be absent. */
export const bitsOr = (bits: string): string => `coalesce(${bits}, ${NO_BITS})`;

/** The bit of an id in a number for 64 of them: `get_bit` counts from the end of each byte, and a number is written from its first one. */
const BIT = '(1::bigint << (56 - (listed.id & 56) + (listed.id & 7))::integer)';

/** The ids that a statement lists. Numbers of 64 come between: a bit for each id in a whole chunk would take four times as long. */
export const setOf = (ids: string): IdSet => ({
  chunks: `select word >> 7 as chunk, bit_or(bits::bit(64)::bit(8192) >> ((word & 127) << 6)::integer) as bits
             from (select listed.id >> 6 as word, bit_or(${BIT}) as bits from (${ids}) as listed (id) group by 1) as words
            group by 1`,
  ids,
});

/** What is in one of the sets, or in several. */
export function inAny(sets: readonly IdSet[]): IdSet {
  const all = (what: keyof IdSet): string => sets.map((one) => `(${one[what]})`).join(' union all ');
  return {
    chunks: `select chunk, bit_or(bits) as bits from (${all('chunks')}) as sets group by chunk`,
    ids: all('ids'),
  };
}

/** What is in each of the sets. */
export function inEach(sets: readonly IdSet[]): IdSet {
  const bits = sets.map((_, n) => `s${n}.bits`).join(' & ');
  const from = sets.map(({ chunks }, n) => `(${chunks}) as s${n}`).join(' join ');
  return {
    chunks: `select chunk, ${bits} as bits from ${from}${' using (chunk)'.repeat(sets.length - 1)}`,
    ids: sets.map(({ ids }) => `(${ids})`).join(' intersect '),
  };
}

/** What is in the one and not in the other. */
export const inFirstAlone = (one: IdSet, other: IdSet): IdSet => ({
  chunks: `select chunk, one.bits & ~${bitsOr('other.bits')} as bits
             from (${one.chunks}) as one left join (${other.chunks}) as other using (chunk)`,
  ids: `(${one.ids}) except (${other.ids})`,
});

/** SQL of the number of ids in a set, each counted once. */
export const sizeOf = ({ chunks }: IdSet): string =>
  `(select coalesce(sum(bit_count(bits)), 0)::bigint from (${chunks}) as chunks)`;

/**
 * Condition that the id of a row of the table is in a set. What is sent of bits is their number, and then the bits. `is true` keeps
 * PostgreSQL from joining: it would sort what the index has in order.
 */
export const isIn = (table: string, id: string, { chunks, ids }: IdSet): string =>
  `case when ${id} < ${MOST_MARKED} then get_bit((
     select string_agg(coalesce(substring(bit_send(chunks.bits) from 5), ${NO_BYTES}), '' order by n)
       from generate_series(0, (select ${chunkOf(`least(max(id), ${MOST_MARKED - 1})`)} from ${table})) as n
       left join (${chunks}) as chunks on chunks.chunk = n), ${id}) = 1
   else (${id} in (${ids})) is true end`;
