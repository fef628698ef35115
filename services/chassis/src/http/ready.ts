/**
 * Items as JSON text in memory, for lists of routes with the key `ready`: making one from its row costs more than
 * finding it. A text belongs to one version of a row (the transaction that wrote it), so nothing ever has to be dropped
 * when a row changes: the next list asks for another version. Handlers select the columns that they are given and answer
 * the rows that come; whether those are whole rows or versions of rows is decided here.
 */
import { LRUCache } from 'lru-cache';
import type { ReadyItem } from './present';
import type { AnyRoute, Call, Version } from './route';

interface Entry {
  readonly version: string;
  readonly item: ReadyItem;
}

export type ReadyMemory = LRUCache<string, Entry>;

const MOST_CHARACTERS = 32 * 1024 * 1024;

export const openReadyMemory = (): ReadyMemory =>
  new LRUCache({ maxSize: MOST_CHARACTERS, sizeCalculation: ({ item }) => item.json.length + 200 });

/** Rows of more do not come with a list, which may have a hundred of them: they are read when they are shown (long-list.ts). */
export const LONG_ROW_BYTES = 64 * 1024;

/** How a call is answered from texts in memory. */
export interface Shared {
  /** Begins the keys of the texts. */
  readonly prefix: string;
  /** SQL. */
  readonly version: string;
  readonly withEmbedded: boolean;
}

/** Undefined where the answer takes items apart or nobody else is shown the same. */
export function sharedBy<D>({ ready, path }: AnyRoute<D>, call: Call<D>): Shared | undefined {
  const key = call.request.whole ? ready?.key(call) : undefined;
  if (!ready || key === undefined) return undefined;
  const embedded = call.request.embed === true ? ready.embedded?.(call) : undefined;
  const prefix = `${path} ${key}`;
  return embedded === undefined
    ? { prefix, version: ready.version, withEmbedded: false }
    : {
        prefix: `${prefix} embedded`,
        version: `concat(${ready.version}, '|', ${embedded})`,
        withEmbedded: true,
      };
}

/** The select list for a handler; empty for routes without `ready`. */
export function columnsFor<D>(row: AnyRoute<D>, call: Call<D>): string {
  const { ready } = row;
  if (!ready) return '';
  const shared = sharedBy(row, call);
  const size = `${ready.size(call)} as size`;
  if (!shared) return `${ready.columns(call, LONG_ROW_BYTES)}, ${size}`;
  const more = ready.listed?.(call);
  return `${ready.id} as id, ${shared.version} as version, ${size}${more === undefined ? '' : `, ${more}`}`;
}

/** Items of the versions, in their order, at once where all are known; `make` turns rows into items, in theirs. */
export function readyItems<D>(
  memory: ReadyMemory,
  { ready }: AnyRoute<D>,
  { prefix, version }: Shared,
  call: Call<D>,
  listed: readonly Version[],
  make: (rows: readonly object[]) => Promise<ReadyItem[]>,
): ReadyItem[] | Promise<ReadyItem[]> {
  const items = new Map<number, ReadyItem>();
  const missing: number[] = [];
  for (const one of listed) {
    const entry = memory.get(`${prefix} ${one.id}`);
    if (entry?.version === one.version) items.set(one.id, entry.item);
    else missing.push(one.id);
  }
  const inOrder = (): ReadyItem[] => listed.flatMap(({ id }) => items.get(id) ?? []);
  if (!ready || missing.length === 0) return inOrder();
  const findMissing = async (): Promise<ReadyItem[]> => {
    const columns = `${ready.columns(call)}, ${version} as version`;
    const rows = (await ready.find(call, columns, missing)) as readonly Version[];
    const made = await make(rows);
    rows.forEach((row, place) => {
      const item = made[place] as ReadyItem;
      items.set(row.id, item);
      if (!item.isLate) memory.set(`${prefix} ${row.id}`, { version: row.version, item });
    });
    return inOrder();
  };
  return findMissing();
}
