/** Months of events: made ahead, made late, dropped; while others write. */
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { lockWaits } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import { dbOf } from '@sevenfold/chassis/db/sql';
import { runJob } from '@sevenfold/chassis/queue/workers';
import type { Deps } from '../deps';
import { startSpamfilter } from '../testing/service';
import { countVerdicts, verdictSweeps } from './jobs';
import { dropMonths, makeMonths } from './partitions';
import { record } from './record';
import * as store from './store';

let site: TestService<Deps>;
// An api process alone: nothing makes months or counts unless the test does.
beforeEach(async () => {
  site = await startSpamfilter();
});
afterEach(() => site.stop());

const sweep = (name: string): Promise<void> => runSweep(verdictSweeps, name, site.deps);

const months = async (): Promise<string[]> =>
  (
    await site.deps.db.rows<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent = 'verdict_events'::regclass order by name`,
    )
  ).map(({ name }) => name.replace('verdict_events_', ''));

/** As sweeps do, which try again: on a busy machine a writer may hold its lock for longer than months wait for it. */
const untilMade = (): Promise<string[]> =>
  until(() =>
    makeMonths(site.deps.db).catch((error: Error) => {
      if (!error.message.includes('lock timeout')) throw error;
      return undefined;
    }),
  );

/** As the database names it, `from` months from now. */
const month = async (from: number): Promise<string> =>
  (
    (await site.deps.db.first<{ name: string }>(
      `select to_char(date_trunc('month', now() at time zone 'UTC') + make_interval(months => $1), 'YYYY_MM') as name`,
      [from],
    )) as { name: string }
  ).name;

/** One that was written, and counted, so many days ago. */
async function old(days: number, key: string): Promise<void> {
  await site.deps.db.run(
    `with told as (
       insert into verdict_events (at, key, kind, event, verdict, day)
       select at, $2, 'comment', 'judged', 'spam', (at at time zone 'UTC')::date
       from (select now() - make_interval(days => $1) as at) as moment
       returning id, event, verdict, day)
     insert into uncounted_events (id, event, verdict, day) select id, event, verdict, day from told`,
    [days, key],
  );
  await site.deps.db.transaction((tx) => store.count(tx, 100));
}

const rollups = (): Promise<object[]> => site.deps.db.rows('select * from rollups order by period, start');
const whereIs = async (key: string): Promise<string | undefined> =>
  (
    await site.deps.db.first<{ name: string }>(
      'select tableoid::regclass::text as name from verdict_events where key = $1',
      [key],
    )
  )?.name.replace('verdict_events_', '');

test('this month and two more are there before they are needed', async () => {
  expect(await months()).toEqual(['other']);
  await sweep('months-of-events');
  const made = [await month(0), await month(1), await month(2)];
  expect(await months()).toEqual([...made, 'other']);
  await sweep('months-of-events');
  expect(await months()).toEqual([...made, 'other']);
});

test('an event that comes before its month is kept, and moves into it', async () => {
  await site.deps.db.transaction((tx) =>
    record(tx, { key: 'comment/1', kind: 'comment', event: 'judged', verdict: 'spam' }),
  );
  await old(100, 'comment/0');
  expect([await whereIs('comment/1'), await whereIs('comment/0')]).toEqual(['other', 'other']);
  await sweep('months-of-events');
  expect(await whereIs('comment/1')).toBe(await month(0));
  expect(await whereIs('comment/0')).toMatch(/^\d{4}_\d{2}$/);
  expect(await site.deps.db.rows('select key from verdict_events')).toHaveLength(2);
});

test('many processes that make months at once, while events are written, make each once and hold up nobody', async () => {
  let writing = true;
  let written = 0;
  const writer = async (name: number): Promise<void> => {
    while (writing) {
      await site.deps.db.transaction((tx) =>
        record(tx, { key: `${name}/${written}`, kind: 'comment', event: 'judged', verdict: 'ham' }),
      );
      written += 1;
    }
  };
  const writers = [1, 2].map(writer);
  try {
    await until(() => written > 20);
    const made = (await Promise.all([untilMade(), untilMade()])).flat();
    expect(new Set(made).size).toBe(made.length);
    expect(await months()).toHaveLength(4);
    const before = written;
    await until(() => written > before + 20);
  } finally {
    writing = false;
    await Promise.all(writers);
  }
  const [{ events, uncounted }] = (await site.deps.db.rows(
    'select (select count(*) from verdict_events) as events, (select count(*) from uncounted_events) as uncounted',
  )) as [{ events: number; uncounted: number }];
  expect([events, uncounted]).toEqual([written, written]);
});

test('a writer that does not end keeps no month from being given up until later', async () => {
  const open = await site.deps.db.pool.connect();
  try {
    await open.query('begin');
    await open.query(
      `insert into verdict_events (key, kind, event, verdict, day) values ('slow', 'comment', 'judged', 'ham', now())`,
    );
    await expect(makeMonths(site.deps.db)).rejects.toThrow('lock timeout');
    await open.query('commit');
  } finally {
    open.release();
  }
  expect(await makeMonths(site.deps.db)).toHaveLength(3);
  expect(await whereIs('slow')).toBe(await month(0));
});

test('months that ended long ago are dropped, and the roll-ups stay', async () => {
  await old(500, 'old');
  await old(0, 'new');
  const before = await rollups();
  await makeMonths(site.deps.db);
  expect(await dropMonths(site.deps.db, 400)).toHaveLength(1);
  expect(await dropMonths(site.deps.db, 400)).toEqual([]);
  expect([await whereIs('old'), await whereIs('new')]).toEqual([undefined, await month(0)]);
  expect(await rollups()).toEqual(before);
  await store.rebuild(site.deps.db);
  expect(await rollups()).toEqual(before);
});

test('an event of a month that is dropped before it was counted is counted', async () => {
  await old(500, 'old');
  await site.deps.db.run(`insert into uncounted_events select id, event, verdict, day from verdict_events`);
  await makeMonths(site.deps.db);
  await dropMonths(site.deps.db, 400);
  await site.deps.db.transaction((tx) => store.count(tx, 100));
  expect(await rollups()).toMatchObject([{ spam: 2 }, { spam: 2 }]);
});

describe('counting again', () => {
  beforeEach(async () => {
    await old(3, 'three');
    await old(500, 'old');
    await makeMonths(site.deps.db);
  });

  test('finds nothing to mend where nothing is wrong', async () => {
    const before = await rollups();
    expect(await store.rebuild(site.deps.db)).toEqual({ since: '-infinity', mended: [] });
    expect(await rollups()).toEqual(before);
  });

  test('mends what is wrong, missing and too much, and says what', async () => {
    const right = await rollups();
    await site.deps.db.run(`update rollups set spam = spam + 5 where period = 'day'`);
    await site.deps.db.run(`delete from rollups where period = 'month'`);
    await site.deps.db.run(`insert into rollups values ('day', '2000-01-01', 1, 2, 3, 4)`);
    const { mended } = await store.rebuild(site.deps.db);
    expect(mended).toHaveLength(5);
    expect(mended[0]).toEqual({
      period: 'day',
      start: '2000-01-01',
      before: '(1,2,3,4)',
      after: '(0,0,0,0)',
    });
    expect(mended.filter(({ period }) => period === 'day').map(({ before }) => before)).toEqual([
      '(1,2,3,4)',
      '(6,0,0,0)',
      '(6,0,0,0)',
    ]);
    expect((await rollups()).filter((row) => (row as { start: string }).start !== '2000-01-01')).toEqual(
      right,
    );
  });

  test('leaves days alone whose events are gone', async () => {
    await dropMonths(site.deps.db, 400);
    await site.deps.db.run('update rollups set spam = spam + 5');
    const { since, mended } = await store.rebuild(site.deps.db);
    expect(since).toMatch(/^\d{4}-\d{2}-01$/);
    expect(mended.map(({ period }) => period)).toEqual(['day', 'month']);
    expect(await rollups()).toMatchObject([{ spam: 6 }, { spam: 1 }, { spam: 6 }, { spam: 1 }]);
  });

  test('leaves days alone whose events go while it waits for them', async () => {
    const { db } = site.deps;
    await old(500, 'o/1');
    const before = await rollups();
    const writer = await db.pool.connect();
    const work: Promise<unknown>[] = [];
    try {
      await writer.query('begin');
      await record(dbOf(writer), { key: 'late', kind: 'comment', event: 'judged', verdict: 'spam' });
      const dropped = dropMonths(db, 300);
      work.push(dropped);
      await until(async () => (await lockWaits(db)) >= 1);
      const rebuilt = store.rebuild(db);
      work.push(rebuilt);
      await until(async () => (await lockWaits(db)) >= 2);
      await writer.query('commit');
      expect(await dropped).toHaveLength(1);
      expect((await rebuilt).mended).toEqual([]);
    } finally {
      writer.release();
      await Promise.allSettled(work);
    }
    expect(await rollups()).toEqual(before);
  });

  test('takes what waits to be counted neither twice nor not at all, while it is written and counted', async () => {
    let writing = true;
    let written = 0;
    const write = async (): Promise<void> => {
      while (writing) {
        await site.deps.db.transaction((tx) =>
          record(tx, { key: `n/${written}`, kind: 'comment', event: 'judged', verdict: 'ham' }),
        );
        written += 1;
      }
    };
    const countOften = async (): Promise<void> => {
      while (writing) await site.deps.db.transaction((tx) => store.count(tx, 3));
    };
    const all = [write(), countOften()];
    try {
      for (let times = 0; times < 5; times++) {
        const goal = written + 5;
        await until(() => written > goal);
        expect((await store.rebuild(site.deps.db)).mended).toEqual([]);
      }
    } finally {
      writing = false;
      await Promise.all(all);
    }
    await site.deps.db.transaction((tx) => store.count(tx, 100_000));
    const [{ ham }] = (await site.deps.db.rows(
      `select sum(ham) as ham from rollups where period = 'day'`,
    )) as [{ ham: number }];
    expect(ham).toBe(written);
  });
});

describe('jobs', () => {
  const jobs = (): Promise<{ id: number; done_at: string | null }[]> =>
    site.deps.db.rows(`select id, done_at from outbox where name = 'count-verdicts' order by id`);
  const noteMany = (count: number): Promise<void> =>
    site.deps.db.transaction(async (tx) => {
      for (let n = 0; n < count; n++)
        await record(tx, { key: `k/${n}`, kind: 'comment', event: 'judged', verdict: 'spam' });
    });
  const run = (id: number): Promise<void> =>
    runJob({ ...site.deps, deps: site.deps }, countVerdicts, id, new AbortController().signal);
  const runTwice = (id: number): Promise<void[]> => Promise.all([run(id), run(id)]);

  test('one is promised for many events, another one when it is done', async () => {
    await noteMany(20);
    await noteMany(20);
    const [first, ...others] = await jobs();
    expect(others).toEqual([]);
    await runTwice(first!.id);
    expect(await rollups()).toMatchObject([{ spam: 40 }, { spam: 40 }]);
    await noteMany(1);
    expect(await jobs()).toHaveLength(2);
  });

  test('what a job missed that looked too early is promised by the sweep', async () => {
    await noteMany(1);
    const [first] = await jobs();
    const late = await site.deps.db.pool.connect();
    try {
      await late.query('begin');
      // Sees the open job, and commits after that has counted.
      await record(dbOf(late), { key: 'late', kind: 'comment', event: 'judged', verdict: 'spam' });
      await run(first!.id);
      await late.query('commit');
    } finally {
      late.release();
    }
    expect(await jobs()).toHaveLength(1);
    await sweep('uncounted-events');
    await sweep('uncounted-events');
    const [, second, ...others] = await jobs();
    expect(others).toEqual([]);
    await run(second!.id);
    expect(await rollups()).toMatchObject([{ spam: 2 }, { spam: 2 }]);
    await sweep('uncounted-events');
    expect(await jobs()).toHaveLength(2);
  });
});
