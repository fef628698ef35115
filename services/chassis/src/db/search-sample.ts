/**
 * What a sample of a large table tells of a search: how much there is, which way to its rows is the shortest, and how far along the order to
 * go for so many of them.
 */
import { keyed, rowsOf } from './selection';
import { type Cut, SEARCH_WINDOW, type SearchSpec, type Way, cutOrder } from './search';
import type { Db } from './sql';

/** Smaller tables are searched as they are. */
const LARGE = 50_000;
const SAMPLE = 2_000;

/** One that brings less than this part is of a table that lost nearly all its rows since PostgreSQL counted them. */
const LEAST_OF_SAMPLE = 1 / 8;
/** Less tells too little. */
const SMALLEST_SAMPLE = 200;

/** Looking at one more row costs three to four microseconds: so many are an eighth of a second. */
const MOST_ROWS = 32_000;

/**
 * Long texts are kept apart and put together to be looked at, at 5 µs for each kilobyte: where all are long, those that are looked at
 * take half a second. So many bytes cost as much as another row. How long a text is, is asked of each row of the sample: a table
 * may hold a million short ones besides, which are not looked at.
 */
const BYTES_OF_ROW = 1_000;

/** The index of words reads what it has of each word, wherever the rows stand in the order: so many entries cost as much as a row. */
const WORDS_OF_ROW = 8;
/** The same of indexes of orders and of filters. */
const ENTRIES_OF_ROW = 32;

/** A row that is looked up by its id costs as much as so many that an index or a bitmap leads to. */
const ROWS_APART = 1.4;

/** PostgreSQL takes some of the indexes that it might, and rarely the best. */
const OPEN_QUESTION = 1.5;

/** The window is full beyond doubt where so many times the usual error less than a sample has would still fill it. */
const DOUBT = 3;

/** More is looked at than a sample asks for, which knows nothing of less than a few of its rows: looking twice costs more. */
const SPARE = 1.3;
const SPARE_HITS = 3;
const FARTHER = 2;

/** Where fewer have come than were wanted, by so many times: how many more of the sample to go for. */
export const furtherHits = (hits: number, times: number): number =>
  Math.ceil(hits * times * SPARE) + SPARE_HITS;

export interface Sample {
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
  readonly known: boolean;
  readonly filtered: boolean;
  readonly listed: boolean;
  readonly matching: boolean;
}

/** Undefined when the table is small, whatever PostgreSQL believes of it. */
export async function sampleOf(db: Db, spec: SearchSpec): Promise<Sample | undefined> {
  const rows = await lookAt(db, spec);
  return rows && reckon(rows, spec.known !== undefined);
}

interface SampledRows {
  /** Those of `base`, or that the filters keep, in the order that is cut. */
  readonly found: readonly SampledRow[];
  /** How many rows of the table one of them stands for. */
  readonly each: number;
}

/** The same blocks each time (`repeatable`): what one page took for many matches, the next would take for few, and refuse to be there. */
async function lookAt(db: Db, spec: SearchSpec): Promise<SampledRows | undefined> {
  const { table, as, where, base, known, filters, words, text } = spec;
  const sizes = await db.first<{ rows: number; apart: number }>(
    `select greatest(c.reltuples, 0)::bigint as rows, (greatest(t.relpages, 0) * 8192.0)::float8 as apart
       from pg_class c left join pg_class t on t.oid = c.reltoastrelid where c.oid = $1::regclass`,
    [table],
  );
  const { rows = 0, apart = 0 } = sizes ?? {};
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
       select ${keys}, (${base}) is true as base, (${known?.ofRow ?? 'true'}) is true as known,
              (${filters}) is true as filtered, (${words}) is true as listed, (${where}) is true as matching, octet_length(${text}) as length
         from ${table} ${as} tablesample system (${percent}) repeatable (0))
     select array[${names.join(', ')}] as keys, base, known, filtered, listed, matching, length, n, worded
       from sampled, (select count(*) as n, count(*) filter (where listed) as worded from sampled) as numbers
      where base or filtered order by ${byKeys}`,
  );
  const sampled = found[0]?.n ?? 0;
  return sampled < wanted * LEAST_OF_SAMPLE ? undefined : { found, each: rows / sampled };
}

/** `hasKnown`: the indexes of orders know more than where a row stands. */
function reckon({ found, each }: SampledRows, hasKnown: boolean): Sample {
  // Short ones stand in the row itself.
  const costOf = ({ length }: SampledRow): number =>
    (length > BYTES_OF_ROW ? 1 + length / BYTES_OF_ROW : 1) * each;
  const costOfAll = (some: readonly SampledRow[]): number => some.reduce((sum, row) => sum + costOf(row), 0);
  const entriesOf = (some: readonly SampledRow[]): number => (some.length * each) / ENTRIES_OF_ROW;
  const ofFilters = found.filter(({ filtered }) => filtered);
  const worded = (found[0]?.worded ?? 0) * each;
  const ofWords = worded / WORDS_OF_ROW;
  // What no row of the sample shows is of rows that are not of the list.
  const allWorded = Math.max(worded, costOfAll(found.filter(({ listed }) => listed)));
  /** The ways to what comes before a place, in rows that are looked at. */
  const waysTo = (place: number): [Way, number][] => {
    const before = found.slice(0, place);
    const ofBase = before.filter(({ base }) => base);
    const listed = (some: readonly SampledRow[]): number => costOfAll(some.filter((row) => row.listed));
    const along = hasKnown
      ? entriesOf(ofBase) + ROWS_APART * costOfAll(ofBase.filter((row) => row.known))
      : costOfAll(ofBase);
    const open = Math.min(
      costOfAll(ofFilters),
      ofWords + entriesOf(ofFilters) + listed(ofFilters),
      ofWords + entriesOf(ofFilters) + entriesOf(ofBase) + listed(before.filter(({ filtered }) => filtered)),
    );
    return [
      ['along', along],
      ['words', ofWords + allWorded],
      ['ranged', ofWords + entriesOf(ofBase) + listed(ofBase)],
      ['open', OPEN_QUESTION * open],
    ];
  };
  const shortestTo = (place: number): [Way, number] =>
    waysTo(place).reduce((best, way) => (way[1] < best[1] ? way : best));
  const cutAt = (place: number): Cut => ({ end: found[place]?.keys, way: shortestTo(place)[0] });
  /** The place of the first row that is so and has as many of these before it. */
  const placeOf = (is: (row: SampledRow) => boolean, before: number): number => {
    const row = found.filter(is)[Math.max(0, Math.floor(before))];
    return row ? found.indexOf(row) : found.length;
  };
  /** The last place that is reached at the cost of MOST_ROWS. */
  const placeOfHead = (): number => {
    let [reached, tooFar] = [0, found.length + 1];
    while (tooFar - reached > 1) {
      const place = Math.floor((reached + tooFar) / 2);
      if (shortestTo(place)[1] > MOST_ROWS) tooFar = place;
      else reached = place;
    }
    return reached;
  };
  const isMatching = ({ matching }: SampledRow): boolean => matching;
  const hits = found.filter(isMatching).length;
  return {
    isWide: shortestTo(found.length)[1] > MOST_ROWS,
    isSurelyMore: (hits - DOUBT * Math.sqrt(hits)) * each > SEARCH_WINDOW,
    whole: cutAt(found.length),
    endOfHead: cutAt(placeOfHead()),
    hitsOf: (matches) => Math.ceil((matches / each) * SPARE) + SPARE_HITS,
    endOf: (before) => {
      const cut = cutAt(placeOf(isMatching, before));
      // Along the order looking ends with the last match that is wanted, wherever the cut is: better too far than twice.
      return cut.way === 'along' ? { ...cut, end: found[placeOf(isMatching, FARTHER * before)]?.keys } : cut;
    },
  };
}
