/**
 * Runs searches of one table, bounded: what one costs does not grow with the table. A search that looks at few rows finds
 * all its matches, up to the window. Otherwise a sample of the table tells how far along its order the rows of a page
 * reach, and nothing behind that is looked at; where the sample cannot tell that there are more matches than the window
 * holds, the first rows of the order are looked at alone, and the answer says that there may be more.
 */
import type { Finder } from './list';
import { type OrderKey, type Range, type Selection, fromOf, keyed, rowsOf } from './selection';
import { type Cut, SEARCH_WINDOW, type SearchPlan, withinWindow } from './search';
import type { Db } from './sql';

/** A search, prepared. Everything is SQL over the table, with the placeholders of `values`. */
export interface SearchSpec extends Omit<Selection, 'columns' | 'joins'> {
  /** A part of `where` over the table alone: the condition of the index that gives the order, or `true`. */
  readonly base: string;
  /** The part of `where` that the index of words answers (candidatesOf): each word by itself. */
  readonly words: string;
  /** The part of `where` that other indexes answer. */
  readonly filters: string;
  /** Whether an index knows the rows of `base` by the keys of the order, which all have one direction then. */
  readonly indexed: boolean;
  /** An order that has such an index, all keys in one direction: which rows are looked at where the order has none. */
  readonly first: readonly OrderKey[];
  /** The column that holds most of the text: its length tells what looking at a row costs. */
  readonly text: string;
}

export interface FoundIds {
  readonly plan: SearchPlan;
  readonly ids: readonly number[];
}

/** The ids of a search, for list.ts. Whoever makes the outline and needs another page as well looks at one sample for both. */
export function finderOf(db: Db, spec: SearchSpec): Finder {
  let looked: Promise<Sample | undefined> | undefined;
  const sample: Sampling = () => (looked ??= sampleOf(db, spec));
  return {
    outline: async (most) => {
      const { plan, ids } = await searchWith(db, spec, { skip: 0, size: most }, sample);
      const outline = { total: plan.total, more: plan.more, search: plan };
      return most === 0 ? outline : { ...outline, first: ids };
    },
    page: async ({ search }, range) => (await searchWith(db, spec, range, sample, search)).ids,
  };
}

/** Ids of some rows, in order, and how many there are. `known` is the plan of an earlier page, if it is remembered. */
export const runSearch = (db: Db, spec: SearchSpec, slice: Range, known?: SearchPlan): Promise<FoundIds> =>
  searchWith(db, spec, slice, () => sampleOf(db, spec), known);

type Sampling = () => Promise<Sample | undefined>;

async function searchWith(
  db: Db,
  spec: SearchSpec,
  slice: Range,
  sampling: Sampling,
  known?: SearchPlan,
): Promise<FoundIds> {
  if (known?.strategy === 'all')
    return { plan: known, ids: (await findWithin(db, upTo(spec, known.cut ?? WHOLE), slice)).ids };
  if (known?.cut) return (await findHead(db, spec, slice, known.cut)) ?? { plan: known, ids: [] };
  const sample = await sampling();
  const few = known ? undefined : await findFew(db, spec, slice, sample);
  if (few) return few;
  const plan = { total: SEARCH_WINDOW, more: true, strategy: 'many' as const };
  return { plan, ids: slice.size === 0 ? [] : await findMany(db, spec, slice, sample) };
}

/** Undefined where there are more than the window holds. */
async function findFew(
  db: Db,
  spec: SearchSpec,
  slice: Range,
  sample: Sample | undefined,
): Promise<FoundIds | undefined> {
  if (sample?.isSurelyMore) return undefined;
  if (sample?.isWide) return findHead(db, spec, slice, sample.endOfHead);
  const cut = sample?.whole ?? WHOLE;
  const { n, ids } = await findWithin(db, upTo(spec, cut), slice);
  return n > SEARCH_WINDOW ? undefined : { plan: { ...withinWindow(n), strategy: 'all', cut }, ids };
}

// ---- what a sample tells ----------------------------------------------------------------------------------------

/** Smaller tables are searched as they are. */
const LARGE = 50_000;
const SAMPLE = 2_000;

/** One that brings less than this part is of a table that lost nearly all its rows since PostgreSQL counted them. */
const LEAST_OF_SAMPLE = 1 / 8;
/** Less tells too little. */
const SMALLEST_SAMPLE = 200;

/** Looking at one more row costs microseconds: so many are a tenth of a second. */
const MOST_ROWS = 25_000;

/**
 * Long texts are kept apart and put together to be looked at, at 5 µs for each kilobyte: where all are long, those that are looked at
 * take half a second. So many bytes cost as much as another row. How long a text is, is asked of each row of the sample: a table
 * may hold a million short ones besides, which are not looked at.
 */
const BYTES_OF_ROW = 1_000;

/** The index of words reads what it has of each word, wherever the rows stand in the order: so many entries cost as much as a row. */
const ENTRIES_OF_ROW = 8;

/** The window is full beyond doubt where so many times the usual error less than a sample has would still fill it. */
const DOUBT = 3;

/** More is looked at than a sample asks for, which knows nothing of less than a few of its rows. */
const SPARE = 1.3;
const SPARE_HITS = 3;

interface Sample {
  readonly isWide: boolean;
  readonly isSurelyMore: boolean;
  /** All rows. */
  readonly whole: Cut;
  /** As far as looking at MOST_ROWS rows brings. */
  readonly endOfHead: Cut;
  /** Matches that are in the sample where so many of all are wanted, with some to spare. */
  hitsOf(matches: number): number;
  /** Where so many matches of the sample have come. */
  endOf(hits: number): Cut;
}

interface SampledRow {
  readonly n: number;
  /** How many have the words, of `base` or not. */
  readonly worded: number;
  /** Bytes of its text. */
  readonly length: number;
  /** As text: a date of the driver knows less than one of PostgreSQL. */
  readonly keys: readonly string[];
  readonly base: boolean;
  readonly filtered: boolean;
  readonly listed: boolean;
  readonly matching: boolean;
}

/** The order that rows are cut off along. */
const cutOrder = ({ indexed, order, first }: SearchSpec): readonly OrderKey[] => (indexed ? order : first);

/**
 * Undefined when the table is small, whatever PostgreSQL believes of it. The same blocks each time (`repeatable`): what one page took for
 * many matches, the next would take for few, and refuse to be there.
 */
async function sampleOf(db: Db, spec: SearchSpec): Promise<Sample | undefined> {
  const { table, as, where, base, filters, words, text } = spec;
  const known = await db.first<{ rows: number; apart: number }>(
    `select greatest(c.reltuples, 0)::bigint as rows, (greatest(t.relpages, 0) * 8192.0)::float8 as apart
       from pg_class c left join pg_class t on t.oid = c.reltoastrelid where c.oid = $1::regclass`,
    [table],
  );
  const { rows = 0, apart = 0 } = known ?? {};
  // How many rows without long texts cost as much as one of these.
  const weight = 1 + (apart ?? 0) / Math.max(rows, 1) / BYTES_OF_ROW;
  if (rows < LARGE / weight) return undefined;
  const wanted = Math.max(SAMPLE / weight, SMALLEST_SAMPLE);
  const percent = Math.min(100, (wanted / rows) * 100).toFixed(6);
  const { keys, byKeys } = keyed(cutOrder(spec));
  const names = cutOrder(spec).map((_, place) => `key${place}::text`);
  const found = await rowsOf<SampledRow>(
    db,
    spec,
    `with sampled as materialized (
       select ${keys}, (${base}) is true as base, (${filters}) is true as filtered, (${words}) is true as listed,
              (${where}) is true as matching, octet_length(${text}) as length
         from ${table} ${as} tablesample system (${percent}) repeatable (0))
     select array[${names.join(', ')}] as keys, base, filtered, listed, matching, length, n, worded
       from sampled, (select count(*) as n, count(*) filter (where listed) as worded from sampled) as numbers
      where base or filtered order by ${byKeys}`,
  );
  const sampled = found[0]?.n ?? 0;
  if (sampled < wanted * LEAST_OF_SAMPLE) return undefined;
  const each = rows / sampled;
  const isBase = ({ base }: SampledRow): boolean => base;
  const isListed = (row: SampledRow): boolean => row.base && row.listed;
  const entries = ((found[0]?.worded ?? 0) * each) / ENTRIES_OF_ROW;
  // Short ones stand in the row itself.
  const costOf = ({ length }: SampledRow): number =>
    (length > BYTES_OF_ROW ? 1 + length / BYTES_OF_ROW : 1) * each;
  const costOfAll = (some: readonly SampledRow[]): number => some.reduce((sum, row) => sum + costOf(row), 0);
  const ofFilters = found.filter(({ filtered }) => filtered);
  // The ways in rows that are looked at: all along the order, or what indexes bring; that of words has to find all of them first.
  const along = (among: readonly SampledRow[]): number => costOfAll(among.filter(isBase));
  const byIndexes = (among: readonly SampledRow[]): number => {
    const both = costOfAll(among.filter(({ filtered, listed }) => filtered && listed));
    return Math.min(
      costOfAll(ofFilters),
      entries + costOfAll(among.filter(isListed)),
      entries + (ofFilters.length * each) / ENTRIES_OF_ROW + both,
    );
  };
  const cutAt = (place: number): Cut => {
    const before = found.slice(0, place);
    return { end: found[place]?.keys, isShort: along(before) < byIndexes(before) };
  };
  /** The place of the first row that is so and has as many of these before it. */
  const placeOf = (is: (row: SampledRow) => boolean, before: number): number => {
    const row = found.filter(is)[Math.max(0, Math.floor(before))];
    return row ? found.indexOf(row) : found.length;
  };
  /** The place of the first row that is so and has as many of these before it as cost so much; the first where not even that is left. */
  const placeAt = (is: (row: SampledRow) => boolean, cost: number): number => {
    if (cost <= 0) return 0;
    let spent = 0;
    const place = found.findIndex((row) => is(row) && (spent += costOf(row)) > cost);
    return place === -1 ? found.length : place;
  };
  const matchingRows = found.filter(({ matching }) => matching);
  const hits = matchingRows.length;
  return {
    isWide: Math.min(along(found), byIndexes(found)) > MOST_ROWS,
    isSurelyMore: (hits - DOUBT * Math.sqrt(hits)) * each > SEARCH_WINDOW,
    whole: cutAt(found.length),
    endOfHead: cutAt(Math.max(placeAt(isBase, MOST_ROWS), placeAt(isListed, MOST_ROWS - entries))),
    hitsOf: (matches) => Math.ceil((matches / each) * SPARE) + SPARE_HITS,
    endOf: (before) => cutAt(placeOf(({ matching }) => matching, before)),
  };
}

// ---- ways to the rows -------------------------------------------------------------------------------------------

/** Where nothing is known of the table. */
const WHOLE: Cut = { isShort: false };

/** The search up to the end, from behind another one on. `is true` hides the conditions of words from the planner. */
function upTo(spec: SearchSpec, { end, isShort }: Cut, behind?: Cut['end']): SearchSpec {
  const where = isShort ? `${spec.base} and (${spec.where}) is true` : spec.where;
  const from = behind === undefined ? { ...spec, where } : bounded({ ...spec, where }, behind, true);
  return end === undefined ? from : bounded(from, end, false);
}

/** What comes no later than a row of these keys; or, `isBehind`, what comes later. */
function bounded(spec: SearchSpec, end: readonly string[], isBehind: boolean): SearchSpec {
  const { where, values } = spec;
  const order = cutOrder(spec);
  const isLess = (order[0]?.direction === 'asc') !== isBehind;
  const compare = isLess ? '<=' : '>=';
  // The types of the keys are those of the columns. By all keys: many rows may share the first. By the first alone as well: PostgreSQL knows
  // how many rows that leaves, and takes other indexes beside that of words where it does not.
  const keys = order.map(({ sql }) => sql);
  const ends = end.map((_, place) => `$${values.length + 1 + place}`);
  const byAll = isBehind ? compare.charAt(0) : compare;
  const upToEnd = `${keys[0]} ${compare} ${ends[0]} and (${keys.join(', ')}) ${byAll} (${ends.join(', ')})`;
  return { ...spec, where: `${where} and ${upToEnd}`, values: [...values, ...end] };
}

/** Ids and keys of what matches; `others` are more columns. */
const matching = (spec: SearchSpec, others = ''): string =>
  `select ${spec.as}.id, ${keyed(spec.order).keys}${others} ${fromOf(spec)}`;

const inOrder = ({ order }: SearchSpec, { skip, size }: Range): string =>
  `order by ${keyed(order).byKeys} limit ${size} offset ${skip}`;

/** How many match, up to one more than the window, and, unless there are more, a slice of them. */
async function findWithin(
  db: Db,
  spec: SearchSpec,
  slice: Range,
): Promise<{ n: number; ids: readonly number[] }> {
  const [row] = await rowsOf<{ n: number; ids: number[] }>(
    db,
    spec,
    `with found as materialized (${matching(spec)} limit ${SEARCH_WINDOW + 1}),
       counted as (select count(*) as n from found)
     select n, array(select id from found where n <= ${SEARCH_WINDOW} ${inOrder(spec, slice)}) as ids from counted`,
  );
  return row ?? { n: 0, ids: [] };
}

/** Those among the first rows that were looked at, in whatever order. */
async function findHead(db: Db, spec: SearchSpec, slice: Range, cut: Cut): Promise<FoundIds | undefined> {
  const { n, ids } = await findWithin(db, upTo(spec, cut), slice);
  return n > SEARCH_WINDOW ? undefined : { plan: { total: n, more: true, strategy: 'head', cut }, ids };
}

/** Where less was found than a sample had promised it is asked so many times how much further to go, and then everything. */
const MOST_TRIES = 3;

/** Of more matches than the window holds. */
async function findMany(
  db: Db,
  spec: SearchSpec,
  slice: Range,
  sample: Sample | undefined,
): Promise<readonly number[]> {
  const find = spec.indexed ? findInOrder : findAmongFirst;
  const reach = spec.indexed ? slice.skip + slice.size : SEARCH_WINDOW;
  let hits = sample?.hitsOf(reach) ?? 0;
  let passed = 0;
  let behind: Cut['end'];
  const findUpTo = (cut: Cut): Promise<Reached> =>
    find(db, upTo(spec, cut, behind), { ...slice, skip: slice.skip - passed });
  for (let tries = 1; sample && tries <= MOST_TRIES; tries++) {
    const cut = sample.endOf(hits);
    const { ids, n } = await findUpTo(cut);
    const all = passed + n;
    if (all >= reach || cut.end === undefined) return ids;
    hits = Math.ceil(hits * (reach / Math.max(all, 1)) * SPARE) + SPARE_HITS;
    // What was found and stands before the page is not found again.
    if (spec.indexed && all <= slice.skip) [passed, behind] = [all, cut.end];
  }
  return (await findUpTo(sample?.whole ?? WHOLE)).ids;
}

interface Reached {
  /** Matches that were found, no more than the window where the order is made of these. */
  readonly n: number;
  readonly ids: readonly number[];
}

/** `materialized` keeps PostgreSQL from walking along the order past all that do not match. */
const findInOrder = (db: Db, spec: SearchSpec, slice: Range): Promise<Reached> =>
  reachedBy(db, spec, `with found as materialized (${matching(spec)})`, slice);

/** Orders without an index are those of the first matches: of as many for each page, or a row would stand on two of them, or on none. */
function findAmongFirst(db: Db, spec: SearchSpec, slice: Range): Promise<Reached> {
  const { first } = spec;
  const keys = first.map(({ sql }, place) => `, ${sql} as first${place}`).join('');
  const inFirst = first.map(({ direction }, place) => `first${place} ${direction}`).join(', ');
  return reachedBy(
    db,
    spec,
    `with found as materialized (
       select * from (${matching(spec, keys)} offset 0) as matching order by ${inFirst} limit ${SEARCH_WINDOW})`,
    slice,
  );
}

async function reachedBy(db: Db, spec: SearchSpec, found: string, slice: Range): Promise<Reached> {
  const [row] = await rowsOf<{ n: number; ids: number[] }>(
    db,
    spec,
    `${found} select (select count(*) from found) as n, array(select id from found ${inOrder(spec, slice)}) as ids`,
  );
  return row ?? { n: 0, ids: [] };
}
