/**
 * Accepted means kept: imports go on while processes and servers are killed under them, on a whole stack of real
 * processes. After all of it every accepted batch has been applied exactly once, nothing is lost and nothing is there
 * twice. Short by default; `npm run test:faults` sets FAULTS=long: more and larger imports, every fault several times.
 */
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { registerImport, showImport } from '@sevenfold/imports/commands';
import { type BatchBody, push } from '@sevenfold/local/cli/push';
import { until } from '@sevenfold/chassis/testing/until';
import { createClient } from '@redis/client';
import { type TestStack, startTestStack } from '../support/stack';

const long = process.env.FAULTS === 'long';
const BATCHES = long ? 40 : 12;
const EVENTS = long ? 50 : 10;
const AT_ONCE = long ? 4 : 2;
const ROUNDS = long ? 3 : 1;

let stack: TestStack;
let imports: Database;
let calendar: Database;

beforeAll(async () => {
  // Servers that forget what they acknowledged when they are killed would be no test of the services.
  stack = await startTestStack({ LOG_LEVEL: 'error', TAKE_OVER_SECONDS: '2' }, true);
  const log = createLog('faults', 'test', 'silent');
  const open = (name: 'imports' | 'calendar'): Database =>
    openDatabase({
      url: stack.run().databases[name] as string,
      size: 2,
      application: 'faults',
      log,
    });
  imports = open('imports');
  calendar = open('calendar');
});

afterAll(async () => {
  await imports?.close();
  await calendar?.close();
  await stack?.stop();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What the fault before has ended may still be on its way back. */
async function kill(name: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  await insist(async () => {
    const pid = stack.run().processes[name];
    if (pid === undefined) throw new Error(`${name} does not run: ${JSON.stringify(stack.run().processes)}`);
    process.kill(pid, signal);
  });
}

/** Long enough to be known by everybody who follows its beats. Each question is given up soon: it may itself wait for the frozen one. */
async function freeze(name: string, path: string): Promise<void> {
  const status = (): Promise<number | undefined> =>
    fetch(stack.url + path, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.body?.cancel().then(() => answer.status),
      () => undefined,
    );
  // One that is still on its way up is not known by its beats yet.
  await until(async () => (await status()) === 200);
  const thaw = await insist(async () => stack.freeze(name));
  try {
    await until(async () => (await status()) === 503);
  } finally {
    thaw();
  }
}

async function flush(): Promise<void> {
  const redis = createClient({ url: stack.run().redis });
  redis.on('error', () => undefined);
  await redis.connect();
  await redis.flushAll();
  redis.destroy();
}

const faults: readonly { readonly name: string; readonly strike: () => void | Promise<void> }[] = [
  { name: 'nothing but a client that repeats and hangs up', strike: () => undefined },
  { name: 'kill -9 of a worker', strike: () => kill('imports-worker') },
  { name: 'kill -9 of the imports service', strike: () => kill('imports') },
  { name: 'kill -9 of the calendar service', strike: () => kill('calendar') },
  { name: 'kill -9 of the content service', strike: () => kill('content') },
  {
    name: 'a freeze of the calendar service',
    strike: () => freeze('calendar', '/rest/calendar/events/v1/events'),
  },
  { name: 'a freeze of the content service', strike: () => freeze('content', '/rest/core/v2/posts') },
  { name: 'Redis made empty', strike: flush },
  { name: 'kill -9 of Redis', strike: () => kill('redis') },
  { name: 'Redis stopped and started', strike: () => kill('redis', 'SIGTERM') },
  { name: 'PostgreSQL restarted', strike: () => kill('postgres', 'SIGINT') },
  { name: 'kill -9 of PostgreSQL', strike: () => kill('postgres') },
];

function batchesOf(prefix: string): BatchBody[] {
  return Array.from({ length: BATCHES }, (_, number) => ({
    status: {
      data: { total: BATCHES * EVENTS, done: number * EVENTS },
      batch: { total: BATCHES, done: number },
    },
    percentage_complete: Math.floor((100 * (number + 1)) / BATCHES),
    events: Array.from({ length: EVENTS }, (_none, place) => ({
      uid: `${prefix}-${number}-${place}`,
      title: `Event ${place} of batch ${number}`,
      start_date: '2031-05-01',
      start_hour: String(place % 24),
      timezone: 'Europe/Brussels',
      venue: { venue: `Room ${place}` },
      organizer: [{ organizer: `Speaker ${number}` }],
      categories: [`Track ${prefix}`],
      tags: ['all of them'],
    })),
  }));
}

interface Sent {
  readonly importId: string;
  readonly prefix: string;
}

/** Registers while everything still stands, pushes while it does not. */
async function under(fault: (typeof faults)[number], round: number): Promise<Sent[]> {
  const sent: (Sent & { batchHash: string })[] = [];
  for (let n = 0; n < AT_ONCE; n++) {
    const { importId, batchHash } = await insist(() => registerImport({ db: imports }, {}));
    sent.push({ importId, batchHash, prefix: `${faults.indexOf(fault)}r${round}n${n}` });
  }
  let acknowledged = 0;
  let struck: Promise<void> | undefined;
  // Once in the beginning, and in the long form again and again.
  const due = (): boolean => !struck || (long && acknowledged % (BATCHES * 2) === 0);
  await Promise.all(
    sent.map(({ importId, batchHash, prefix }) =>
      push({
        url: stack.url,
        authorization: stack.administrator,
        importId,
        batchHash,
        batches: batchesOf(prefix),
        repeatOneIn: 5,
        dropAnswerOneIn: 6,
        interruptOneIn: 11,
        onAnswer: () => {
          acknowledged += 1;
          if (acknowledged >= 4 && due()) struck = Promise.resolve(fault.strike());
        },
      }),
    ),
  );
  await struck;
  return sent;
}

/** The test's own queries meet the same faults. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 600) throw error;
      await pause(200);
    }
  }
}

async function verify({ importId, prefix }: Sent): Promise<void> {
  for (;;) {
    const { state } = (await insist(() => showImport({ db: imports }, importId))).import;
    if (state === 'success') break;
    await pause(200);
  }
  const shown = await insist(() => showImport({ db: imports }, importId));
  const all = BATCHES * EVENTS;
  expect(shown.import).toMatchObject({
    batchesAccepted: BATCHES,
    batchesApplied: BATCHES,
    failedBatch: 0,
    eventsAccepted: all,
    // A batch that was applied twice would have updated its events the second time.
    eventsCreated: all,
    eventsUpdated: 0,
    eventsSkipped: 0,
  });
  expect(shown.faults).toEqual([]);
  const rows = await insist(() =>
    calendar.rows<{ uid: string }>(`select uid from events where uid like $1`, [`${prefix}-%`]),
  );
  const wanted = batchesOf(prefix).flatMap((batch) =>
    (batch.events as { uid: string }[]).map(({ uid }) => uid),
  );
  expect(rows.map(({ uid }) => uid).sort()).toEqual(wanted.sort());
  const keys = await insist(() =>
    calendar.rows<{ key: string }>(`select key from applied_batches where key like $1`, [`${importId}/%`]),
  );
  expect(keys).toHaveLength(BATCHES);
}

const sent: Sent[] = [];
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
// Each fault strikes while work of the ones before it may still be under way: that is how they come in life.
test.each(rounds.flatMap((round) => faults.map((fault) => ({ name: fault.name, fault, round }))))(
  '$name: every batch is acknowledged',
  async ({ fault, round }) => {
    sent.push(...(await under(fault, round)));
  },
  long ? 600_000 : 240_000,
);

test(
  'in the end every accepted batch is applied exactly once, and shared things are there once',
  async () => {
    for (const one of sent) await verify(one);
    const doubles = await insist(() =>
      calendar.rows(
        `select lower(name) from venues group by 1 having count(*) > 1
         union all select lower(name) from organizers group by 1 having count(*) > 1`,
      ),
    );
    expect(doubles).toEqual([]);
    const open = await insist(() =>
      imports.rows(`select 1 from imports where work <> 'idle' or accepted <> applied`),
    );
    // The last job closes a moment after its import is done.
    expect(open.length).toBeLessThanOrEqual(sent.length);
  },
  long ? 1_800_000 : 300_000,
);
