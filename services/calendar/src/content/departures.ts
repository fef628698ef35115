/**
 * What is gone from the content service leaves the events, venues and organizers that named it: where they are few, at
 * once; of many, by a job in pieces, as whatever it holds writers have to wait for. Each is announced like any other
 * change of it. A row (`departures`) says what is still to be done, since heirs may go, too.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Job, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { type ChangedEvent, announce } from '../events/news';
import { type Told, tellAll } from '../linked/news';

export interface Departure {
  readonly kind: 'term' | 'media' | 'user';
  readonly id: number;
  /** Who gets what a user wrote; otherwise 0. */
  readonly heir: number;
}

const MOST_AT_ONCE = 100;

const things = { events: 'event', venues: 'venue', organizers: 'organizer' } as const;

/** Rows of `table` that name `$1`, and what becomes of that: `$3` is the heir, where there is one. */
interface Part {
  readonly table: keyof typeof things;
  readonly names: string;
  readonly set: string;
}

const ofEach = (part: Omit<Part, 'table'>): Part[] =>
  (['events', 'venues', 'organizers'] as const).map((table) => ({ ...part, table }));

const parts: Readonly<Record<Departure['kind'], readonly Part[]>> = {
  term: [
    {
      table: 'events',
      names: '(category_ids @> array[$1::bigint] or tag_ids @> array[$1::bigint])',
      set: 'category_ids = array_remove(category_ids, $1::bigint), tag_ids = array_remove(tag_ids, $1::bigint)',
    },
  ],
  // There is an index of those that have one.
  media: ofEach({ names: 'image_id = $1::bigint and image_id <> 0', set: 'image_id = 0' }),
  user: ofEach({ names: 'author = $1::bigint', set: 'author = $3::bigint' }),
};

const find = async (tx: Db, { table, names }: Part, id: number, end: string): Promise<number[]> =>
  (await tx.rows<{ id: number }>(`select id from ${table} where ${names} ${end}`, [id])).map((row) => row.id);

async function change(tx: Db, part: Part, { id, heir }: Departure, ids: readonly number[]): Promise<void> {
  const { table, names, set } = part;
  const terms = table === 'events' ? ', t.category_ids as "categoryIds", t.tag_ids as "tagIds"' : '';
  const rows = await tx.rows<Told & Pick<ChangedEvent, 'categoryIds' | 'tagIds'>>(
    `update ${table} t set ${set} where ${names} and t.id = any($2::bigint[])
      returning t.id, t.status, t.slug${terms}`,
    [id, ids, ...(heir === 0 ? [] : [heir])],
  );
  const thing = things[table];
  if (thing !== 'event') return tellAll(tx, thing, rows, ({ status }) => status);
  const changed = rows.map((row) => ({ ...row, statusBefore: row.status }));
  await announce(tx, 'calendar.event.changed', changed);
}

/** It is gone there. Waits for whoever holds what names it, unless that is much. */
export async function depart(tx: Db, departure: Departure): Promise<void> {
  const { kind, id, heir } = departure;
  const all = parts[kind];
  // What was still to come to the one who goes.
  if (kind === 'user')
    await tx.run(`update departures set heir = $2 where kind = 'user' and heir = $1`, [id, heir]);
  for (const part of all) {
    const some = await find(tx, part, id, `limit ${MOST_AT_ONCE + 1}`);
    if (some.length > MOST_AT_ONCE) return later(tx, departure);
  }
  for (const part of all) {
    const ids = await find(tx, part, id, 'order by id for update');
    if (ids.length > 0) await change(tx, part, departure, ids);
  }
}

async function later(tx: Db, { kind, id, heir }: Departure): Promise<void> {
  const isNew = await tx.run(
    'insert into departures (kind, id, heir) values ($1, $2, $3) on conflict do nothing',
    [kind, id, heir],
  );
  if (isNew > 0) await goOn(tx, { kind, id });
}

/** A piece of what nobody else holds. Answers what is left after it. */
async function departPiece(tx: Db, departure: Departure): Promise<'more' | 'held by others' | 'nothing'> {
  let left: 'held by others' | 'nothing' = 'nothing';
  for (const part of parts[departure.kind]) {
    if ((await find(tx, part, departure.id, 'limit 1')).length === 0) continue;
    const ids = await find(tx, part, departure.id, `limit ${MOST_AT_ONCE} for update skip locked`);
    if (ids.length > 0) {
      await change(tx, part, departure, ids);
      return 'more';
    }
    left = 'held by others';
  }
  return left;
}

const QUEUE = 'calendar.departures';
const DEPART_JOB = 'take-away';
type Named = Pick<Departure, 'kind' | 'id'>;

const goOn = (tx: Db, { kind, id }: Named): Promise<number> => enqueue(tx, QUEUE, DEPART_JOB, { kind, id });

/** What another holds is free within moments. */
const PAUSE_SECONDS = 2;

export const departureJobs: readonly Job<Deps>[] = [
  job<Deps, Named>({
    queue: QUEUE,
    name: DEPART_JOB,
    handle: async ({ tx, payload: { kind, id } }) => {
      const departure = await tx.first<Departure>(
        'update departures set taken_at = now() where kind = $1 and id = $2 returning kind, id, heir',
        [kind, id],
      );
      if (!departure) return;
      const left = await departPiece(tx, departure);
      if (left === 'held by others') throw new TryLater('Others hold what is left.', PAUSE_SECONDS);
      if (left === 'more') await goOn(tx, departure);
      else await tx.run('delete from departures where kind = $1 and id = $2', [kind, id]);
    },
  }),
];

/** Where a job failed for the last time. */
export const departureSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'departures',
    everySeconds: 600,
    run: ({ db }) =>
      db.transaction(async (tx) => {
        const forgotten = await tx.rows<Named>(
          `update departures set taken_at = now() where taken_at < now() - interval '1 hour' returning kind, id`,
        );
        for (const named of forgotten) await goOn(tx, named);
      }),
  },
];
