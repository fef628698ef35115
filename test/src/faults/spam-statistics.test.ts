/**
 * Statistics of spam through all that a worker can suffer: verdicts, corrections and reversals are written, some of
 * them taken back with their transaction, while the process that counts them is killed again and again. In the end the
 * roll-ups are what was committed, and what a recount of the events says. The long form is for `npm run test:faults`.
 */
import type { TestService } from '@sevenfold/chassis/testing/service';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import { rebuildStatistics } from '@sevenfold/spamfilter/commands';
import type { Deps } from '@sevenfold/spamfilter/deps';
import { administrator, startSpamfilter } from '@sevenfold/spamfilter/testing/service';
import { type VerdictEvent, type VerdictName, recordAll } from '@sevenfold/spamfilter/verdicts/record';
import { type WorkerProcess, startWorker } from '../support/worker';

const long = process.env.FAULTS === 'long';
const EVENTS = long ? 100_000 : 4_000;
const KILLS = long ? 10 : 2;
const AT_ONCE = 4;
const IN_ONE_TRANSACTION = 25;
// A killed worker's job goes to the next one after its lock has ended.
const LIMIT_MS = long ? 900_000 : 240_000;

let site: TestService<Deps>;
let worker: WorkerProcess;

beforeAll(async () => {
  site = await startSpamfilter();
  worker = startWorker('spamfilter', site.deps.config);
});
afterAll(async () => {
  await worker.kill();
  await site.stop();
});

/** The same numbers each time. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Counters {
  spam: number;
  ham: number;
  missed_spam: number;
  false_positives: number;
}
const none = (): Counters => ({ spam: 0, ham: 0, missed_spam: 0, false_positives: 0 });

/** What was committed, by day and by month. */
const tally = new Map<string, Counters>();

function note({ event, verdict, judgedAt }: VerdictEvent): void {
  const day = (judgedAt as string).slice(0, 10);
  for (const name of [`day ${day}`, `month ${day.slice(0, 7)}-01`]) {
    const counters = tally.get(name) ?? none();
    tally.set(name, counters);
    if (event === 'judged') counters[verdict === 'ham' ? 'ham' : 'spam'] += 1;
    else counters[verdict === 'ham' ? 'missed_spam' : 'false_positives'] += event === 'corrected' ? 1 : -1;
  }
}

/** The life of one message: judged, now and then decided against, and that now and then taken back, more than once. */
function lifeOf(number: number, roll: (below: number) => number): VerdictEvent[] {
  const verdict = (['ham', 'ham', 'spam', 'blatant'] as VerdictName[])[roll(4)] as VerdictName;
  const judgedAt = new Date(Date.now() - roll(250 * 86_400) * 1000).toISOString();
  const base = { key: `comment/${number}`, kind: 'comment', verdict, judgedAt };
  const life: VerdictEvent[] = [{ ...base, event: 'judged' }];
  for (let turns = roll(6) - 2; turns > 0; turns--)
    life.push({ ...base, event: life.at(-1)?.event === 'corrected' ? 'reversed' : 'corrected' });
  return life;
}

let written = 0;
const lanes = Array.from({ length: AT_ONCE }, (_, lane) => ({ roll: dice(lane + 1), number: lane }));

/** Each message in the order of its life, many messages in one transaction, one transaction in ten taken back. */
async function write(lane: (typeof lanes)[number], until: number): Promise<void> {
  while (written < until) {
    const events: VerdictEvent[] = [];
    for (; events.length < IN_ONE_TRANSACTION; lane.number += AT_ONCE)
      events.push(...lifeOf(lane.number, lane.roll));
    const takenBack = lane.roll(10) === 0;
    await site.deps.db
      .transaction(async (tx) => {
        await recordAll(tx, events);
        if (takenBack) throw new Error('taken back');
      })
      .catch((error: Error) => {
        if (error.message !== 'taken back') throw error;
      });
    if (takenBack) continue;
    events.forEach(note);
    written += events.length;
  }
}

const counted = async (): Promise<number> =>
  (await site.deps.db.first<{ sum: number }>(
    `select coalesce(sum(spam + ham), 0) as sum from rollups where period = 'day'`,
  ))!.sum;

const waiting = async (): Promise<number> =>
  (await site.deps.db.first<{ count: number }>('select count(*) from uncounted_events'))!.count;

/** Once it has begun to count and cannot end, since the roll-ups are locked. */
const killMidway = (): Promise<void> =>
  site.deps.db.transaction(async (tx) => {
    await tx.run('lock table rollups in share row exclusive mode');
    await untilLocked(site.deps.db, '%delete from uncounted_events%');
    await worker.kill();
  });

/** Once it was seen that something is counted: before, while or after it says that it is done. */
async function killAfter(): Promise<void> {
  const before = await counted();
  await until(async () => (await counted()) > before);
  await worker.kill();
}

test(
  'statistics equal a recount',
  async () => {
    for (let kills = 0; kills < KILLS; kills++) {
      const share = (EVENTS * (kills + 1)) / KILLS;
      const kill = kills % 2 === 0 ? killMidway() : killAfter();
      await Promise.all([...lanes.map((lane) => write(lane, share)), kill]);
      worker = startWorker('spamfilter', site.deps.config);
    }
    await until(async () => (await waiting()) === 0);

    const { db } = site.deps;
    const rows = await db.rows<Counters & { period: string; start: string }>('select * from rollups');
    expect(new Map(rows.map(({ period, start, ...counters }) => [`${period} ${start}`, counters]))).toEqual(
      tally,
    );
    const [{ events }] = (await db.rows('select count(*) as events from verdict_events')) as [
      { events: number },
    ];
    expect(events).toBe(written);
    expect(await rebuildStatistics(site.deps)).toEqual({ since: '-infinity', mended: [] });

    const total = [...tally].reduce(
      (sum, [name, { spam }]) => sum + (name.startsWith('month') ? spam : 0),
      0,
    );
    const { body } = await site.as(administrator).get('/stats');
    expect(body.all.spam).toBe(total);
    // One job counts many events: what was promised is a small part of what was written.
    const [{ jobs }] = (await db.rows(
      `select count(*) as jobs from outbox where name = 'count-verdicts'`,
    )) as [{ jobs: number }];
    expect(jobs).toBeLessThan(written / 20);
  },
  LIMIT_MS,
);
