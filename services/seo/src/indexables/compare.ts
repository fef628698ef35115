/**
 * The index against its owners, from id to id: what they have in another version, or was made by other settings, or is there
 * no more, is put among what waits. So everything that a lost stream kept from us is made up for, from an empty index too.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { doubledSeconds } from '@sevenfold/chassis/queue/back-off';
import { job } from '@sevenfold/chassis/queue/jobs';
import { orLater } from '@sevenfold/chassis/queue/or-later';
import { read as readSettings } from '../settings/read';
import type { Deps } from '../deps';
import { type Source, type SourceName, type Versions, sources } from '../sources/read';
import { QUEUE, promise } from './queue';

const COMPARE = 'compare-owners';
/** As many as owners tell at once. */
export const CHUNK = 5_000;
const NO_END = Number.MAX_SAFE_INTEGER;
/** For an owner that is away. What changes meanwhile waits as well, each in a job that asks: so it asks less and less often. */
const PAUSE_SECONDS = { first: 2.5, longest: 30 };
export const pauseAfter = (attempt: number): number =>
  doubledSeconds(attempt, PAUSE_SECONDS.first, PAUSE_SECONDS.longest);

export interface Place {
  readonly source: SourceName;
  readonly afterId: number;
}

const START: Place = { source: sources[0]!.name, afterId: 0 };

const versionsAt = (deps: Deps, { source, afterId }: Place): Promise<Versions> =>
  sourceOf(source).versions(deps, afterId, CHUNK);

const sourceOf = (name: SourceName): Source => sources.find((one) => one.name === name) as Source;

/** Where to go on; undefined behind the last. */
function nextPlace({ source }: Place, { ids }: Versions): Place | undefined {
  if (ids.length === CHUNK) return { source, afterId: ids.at(-1) as number };
  const next = sources[sources.findIndex((one) => one.name === source) + 1];
  return next && { source: next.name, afterId: 0 };
}

/** How many were put among what waits. What waits already is not put there again. */
async function compare(tx: Db, madeFor: string, place: Place, found: Versions): Promise<number> {
  const { objectType, subtypes } = sourceOf(place.source);
  const last = found.ids.length === CHUNK ? found.ids.at(-1) : NO_END;
  const added = await tx.run(
    `with there as (select id, version from unnest($1::bigint[], $2::text[]) as t (id, version)),
     known as (
       select object_id as id, version, made_for, status, object_subtype from indexables
       where object_type = $3 and object_id > $4 and object_id <= $5),
     others as (
       select there.id from there left join known on known.id = there.id
       where known.id is null or known.version <> there.version or known.made_for <> $6
       union all
       select known.id from known
       where status <> 'gone' and ($7::text[] is null or object_subtype = any($7))
         and not exists (select from there where there.id = known.id))
     insert into waiting (object_type, object_id)
     select $3, id from others
     where not exists (
       select from waiting w
       where w.object_type = $3 and w.object_id = others.id and w.object_id > $4 and w.object_id <= $5)
     order by id`,
    [found.ids, found.versions, objectType, place.afterId, last, madeFor, subtypes ?? null],
  );
  const home = place.source === 'users' ? await compareHome(tx, madeFor) : 0;
  if (added + home > 0) await promise(tx);
  return added + home;
}

const compareHome = (tx: Db, madeFor: string): Promise<number> =>
  tx.run(
    `insert into waiting (object_type, object_id) select 'home', 0
     where not exists (select from indexables where object_type = 'home' and made_for = $1)
       and not exists (select from waiting where object_type = 'home')`,
    [madeFor],
  );

/** Everything, now; `enough` says after how many differences among posts and what has their numbers to stop. */
export async function compareAll(deps: Deps, enough = Infinity): Promise<void> {
  const { madeFor } = await readSettings(deps.db, deps.config);
  let differing = 0;
  for (let place: Place | undefined = START; place && differing < enough;) {
    const at: Place = place;
    const found = await versionsAt(deps, at);
    const added = await deps.db.transaction((tx) => compare(tx, madeFor, at, found));
    if (sourceOf(at.source).objectType === 'post') differing += added;
    place = nextPlace(at, found);
  }
}

const OPEN = `kind = 'job' and channel = '${QUEUE}' and name = '${COMPARE}' and done_at is null and failed_at is null`;

/** Begins a comparison of everything, unless one is under way: they would only pile up while an owner is away. */
export async function compareInTurn(tx: Db): Promise<void> {
  const open = await tx.first(`select where exists (select from outbox where ${OPEN})`);
  if (!open) await enqueue(tx, QUEUE, COMPARE, START);
}

/**
 * The same for who has changed here what rows are made by: a comparison that is under way has looked at some of them already. One
 * that has not begun reads what is changed, as it waits for this transaction: whoever has the row of a job has the job.
 */
export async function requestComparison(tx: Db): Promise<void> {
  const open = await tx.first(
    `select id from outbox where ${OPEN} and payload = $1::jsonb order by id limit 1 for update`,
    [JSON.stringify(START)],
  );
  if (!open) await enqueue(tx, QUEUE, COMPARE, START);
}

export const compareJob = job<Deps, Place, Versions>({
  queue: QUEUE,
  name: COMPARE,
  prepare: ({ deps, payload, attempt }) => orLater(pauseAfter(attempt), () => versionsAt(deps, payload)),
  handle: async ({ tx, deps, payload }, found) => {
    const { madeFor } = await readSettings(tx, deps.config);
    await compare(tx, madeFor, payload, found);
    const next = nextPlace(payload, found);
    if (next) await enqueue(tx, QUEUE, COMPARE, next);
  },
});
