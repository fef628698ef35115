/** Building on demand: a bounded run for the route, and everything anew for the command line. */
import type { Deps } from '../deps';
import { type Source, goneOf, openReading, readKeys, sources } from '../sources/read';
import { readApart } from '../sources/apart';
import { knowSite } from '../sources/site';
import { readTaken } from './jobs';
import { CHUNK, compareAll } from './compare';
import { done, giveBack, oldest, takeThese, ticket } from './queue';
import { write } from './write';

const MOST_IN_A_RUN = 100;

/** How many posts were indexed anew; 0 when the whole index is as its owners want it. What is left is in the queue. */
export async function reindexSome(deps: Deps): Promise<number> {
  const { db } = deps;
  if ((await oldest(db, 'post', 1)).length === 0) await compareOnce(deps);
  const wanted = await oldest(db, 'post', MOST_IN_A_RUN);
  if (wanted.length === 0) return 0;
  // No job has this number.
  const taker = -(await ticket(db));
  await takeThese(db, taker, wanted);
  try {
    const { built, read, left } = await readTaken(deps, wanted);
    await db.transaction(async (tx) => {
      await write(tx, built);
      await done(tx, read, taker);
      if (left.length > 0) await giveBack(tx, taker);
    });
    return new Set(read.map(({ objectId }) => objectId)).size;
  } catch (error) {
    await giveBack(db, taker).catch(() => undefined);
    throw error;
  }
}

const comparing = new WeakMap<Deps['db'], Promise<void>>();

/** However many ask at once: each comparison goes through all that the owners have. */
function compareOnce(deps: Deps): Promise<void> {
  const running = comparing.get(deps.db) ?? compareAll(deps, 1).finally(() => comparing.delete(deps.db));
  comparing.set(deps.db, running);
  return running;
}

const PIECE = 100;

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Everything, whether it differs or not. `onProgress` hears of each piece. */
export async function reindexAll(deps: Deps, onProgress: (progress: Progress) => void): Promise<Progress> {
  await knowSite(deps);
  const all: { source: Source; ids: number[] }[] = [];
  for (const source of sources) all.push({ source, ids: await allIds(deps, source) });
  const total = all.reduce((sum, { ids }) => sum + ids.length, 1);
  let count = 0;
  // While one piece is written the next is read.
  let writing: Promise<unknown> = Promise.resolve();
  const tell = (more: number): void => onProgress({ done: (count += more), total });

  for (const { source, ids } of all)
    for (let start = 0; start < ids.length; start += PIECE) {
      const piece = ids.slice(start, start + PIECE);
      const goneNo = await ticket(deps.db);
      const { objectType } = source;
      const read = await readApart(
        piece,
        async (some) => source.read(await openReading(deps, await ticket(deps.db)), [...some]),
        (objectId, error) => {
          deps.log.error({ err: error as Error, objectType, objectId }, 'an object could not be read');
          return { built: [], seen: [objectId] };
        },
      );
      const built = read.flatMap((one) => one.built);
      const there = new Set(read.flatMap(({ seen }) => seen));
      const gone = piece
        .filter((id) => !there.has(id))
        .map((objectId) => goneOf({ objectType, objectId }, goneNo));
      await writing;
      writing = deps.db.transaction((tx) => write(tx, [...built, ...gone])).then(() => tell(piece.length));
      // A failure is told by the next piece, or at the end.
      writing.catch(() => undefined);
    }
  await writing;
  // What owners no longer have.
  await compareAll(deps);
  const home = await readKeys(await openReading(deps, await ticket(deps.db)), [
    { objectType: 'home', objectId: 0 },
  ]);
  await deps.db.transaction((tx) => write(tx, home));
  tell(1);
  return { done: count, total };
}

async function allIds(deps: Deps, source: Source): Promise<number[]> {
  const all: number[] = [];
  for (let afterId = 0; ; afterId = all.at(-1) as number) {
    const { ids } = await source.versions(deps, afterId, CHUNK);
    for (const id of ids) all.push(id);
    if (ids.length < CHUNK) return all;
  }
}
