/** What is deleted in a real content service while much names it here. */
import { loseWaitingJob } from '@sevenfold/chassis/testing/sweeps';
import { until } from '@sevenfold/chassis/testing/until';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { makeTerm, makeUser } from '@sevenfold/content/testing/factories';
import type { ContentSite } from '@sevenfold/content/testing/service';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendarAtWork } from '../testing/service';
import { applyBatches } from '../imports/apply-batches';
import { departureSweeps } from './departures';
import { contentSubscriptions } from './follow';

const MANY = 220;

let content: ContentSite;
let calendar: CalendarSite;
beforeAll(async () => {
  calendar = await startCalendarAtWork();
  ({ content } = calendar);
});
afterAll(() => calendar.stop());

const remove = async (path: string): Promise<void> => {
  expect((await content.by('administrator').delete(path)).status).toBe(200);
};
const makeEvents = async (n: number, fields: Record<string, unknown>): Promise<number[]> => {
  const ids: number[] = [];
  while (ids.length < n) ids.push((await makeEvent(calendar.deps.db, fields)).id);
  return ids;
};
const isOver = async () => (await calendar.deps.db.first('select from departures')) === undefined;
const count = async (ids: readonly number[], where: string, table = 'events'): Promise<number> => {
  const row = await calendar.deps.db.first<{ n: number }>(
    `select count(*) as n from ${table} where id = any($1::bigint[]) and ${where}`,
    [ids],
  );
  return row?.n ?? 0;
};
/** How often each was announced as changed, of those that were. */
const told = (ids: readonly number[]) =>
  calendar.deps.db.first(
    `select count(*) as times, count(distinct id) as things
      from (select (event->>'id')::bigint as id from outbox, jsonb_array_elements(payload->'events') as event
             where channel = 'calendar.event.changed'
            union all
            select (one->>'id')::bigint
              from outbox, jsonb_array_elements(coalesce(payload->'items', jsonb_build_array(payload))) as one
             where channel in ('calendar.venue.changed', 'calendar.organizer.changed')
           ) as told where id = any($1::bigint[])`,
    [ids],
  );
/** Somebody else is writing one of them until the work is done. */
const whileHeld = (ids: readonly number[], work: () => Promise<void>) =>
  calendar.deps.db.transaction(async (tx) => {
    await tx.run('select from events where id = $1 for update', [ids[30]]);
    await work();
  });

test('an event category leaves all its events but the one that somebody holds, then that one', async () => {
  const term = await makeTerm(content.deps.db, { taxonomy: 'calendar_events_cat' });
  const kept = await makeTerm(content.deps.db, { taxonomy: 'calendar_events_cat' });
  const events = await makeEvents(MANY, { category_ids: [term.id, kept.id] });
  await whileHeld(events, async () => {
    await remove(`/calendar_events_cat/${term.id}?force=true`);
    await until(async () => (await count(events, `category_ids = array[${kept.id}::bigint]`)) === MANY - 1);
  });
  await until(isOver);
  expect(await count(events, `category_ids = array[${kept.id}::bigint]`)).toBe(MANY);
  expect(await told(events)).toEqual({ times: MANY, things: MANY });
});

test('what a deleted user wrote goes to the heir, or to the heir of an heir who goes, too', async () => {
  const { db } = calendar.deps;
  const writer = (await makeUser(content.deps.db, 'author')).id;
  const heir = (await makeUser(content.deps.db, 'author')).id;
  const last = content.users.editor.id;
  const events = await makeEvents(MANY, { author: writer });
  const venue = (await makeVenue(db, { author: writer })).id;
  await whileHeld(events, async () => {
    await remove(`/users/${writer}?force=true&reassign=${heir}`);
    await until(async () => (await count(events, `author = ${heir}`)) === MANY - 1);
    await remove(`/users/${heir}?force=true&reassign=${last}`);
    await until(async () => (await count(events, `author = ${last}`)) === MANY - 1);
  });
  await until(isOver);
  expect(await count(events, `author = ${last}`)).toBe(MANY);
  expect(await count([venue], `author = ${last}`, 'venues')).toBe(1);
});

test('what a deleted user wrote goes to the trash with its author where nobody gets it, as posts do', async () => {
  const { db } = calendar.deps;
  const writer = (await makeUser(content.deps.db, 'author')).id;
  const events = await makeEvents(MANY, { author: writer });
  const thrown = (await makeEvent(db, { author: writer, status: 'trash', slug: '' })).id;
  const things = [
    ['venues', (await makeVenue(db, { author: writer, slug: 'left-hall' })).id],
    ['organizers', (await makeOrganizer(db, { author: writer, slug: 'left-club' })).id],
  ] as const;
  await remove(`/users/${writer}?force=true&reassign=false`);
  const isGone = `status = 'trash' and author = ${writer}`;
  await until(async () => (await count(events, `${isGone} and status_before_trash = 'publish'`)) === MANY);
  await until(isOver);
  expect(await count([thrown], `${isGone} and status_before_trash = ''`)).toBe(1);
  for (const [table, id] of things)
    expect(await count([id], `${isGone} and slug like 'left-%__trashed'`, table)).toBe(1);
  const news = await db.first(
    `select count(*) as times, count(distinct id) as things
       from (select (event->>'id')::bigint as id from outbox, jsonb_array_elements(payload->'events') as event
              where channel = 'calendar.event.deleted'
             union all
             select (payload->>'id')::bigint from outbox where channel in ('calendar.venue.deleted', 'calendar.organizer.deleted')
            ) as told where id = any($1::bigint[])`,
    [[...events, thrown, ...things.map(([, id]) => id)]],
  );
  expect(news).toEqual({ times: MANY + 2, things: MANY + 2 });
});

test('a picture leaves what shows it, few things at once, each announced; and what a job left is taken up again', async () => {
  const { db } = calendar.deps;
  const few = await makeMedia(content.deps.db);
  const [shown] = await makeEvents(1, { image_id: few.id });
  const venue = (await makeVenue(db, { image_id: few.id })).id;
  const organizer = (await makeOrganizer(db, { image_id: few.id })).id;
  const things = [shown as number, venue, organizer];
  await remove(`/media/${few.id}?force=true`);
  await until(async () => (await count([organizer], 'image_id = 0', 'organizers')) === 1);
  expect(await told(things)).toEqual({ times: 3, things: 3 });

  const much = await makeMedia(content.deps.db);
  const events = await makeEvents(MANY, { image_id: much.id });
  await whileHeld(events, async () => {
    await remove(`/media/${much.id}?force=true`);
    // The job waits for the last one: its row goes as if it had failed for good.
    await loseWaitingJob(db, 'calendar.departures');
  });
  expect(await isOver()).toBe(false);
  await db.run(`update departures set taken_at = now() - interval '2 hours'`);
  for (const sweep of departureSweeps) await sweep.run(calendar.deps);
  await until(isOver);
  expect(await count(events, 'image_id = 0')).toBe(MANY);
});

test('what somebody takes out of the trash after its author has gone is not thrown away again', async () => {
  const { db } = calendar.deps;
  const writer = (await makeUser(content.deps.db, 'author')).id;
  const things = [
    ['events', (await makeEvent(db, { author: writer })).id],
    ['venues', (await makeVenue(db, { author: writer, slug: 'kept-hall' })).id],
    ['organizers', (await makeOrganizer(db, { author: writer, slug: 'kept-club' })).id],
  ] as const;
  await remove(`/users/${writer}?force=true&reassign=false`);
  for (const [table, id] of things)
    await until(async () => (await count([id], `status = 'trash'`, table)) === 1);
  for (const [table, id] of things)
    expect((await calendar.by('administrator').post(`/${table}/${id}`, { status: 'publish' })).status).toBe(
      200,
    );
  const [late] = await makeEvents(1, { author: writer });
  for (const sweep of departureSweeps) await sweep.run(calendar.deps);
  for (const [table, id] of things)
    expect(await count([id], `status = 'publish' and author = ${writer}`, table)).toBe(1);
  expect(await count([late as number], `status = 'trash'`)).toBe(1);
  // Whoever is given the number, and goes as well, takes all along.
  await makeUser(content.deps.db, 'author', { id: writer });
  await remove(`/users/${writer}?force=true&reassign=false`);
  for (const [table, id] of things)
    await until(async () => (await count([id], `status = 'trash'`, table)) === 1);
});

/** An import of this user brings an event; answers its number. */
async function bringFor(owner: number, uid: string): Promise<number> {
  const [answer] = await applyBatches(calendar.deps, {
    ...{ importId: 'gone', origin: 'ics', defaultStatus: 'publish', authority: '', owner },
    batches: [
      { key: `gone/${uid}`, eventsJson: JSON.stringify([{ uid, title: uid, start_date: '2027-05-01' }]) },
    ],
  });
  return answer?.events?.created[0] as number;
}

test('what a user had begun goes on in the name of the heir: imports, and what was written meanwhile', async () => {
  const writer = (await makeUser(content.deps.db, 'author')).id;
  const heir = (await makeUser(content.deps.db, 'author')).id;
  const last = content.users.editor.id;
  const [before] = await makeEvents(1, { author: writer });
  const bring = (uid: string): Promise<number> => bringFor(writer, uid);
  await remove(`/users/${writer}?force=true&reassign=${heir}`);
  await until(async () => (await count([before as number], `author = ${heir}`)) === 1);
  expect(await count([await bring('first')], `author = ${heir}`)).toBe(1);
  // Its transaction began before the user went, and ends now.
  const [late] = await makeEvents(1, { author: writer });
  for (const sweep of departureSweeps) await sweep.run(calendar.deps);
  await until(async () => (await count([late as number], `author = ${heir}`)) === 1);
  await remove(`/users/${heir}?force=true&reassign=${last}`);
  await until(async () => (await count([before as number], `author = ${last}`)) === 1);
  expect(await count([await bring('second')], `author = ${last}`)).toBe(1);
  // The number is given again, as a site that moves in may do.
  await makeUser(content.deps.db, 'author', { id: writer });
  expect((await content.by('administrator').post(`/users/${writer}`, { name: 'Another' })).status).toBe(200);
  await until(
    async () => !(await calendar.deps.db.first('select from departed_users where id = $1', [writer])),
  );
  expect(await count([await bring('third')], `author = ${writer}`)).toBe(1);
});

test('what a user without heir was writing at that moment goes to the trash, too; an import goes on in the name of nobody', async () => {
  const { db } = calendar.deps;
  const writer = (await makeUser(content.deps.db, 'author')).id;
  const before = (await makeUser(content.deps.db, 'author')).id;
  await remove(`/users/${before}?force=true&reassign=${writer}`);
  await until(() => db.first('select from departed_users where id = $1', [before]));
  const late = await db.transaction(async (tx) => {
    const things = [
      ['events', (await makeEvent(tx, { author: writer })).id],
      ['venues', (await makeVenue(tx, { author: writer })).id],
      ['organizers', (await makeOrganizer(tx, { author: writer })).id],
    ] as const;
    await remove(`/users/${writer}?force=true&reassign=false`);
    await until(() => db.first('select from departed_users where id = $1', [writer]));
    return things;
  });
  for (const [table, id] of late) expect(await count([id], `status = 'publish'`, table)).toBe(1);
  const brought = [await bringFor(writer, 'nobody'), await bringFor(before, 'nobody either')];
  for (const sweep of departureSweeps) await sweep.run(calendar.deps);
  for (const [table, id] of late)
    expect(await count([id], `status = 'trash' and author = ${writer}`, table)).toBe(1);
  expect(await count(brought, `status = 'publish' and author = 0`)).toBe(2);
  expect((await calendar.by('anonymous').get(`/events/${late[0][1]}`)).status).not.toBe(200);
});

test('where it is heard first that the heir has gone, all goes to the heir of that one', async () => {
  const { deps } = calendar;
  const [writer, heir] = [
    (await makeUser(content.deps.db, 'author')).id,
    (await makeUser(content.deps.db, 'author')).id,
  ];
  const last = content.users.editor.id;
  const [before] = await makeEvents(1, { author: writer });
  const topic = 'content.user.deleted';
  const { handle } = contentSubscriptions.find((one) => one.topic === topic)!;
  const hear = (id: number, reassign: number, news: number): Promise<void> =>
    deps.db.transaction((tx) =>
      handle({ deps, tx, topic, id: news, payload: { id, reassign }, log: deps.log }),
    );
  await hear(heir, last, 8);
  await hear(writer, heir, 7);
  expect(await count([before as number], `author = ${last}`)).toBe(1);
  expect(await count([await bringFor(writer, 'late')], `author = ${last}`)).toBe(1);
});
