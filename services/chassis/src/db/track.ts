/**
 * Lists that pass by many rows of a large table, read from indexes alone: no row is fetched to be counted or passed by.
 * Where a filter keeps few rows they are found by it as quickly, so it is asked first how many there are, up to a bound.
 * Answers ids; whoever shows the rows asks their conditions again (list.ts).
 */
import {
  type OrderKey,
  type Range,
  type Selection,
  FEW,
  FIRST,
  fromOf,
  isFew,
  keyed,
  orderText,
  rowsOf,
} from './selection';
import type { Db } from './sql';

/** Where the ids of a selection stand in indexes. All SQL has the placeholders of the selection. */
export interface Track {
  /** `from … where …`. */
  readonly from: string;
  /** SQL of the id. */
  readonly id: string;
  readonly order: readonly OrderKey[];
  /** SQL of the number of all, where there is a shorter way than counting them. */
  readonly total?: string;
  /** Statements of what each filter keeps. Where one keeps few, the track is left or `few` taken; without any it is always taken. */
  readonly keeps?: readonly string[];
  /** The same rows from a filter that keeps few, by its place in `keeps`, in no order. Absent: the conditions of the selection find these. */
  readonly few?: readonly Pick<Track, 'from' | 'id' | 'order'>[];
  /** Conditions of the rows that the index of the order knows: the first of them mostly hold the first of the list. */
  readonly among?: string;
}

/** Looking at rows one by one, to spare the whole track. */
const LOOKED_AT = 2_000;

/** How a list that was tracked goes on. */
export interface Tracked {
  /** Place of the filter that keeps few, where the rows come from that. */
  readonly fewest?: number;
}

interface Along {
  readonly total: number;
  readonly first?: readonly number[];
  readonly tracked: Tracked;
}

/** Undefined where the conditions of the selection find few rows by themselves. `areWanted`: ids of first rows. */
export async function outlineAlong(
  db: Db,
  selection: Selection,
  track: Track,
  areWanted: boolean,
): Promise<Along | undefined> {
  const fewest = await fewestOf(db, selection, track);
  if (fewest !== undefined) {
    const few = track.few?.[fewest];
    return few && { ...(await fewAlong(db, selection, few)), tracked: { fewest } };
  }
  const total = await numberOf(db, selection, `(${track.total ?? `select count(*) ${track.from}`})`);
  if (!areWanted) return { total, tracked: {} };
  return { total, first: await firstAlong(db, selection, track, total), tracked: {} };
}

/** The place of the filter that keeps the fewest rows, if those are few. */
async function fewestOf(
  db: Db,
  selection: Selection,
  { keeps = [] }: Pick<Track, 'keeps'>,
): Promise<number | undefined> {
  if (keeps.length === 0) return undefined;
  const upToFew = (rows: string): string => `(select count(*) from (${rows} limit ${FEW + 1}) as kept)`;
  const [row] = await rowsOf<{ kept: number[] }>(
    db,
    selection,
    `select array[${keeps.map(upToFew).join(', ')}]::integer[] as kept`,
  );
  const kept = row?.kept ?? [];
  const least = Math.min(...kept);
  return isFew(least) ? kept.indexOf(least) : undefined;
}

/** Few rows are found once, to be counted and sorted. */
async function fewAlong(
  db: Db,
  selection: Selection,
  { from, id, order }: Pick<Track, 'from' | 'id' | 'order'>,
): Promise<Omit<Along, 'tracked'>> {
  const { keys, byKeys } = keyed(order);
  const [row] = await rowsOf<{ n: number; ids: number[] }>(
    db,
    selection,
    `with found as materialized (select ${id} as id, ${keys} ${from})
     select (select count(*) from found) as n, array(select id from found order by ${byKeys} limit ${FIRST}) as ids`,
  );
  return { total: row?.n ?? 0, first: row?.ids ?? [] };
}

/** The ids of a page, from the end where that is nearer. */
export async function pageAlong(
  db: Db,
  selection: Selection,
  track: Track,
  { skip, size, total, fewest }: Range & Tracked & { readonly total: number },
): Promise<readonly number[]> {
  const few = fewest === undefined ? undefined : track.few?.[fewest];
  const { from, id, order }: Omit<Track, 'few'> = few ?? track;
  const fromEnd = Math.max(0, total - skip - size);
  const isReversed = fromEnd < skip;
  const place = isReversed ? fromEnd : skip;
  const ids = await idsOf(
    db,
    selection,
    `select ${id} as id ${from} order by ${orderText(order, isReversed)}
      limit ${Math.min(size, total - skip)} offset ${place}`,
  );
  return isReversed ? ids.reverse() : ids;
}

async function firstAlong(
  db: Db,
  selection: Selection,
  track: Track,
  total: number,
): Promise<readonly number[]> {
  if (total === 0) return [];
  const near = track.among === undefined ? [] : await firstAmong(db, selection, track.among);
  if (near.length === FIRST) return near;
  return pageAlong(db, selection, track, { skip: 0, size: FIRST, total });
}

function firstAmong(db: Db, selection: Selection, among: string): Promise<number[]> {
  const { as, order, where } = selection;
  const { keys, byKeys } = keyed(order);
  return idsOf(
    db,
    selection,
    `select id from (
       select ${as}.id, ${keys}, (${where}) is true as kept ${fromOf({ ...selection, where: among })}
        order by ${orderText(order)} limit ${LOOKED_AT}) as looked
      where kept order by ${byKeys} limit ${FIRST}`,
  );
}

export async function numberOf(db: Db, selection: Selection, sql: string): Promise<number> {
  const [row] = await rowsOf<{ n: number }>(db, selection, `select ${sql} as n`);
  return row?.n ?? 0;
}

const idsOf = async (db: Db, selection: Selection, text: string): Promise<number[]> =>
  (await rowsOf<{ id: number }>(db, selection, text)).map(({ id }) => id);
