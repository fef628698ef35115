/**
 * Runs searches of one table, bounded: what one costs does not grow with the table. A search that looks at few rows finds
 * all its matches, up to the window. Otherwise a sample of the table tells how far along its order the rows of a page
 * reach, and nothing behind that is looked at; where the sample cannot tell that there are more matches than the window
 * holds, the first rows of the order are looked at alone, and the answer says that there may be more.
 */
import type { Finder } from './list';
import { type Range, type Selection, fromOf, keyed, orderText, rowsOf } from './selection';
import { type Cut, SEARCH_WINDOW, type SearchPlan, type SearchSpec, cutOrder, withinWindow } from './search';
import { type Sample, furtherHits, sampleOf } from './search-sample';
import type { Db } from './sql';

export interface FoundIds {
  readonly plan: SearchPlan;
  readonly ids: readonly number[];
}

/** The ids of a search, for list.ts. Whoever makes the outline and needs another page as well looks at one sample for both. */
export function finderOf(db: Db, spec: SearchSpec): Finder {
  let looked: Promise<Sample | undefined> | undefined;
  const sample: Sampling = () => (looked ??= sampleOf(db, spec));
  let far: { readonly skip: number; readonly ids: readonly number[] } | undefined;
  return {
    outline: async (wanted) => {
      const { plan, ids } = await searchWith(db, spec, wanted, sample);
      const outline = { total: plan.total, more: plan.more, search: plan };
      if (wanted.skip === 0) return { ...outline, first: ids };
      far = { skip: wanted.skip, ids };
      return outline;
    },
    page: async ({ search }, range) =>
      far?.skip === range.skip
        ? far.ids.slice(0, range.size)
        : (await searchWith(db, spec, range, sample, search)).ids,
  };
}

/** Ids of some rows, in order, and how many there are. `known` is the plan of an earlier page, if it is remembered. */
export const runSearch = (db: Db, spec: SearchSpec, slice: Range, known?: SearchPlan): Promise<FoundIds> =>
  searchWith(db, spec, slice, () => sampleOf(db, spec), known);

type Sampling = () => Promise<Sample | undefined>;

/** Of more matches than the window holds. */
const MANY: SearchPlan = { total: SEARCH_WINDOW, more: true, strategy: 'many' };

async function searchWith(
  db: Db,
  spec: SearchSpec,
  slice: Range,
  sampling: Sampling,
  known?: SearchPlan,
): Promise<FoundIds> {
  if (known?.cut) return { plan: known, ids: (await findIn(db, spec, known.cut, slice)).ids };
  const sample = await sampling();
  if (known !== undefined || sample?.isSurelyMore)
    return { plan: MANY, ids: await findMany(db, spec, slice, sample) };
  const strategy = sample?.isWide ? 'head' : 'all';
  const cut = (sample?.isWide ? sample.endOfHead : sample?.whole) ?? WHOLE;
  const { n, ids } = await findIn(db, spec, cut, slice);
  if (n > SEARCH_WINDOW) return { plan: MANY, ids };
  const { total, more } = withinWindow(n);
  return { plan: { total, more: more || strategy === 'head', strategy, cut }, ids };
}

/** Where nothing is known of the table. */
const WHOLE: Cut = { way: 'open' };

/** Where less was found than a sample had promised it is asked so many times how much further to go, and then everything. */
const MOST_TRIES = 3;

async function findMany(
  db: Db,
  spec: SearchSpec,
  slice: Range,
  sample: Sample | undefined,
): Promise<readonly number[]> {
  const reach = spec.indexed ? slice.skip + slice.size : SEARCH_WINDOW;
  let hits = sample?.hitsOf(reach) ?? 0;
  let passed = 0;
  let behind: Cut['end'];
  const findUpTo = (cut: Cut): Promise<Reached> =>
    findIn(db, spec, cut, { ...slice, skip: slice.skip - passed }, { most: reach - passed, behind });
  for (let tries = 1; sample && tries <= MOST_TRIES; tries++) {
    const cut = sample.endOf(hits);
    const { ids, n } = await findUpTo(cut);
    const all = passed + n;
    if (all >= reach || cut.end === undefined) return ids;
    hits = furtherHits(hits, reach / Math.max(all, 1));
    // What was found and stands before the page is not found again.
    if (spec.indexed && all <= slice.skip) [passed, behind] = [all, cut.end];
  }
  return (await findUpTo(sample?.whole ?? WHOLE)).ids;
}

// ---- statements --------------------------------------------------------------------------------------------------

/** Rows of a search, as they are to be looked at. */
interface Looked extends Pick<Selection, 'table' | 'as' | 'where' | 'values'> {
  /** They come in order: `order by`, where it is to be said. */
  readonly inOrder?: string;
}

const all = (parts: readonly string[]): string => parts.map((part) => `(${part})`).join(' and ');

/** Up to the end, from behind another one on. */
function upTo(spec: SearchSpec, { end, way }: Cut, behind?: Cut['end']): Looked {
  const { table, as, base, words, where, known } = spec;
  const values = [...spec.values];
  const bounds = [
    ...(behind === undefined ? [] : [boundOf(spec, behind, true, values)]),
    ...(end === undefined ? [] : [boundOf(spec, end, false, values)]),
  ];
  const range = bounds.map(({ byFirst, byAll }) => `${byFirst} and ${byAll}`);
  // `is true` hides conditions from the planner, which would take indexes for them.
  const hidden = (...parts: readonly string[]): string => `(${all(parts)}) is true`;
  const rows = (...parts: readonly string[]): Looked => ({ table, as, where: all(parts), values });
  if (way === 'open') return rows(where, ...range);
  if (way === 'words') return rows(words, hidden(where, ...range));
  if (way === 'ranged') {
    // With a choice of two no index is walked along, past all that have not the words: what it has is laid over what has these.
    const either = bounds.map(({ byFirst, byEnd }) => `${byFirst} or ${byEnd}`);
    return rows(base, words, ...either, hidden(where, ...bounds.map(({ byAll }) => byAll)));
  }
  const byKeys = `order by ${orderText(cutOrder(spec))}`;
  if (known === undefined) return { ...rows(base, ...range, hidden(where)), inOrder: byKeys };
  // `offset 0` keeps both apart: ids from the index alone, and the row of each.
  const ids = `select ${as}.id from ${table} ${as} where ${all([base, ...range, known.sql])} ${byKeys} offset 0`;
  const row = `select * from ${table} ${as} where ${as}.id = listed.id offset 0`;
  return {
    ...rows(hidden(where)),
    table: `(${ids}) as listed cross join lateral (${row})`,
    inOrder: '',
  };
}

/** Conditions of what comes no later than a row of these keys; or, `isBehind`, of what comes later.  */
interface Bound {
  /** By all keys: many rows may share the first. */
  readonly byAll: string;
  /** By the first alone: PostgreSQL knows how many rows that leaves, and takes other indexes beside that of words where it does not. */
  readonly byFirst: string;
  /** Those that share the first. */
  readonly byEnd: string;
}

function boundOf(spec: SearchSpec, end: readonly string[], isBehind: boolean, values: unknown[]): Bound {
  const order = cutOrder(spec);
  const isLess = (order[0]?.direction === 'asc') !== isBehind;
  const compare = isLess ? '<=' : '>=';
  // The types of the keys are those of the columns.
  const keys = order.map(({ sql }) => sql);
  const ends = end.map((key) => `$${values.push(key)}`);
  return {
    byAll: `(${keys.join(', ')}) ${isBehind ? compare.charAt(0) : compare} (${ends.join(', ')})`,
    byFirst: `${keys[0]} ${compare} ${ends[0]}`,
    byEnd: `${keys[0]} = ${ends[0]}`,
  };
}

interface Reached {
  /** How many match, as far as they were looked for. */
  readonly n: number;
  /** A slice of these; where no index has their order, of the first of them, as many as the window holds. */
  readonly ids: readonly number[];
}

/**
 * Matches up to the cut, from `behind` another one on; those that come in order are not looked for beyond `most`. `materialized` keeps
 * PostgreSQL from walking along the order past all that do not match. Orders without an index are those of the first matches: of as many for
 * each page, or a row would stand on two of them, or on none.
 */
async function findIn(
  db: Db,
  spec: SearchSpec,
  cut: Cut,
  { skip, size }: Range,
  { most = SEARCH_WINDOW + 1, behind }: { readonly most?: number; readonly behind?: Cut['end'] } = {},
): Promise<Reached> {
  const { as, order, first, indexed } = spec;
  const looked = upTo(spec, cut, behind);
  const { keys, byKeys } = keyed(order);
  const others = indexed ? '' : first.map(({ sql }, place) => `, ${sql} as first${place}`).join('');
  const inFirst = first.map(({ direction }, place) => `first${place} ${direction}`).join(', ');
  const upToMost = looked.inOrder === undefined ? '' : `${looked.inOrder} limit ${most}`;
  const shown = indexed
    ? 'found'
    : `(select * from found order by ${inFirst} limit ${SEARCH_WINDOW}) as first_found`;
  const [row] = await rowsOf<{ n: number; ids: number[] }>(
    db,
    looked,
    `with found as materialized (select ${as}.id, ${keys}${others} ${fromOf(looked)} ${upToMost})
     select (select count(*) from found) as n,
            array(select id from ${shown} order by ${byKeys} limit ${size} offset ${skip}) as ids`,
  );
  return row ?? { n: 0, ids: [] };
}
