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
  /** The same for the reverse of the order, where PostgreSQL has to be told. */
  readonly backwards?: string;
  /** SQL of the id. */
  readonly id: string;
  readonly order: readonly OrderKey[];
  /** SQL of the number of all, where there is a shorter way than counting them. */
  readonly total?: string;
  /** Statements of what each filter keeps. Where one keeps few, the track is left; without any it is always taken. */
  readonly keeps?: readonly string[];
  /** Conditions of the rows that the index of the order knows: the first of them mostly hold the first of the list. */
  readonly among?: string;
  /** Read upwards alone, as merged rows are. */
  readonly isOneWay?: true;
}

/** Looking at rows one by one, to spare the whole track. */
const LOOKED_AT = 2_000;

/** Undefined where the conditions of the selection find few rows by themselves. */
export async function outlineAlong(
  db: Db,
  selection: Selection,
  track: Track,
): Promise<{ total: number; first: readonly number[] } | undefined> {
  const { keeps = [] } = track;
  const upToFew = (rows: string): string => `(select count(*) from (${rows} limit ${FEW + 1}) as kept)`;
  if (keeps.length > 0 && isFew(await numberOf(db, selection, `least(${keeps.map(upToFew).join(', ')})`)))
    return undefined;
  const total = await numberOf(db, selection, `(${track.total ?? `select count(*) ${track.from}`})`);
  return { total, first: await firstAlong(db, selection, track, total) };
}

/** The ids of a page, from the end where that is nearer. */
export async function pageAlong(
  db: Db,
  selection: Selection,
  { from, backwards = from, id, order, isOneWay }: Track,
  { skip, size, total }: Range & { readonly total: number },
): Promise<readonly number[]> {
  const fromEnd = Math.max(0, total - skip - size);
  const isReversed = isOneWay ? order[0]?.direction === 'desc' : fromEnd < skip;
  const place = isReversed ? fromEnd : skip;
  const ids = await idsOf(
    db,
    selection,
    `select ${id} as id ${isReversed ? backwards : from} order by ${orderText(order, isReversed)}
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
