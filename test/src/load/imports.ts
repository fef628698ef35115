/**
 * `node --enable-source-maps test/dist/load/imports.js`: how fast batches are acknowledged through the gateway, and
 * how fast their events are in the calendar. Options: --events N (20000), --parallel N imports at once (8), --size N
 * events a batch (50), --before N events in the calendar first (0), --again (pushes the same a second time).
 *
 * Machines are shared: compare figures of one run.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { listImports, registerImport } from '@sevenfold/imports/commands';
import { type BatchBody, push } from '@sevenfold/imports/push';
import { startTestStack } from '../support/stack';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    parallel: { type: 'string', default: '8' },
    size: { type: 'string', default: '50' },
    before: { type: 'string', default: '0' },
    again: { type: 'boolean', default: false },
  },
});
const count = Number(values.events);
const parallel = Number(values.parallel);
const size = Number(values.size);
const cli = path.resolve(__dirname, '../../../deploy/local/dist/cli/main.js');

const WORDS =
  'harbour open river stage light garden winter market school choir north bridge paper engine'.split(' ');
const word = (n: number): string => WORDS[n % WORDS.length] as string;

/** Every import has events of its own; rooms, speakers and tracks are shared by all of them. */
function batchesOf(which: number): BatchBody[] {
  const own = Math.ceil(count / parallel);
  const total = Math.ceil(own / size);
  return Array.from({ length: total }, (_, number) => ({
    status: { data: { total: own, done: number * size }, batch: { total, done: number } },
    percentage_complete: Math.floor((100 * (number + 1)) / total),
    events: Array.from({ length: Math.min(size, own - number * size) }, (_none, place) => {
      const n = which * own + number * size + place;
      return {
        uid: `bench-${n}`,
        title: `The ${word(n)} of ${word(n >> 3)} number ${n}`,
        description: `<p>${Array.from({ length: 40 }, (_word, i) => word(n + i * (1 + (n % 5)))).join(' ')}.</p>`,
        start_date: new Date(Date.UTC(2030, 0, 1 + (n % 700))).toISOString().slice(0, 10),
        start_hour: String(8 + (n % 12)),
        start_minute: '30',
        end_hour: String(9 + (n % 12)),
        timezone: 'Europe/Brussels',
        url: `https://bench.example/${n}`,
        categories: [`Track ${n % 20}`],
        tags: [`tag ${n % 50}`],
        venue: { venue: `Room ${n % 100}`, city: 'Brussels' },
        organizer: [{ organizer: `Speaker ${n % 2000}` }],
      };
    }),
  }));
}

async function main(): Promise<void> {
  // The limits are for strangers on the internet, not for this machine measuring itself.
  const stack = await startTestStack({ RATE_LIMIT_ANONYMOUS: '10000000', RATE_LIMIT_CREDENTIAL: '10000000' });
  const imports = openDatabase({
    url: stack.run().databases.imports as string,
    size: 2,
    application: 'bench',
    log: createLog('bench', 'test', 'warn'),
  });
  try {
    if (Number(values.before) > 0)
      execFileSync(
        process.execPath,
        ['--enable-source-maps', cli, 'seed', '--events', String(values.before)],
        {
          env: { ...process.env, DATA_DIR: stack.dataDir },
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      );
    console.log(
      `${count} events in ${parallel} imports, ${size} a batch, ${values.before} in the calendar before`,
    );
    await run(stack.url, imports, 'new');
    if (values.again) await run(stack.url, imports, 'again');
  } finally {
    await imports.close();
    await stack.stop();
  }
}

async function run(url: string, db: Database, what: string): Promise<void> {
  const times: number[] = [];
  const all = Array.from({ length: parallel }, (_, which) => batchesOf(which));
  const started = performance.now();
  await Promise.all(
    all.map(async (batches) => {
      const { importId, batchHash } = await registerImport({ db }, {});
      await push({ url, importId, batchHash, batches, onAnswer: (ms) => times.push(ms) });
    }),
  );
  const acknowledged = (performance.now() - started) / 1000;
  for (;;) {
    const { total } = await listImports({ db }, { state: 'pending' });
    if (total === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const applied = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  console.log(
    `${what}: ${(times.length / acknowledged).toFixed(0)} batches/s acknowledged, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ` +
      `${(count / applied).toFixed(0)} events/s applied (${applied.toFixed(1)} s)`,
  );
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
