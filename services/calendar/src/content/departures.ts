/**
 * What is gone from the content service leaves the events, venues and organizers that named it: where they are few, at
 * once; of many, by a job in pieces, as whatever it holds writers have to wait for. Each is announced like any other
 * change of it. A row (`departures`) says what is still to be done, since heirs may go, too.
 */
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Work, doAll, inPieces, isMuch } from '@sevenfold/chassis/queue/pieces';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Clock } from '@sevenfold/publishing/course';
import type { Deps } from '../deps';
import { editedWith } from '../common/edited';
import { settleTrash } from '../common/settle-row';
import { type ChangedEvent, announce } from '../events/news';
import * as events from '../events/store';
import type { LinkedRow } from '../linked/fields';
import type { LinkedKind } from '../linked/kind';
import { type Told, tell, tellAll } from '../linked/news';
import * as linked from '../linked/store';
import { organizerKind } from '../organizers/kind';
import { venueKind } from '../venues/kind';
import * as store from './known-store';

export interface Departure {
  readonly kind: 'term' | 'media' | 'user';
  readonly id: number;
  /** Who gets what a user wrote; otherwise 0. */
  readonly heir: number;
}

const things = { events: 'event', venues: 'venue', organizers: 'organizer' } as const;

/** Rows of `table` that name `$1`, and what becomes of that: `$3` is the heir, where there is one. Without `set` they go to the trash. */
interface Part {
  readonly table: keyof typeof things;
  readonly names: string;
  readonly set?: string;
}

const ofEach = (part: Omit<Part, 'table'>): Part[] =>
  (['events', 'venues', 'organizers'] as const).map((table) => ({ ...part, table }));

// There is an index of those that have one.
const ILLUSTRATED = 'image_id = $1::bigint and image_id <> 0';

const parts: Readonly<Record<Departure['kind'] | 'user without heir', readonly Part[]>> = {
  term: [
    {
      table: 'events',
      names: '(category_ids @> array[$1::bigint] or tag_ids @> array[$1::bigint])',
      set: 'category_ids = array_remove(category_ids, $1::bigint), tag_ids = array_remove(tag_ids, $1::bigint)',
    },
  ],
  media: [
    // Who deleted the picture of an imported event has taken it away, as if that had been said of the event.
    { table: 'events', names: ILLUSTRATED, set: `image_id = 0, edited = ${editedWith(["'image'"])}` },
    { table: 'venues', names: ILLUSTRATED, set: 'image_id = 0' },
    { table: 'organizers', names: ILLUSTRATED, set: 'image_id = 0' },
  ],
  user: ofEach({ names: 'author = $1::bigint', set: 'author = $3::bigint' }),
  'user without heir': ofEach({
    // What somebody took out of the trash since is meant to stay (migrations/0033_taken_out.sql).
    names: `author = $1::bigint and status <> 'trash' and id not in (select id from taken_out where author = $1::bigint)`,
  }),
};

const partsOf = ({ kind, heir }: Departure): readonly Part[] =>
  parts[kind === 'user' && heir === 0 ? 'user without heir' : kind];

async function change(tx: Db, part: Part, { id, heir }: Departure, ids: readonly number[]): Promise<void> {
  const { table, names, set } = part;
  if (set === undefined) return throwAway(tx, table, ids);
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

/** The rows are locked. Slugs are freed one by one, as by whoever throws away one of them. */
async function throwAway(tx: Db, table: Part['table'], ids: readonly number[]): Promise<void> {
  const clock = { now: new Date(), timezone: (await store.findSettings(tx))[0]?.timezone || 'UTC' };
  if (table === 'venues') return throwAwayLinked(tx, venueKind, ids, clock);
  if (table === 'organizers') return throwAwayLinked(tx, organizerKind, ids, clock);
  const gone: ChangedEvent[] = [];
  for (const id of ids) {
    const row = await events.lockById(tx, id);
    if (!row) continue;
    const changes = await settleTrash(tx, table, row, row.titleRaw, clock);
    await events.update(tx, id, changes);
    gone.push({ ...row, ...changes, statusBefore: row.status });
  }
  await announce(tx, 'calendar.event.deleted', gone);
}

async function throwAwayLinked<R extends LinkedRow>(
  tx: Db,
  kind: LinkedKind<R>,
  ids: readonly number[],
  clock: Clock,
): Promise<void> {
  for (const id of ids) {
    const row = await linked.lockById(tx, kind, id);
    if (!row) continue;
    await linked.update(tx, kind, id, await settleTrash(tx, kind.many, row, row.name, clock));
    await tell(tx, kind.one, 'deleted', { id, status: 'trash', slug: '' }, row.status);
  }
}

const leaving = (tx: Db, departure: Departure): Work<Part> => ({
  parts: partsOf(departure),
  find: async ({ table, names }, end) => {
    const found = `select id from ${table} where ${names} ${end}`;
    return (await tx.rows<{ id: number }>(found, [departure.id])).map(({ id }) => id);
  },
  change: (part, ids) => change(tx, part, departure, ids),
});

const pieces = inPieces({
  queue: 'calendar.departures',
  name: 'take-away',
  table: 'departures',
  key: { kind: 'kind', id: 'id' },
  columns: 'kind, id, heir',
  workOf: (departure: Departure, _: Deps, tx) => leaving(tx, departure),
});

/** It is gone there. Waits for whoever holds what names it, unless that is much. */
export async function depart(tx: Db, departure: Departure): Promise<void> {
  const { kind, id, heir } = departure;
  // What was still to come to the one who goes comes to the heir.
  if (kind === 'user')
    await tx.run(`update departures set heir = $2 where kind = 'user' and heir = $1`, [id, heir]);
  const work = leaving(tx, departure);
  if (!(await isMuch(work))) return doAll(work);
  const isNew = await tx.run(
    'insert into departures (kind, id, heir) values ($1, $2, $3) on conflict do nothing',
    [kind, id, heir],
  );
  if (isNew > 0) await pieces.begin(tx, { kind, id });
}

/**
 * What the one who goes had begun goes on in the name of the heir, or of nobody where there is none (0), and is looked for once more;
 * so does what is his as an heir. `news` is the number of the news of it.
 */
export async function noteLeaver(tx: Db, id: number, heir: number, news: number): Promise<void> {
  await tx.run('update departed_users set heir = $2 where heir = $1', [id, heir]);
  await tx.run(
    `insert into departed_users (id, heir, news) values ($1, $2, $3)
     on conflict (id) do update set heir = excluded.heir, news = excluded.news, departed_at = now()`,
    [id, heir, news],
  );
  // Of somebody who had the number before.
  await tx.run('delete from taken_out where author = $1', [id]);
}

/** The user is there: a site that moved in may have brought somebody with the number. */
export const forgetLeaver = (tx: Db, id: number, news: number): Promise<number> =>
  tx.run('delete from departed_users where id = $1 and news < $2', [id, news]);

/** In whose name goes on what this user began: the user, or who got what the user wrote; 0 where nobody did. */
export async function heirOf(db: Db, user: number): Promise<number> {
  const row = await db.first<{ heir: number }>('select heir from departed_users where id = $1', [user]);
  return row?.heir ?? user;
}

const written = Object.keys(things)
  .map((table) => `select id, author, status from ${table}`)
  .join(' union all ');

/** What was being written when its author went, and was there only after the author's things had been looked for. */
async function takeStragglers({ db }: Deps): Promise<void> {
  const gone = await db.rows<{ id: number; heir: number }>(
    `select distinct d.id, d.heir from departed_users d join (${written}) as t on t.author = d.id
      where d.departed_at > now() - interval '1 hour'
        and (d.heir <> 0 or (t.status <> 'trash' and t.id not in (select id from taken_out)))`,
  );
  for (const user of gone) await db.transaction((tx) => depart(tx, { kind: 'user', ...user }));
  // No stragglers are looked for any more.
  await deleteOld(db, { table: 'taken_out', old: `taken_at < now() - interval '1 day'`, by: 'taken_at' });
}

export const departureJobs = [pieces.job];
export const departureSweeps = [
  pieces.sweep,
  { name: 'late-departures', everySeconds: 300, run: takeStragglers } satisfies Sweep<Deps>,
];
