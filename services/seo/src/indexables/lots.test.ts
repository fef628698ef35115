/** What comes in lots waits for a calm moment, but not for ever, and nothing that changed by itself waits for it. */
import type { EventCall } from '@sevenfold/chassis/queue/events';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { runJob } from '@sevenfold/chassis/queue/workers';
import type { Deps } from '../deps';
import { startSeo } from '../testing/service';
import { indexableJobs, indexableSubscriptions } from './jobs';
import { LOTS, QUEUE, SINGLE, release } from './queue';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSeo();
});
afterAll(() => site.stop());
beforeEach(async () => {
  for (const table of ['waiting', 'outbox']) await site.deps.db.run(`delete from ${table}`);
  await site.deps.db.run(`update promised set is_open = false, lots_open = false, begun_at = '-infinity'`);
});

/** As the calendar tells of so many events, or organizers, one by itself among them or all at once. */
const hear = (
  first: number,
  count: number,
  [topic, list] = ['calendar.event.changed', 'events'],
): Promise<void> =>
  site.deps.db.transaction((tx) => {
    const told = Array.from({ length: count }, (_, at) => ({ id: first + at, link: '' }));
    const { handle } = indexableSubscriptions.find((row) => row.topic === topic)!;
    return handle({ deps: site.deps, tx, topic, id: 1, payload: { [list]: told } } as Partial<
      EventCall<Deps>
    > as EventCall<Deps>);
  });

interface Promised {
  readonly id: number;
  readonly name: string;
  readonly later: boolean;
}
const open = (): Promise<Promised[]> =>
  site.deps.db.rows<Promised>(
    `select id, name, run_at > now() + interval '1 second' as later from outbox
     where channel = $1 and done_at is null order by id`,
    [QUEUE],
  );
/** Runs it as a worker would; nobody can be asked here, so what it takes stays in its hand. */
const run = async ({ id, name }: Promised): Promise<number> => {
  const { db, log } = site.deps;
  const job = indexableJobs.find((row) => row.name === name)!;
  await runJob({ db, deps: site.deps, log }, job, id, new AbortController().signal);
  const { n } = (await db.first<{ n: number }>('select count(*)::int as n from waiting where taken_by = $1', [
    id,
  ]))!;
  return n;
};
const age = (seconds: number, which = 'true'): Promise<number> =>
  site.deps.db.run(`update waiting set added_at = added_at - make_interval(secs => $1) where ${which}`, [
    seconds,
  ]);

test('an event that changed by itself is read at once, many of one message a little later', async () => {
  await hear(1, 1);
  await hear(100, 50);
  await hear(200, 50, ['calendar.organizer.changed', 'items']);
  const [single, lots, ...more] = await open();
  expect([single, lots, more]).toMatchObject([
    { name: SINGLE.job, later: false },
    { name: LOTS.job, later: true },
    [],
  ]);
  expect(await run(single!)).toBe(1);
});

test('a term whose first events, or last ones, were counted is read at once', async () => {
  await hear(7, 1, ['content.term.counted', 'items']);
  const waiting = await site.deps.db.rows('select object_type as type, object_id as id from waiting');
  expect(waiting).toEqual([{ type: 'term', id: 7 }]);
  expect(await open()).toMatchObject([{ name: SINGLE.job, later: false }]);
});

test('what changes soon after a job began waits for the next a moment, with all that comes until then; never longer', async () => {
  const { db } = site.deps;
  const waits = async (): Promise<number[]> => {
    const rows = await db.rows<{ wait: number }>(
      `select extract(epoch from run_at - created_at)::float8 as wait from outbox where done_at is null order by id`,
    );
    return rows.map(({ wait }) => wait);
  };
  await db.run(`update promised set begun_at = now() - interval '1 hour'`);
  await hear(1, 1);
  expect(await waits()).toEqual([0]);
  const [first] = await open();
  expect(await run(first!)).toBe(1);
  // As if it had begun right now, whatever the clocks of others say.
  await db.run(`update promised set begun_at = begun_at + interval '1 hour'`);
  await hear(2, 1);
  await hear(3, 1);
  expect((await waits()).at(-1)).toBe(0.25);
  const [, second] = await open();
  expect(await run(second!)).toBe(2);
});

test('while more come nothing is taken, and the next look is promised; when it is calm all is', async () => {
  await hear(100, 50);
  const [first] = await open();
  expect(await run(first!)).toBe(0);
  const [second, ...more] = await open();
  expect([second, more]).toMatchObject([{ name: LOTS.job, later: true }, []]);
  await age(3);
  expect(await run(second!)).toBe(50);
});

test('what has waited for long is read while more come, one lot at a time', async () => {
  await hear(1000, 600);
  await age(121, 'object_id < 1010');
  const [first] = await open();
  expect(await run(first!)).toBe(500);
  expect((await open()).filter(({ id }) => id !== first!.id)).toMatchObject([
    { name: LOTS.job, later: true },
  ]);
});

test('when it is calm the rest is for others at once', async () => {
  await hear(1000, 600);
  await age(3);
  const [first] = await open();
  expect(await run(first!)).toBe(500);
  expect((await open()).filter(({ id }) => id !== first!.id)).toMatchObject([
    { name: LOTS.job, later: false },
  ]);
});

test('an event that waits among many is read at once when it changes by itself', async () => {
  await hear(100, 50);
  await hear(120, 1);
  const single = (await open()).find(({ name }) => name === SINGLE.job);
  expect(await run(single!)).toBe(1);
  expect(await site.deps.db.rows('select 1 from waiting where object_id = 120')).toHaveLength(2);
});

test('what waits in either line is found where its job was lost', async () => {
  await hear(1, 1);
  await hear(100, 50);
  await site.deps.db.run('delete from outbox');
  await site.deps.db.transaction(release);
  expect((await open()).map(({ name }) => name)).toEqual([SINGLE.job, LOTS.job]);
});
