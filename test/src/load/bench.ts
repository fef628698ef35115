/**
 * `npm run bench`: measures an import on a stack of its own; then starts another one, fills it, and
 * measures each row through the gateway, each in turns with the ceilings of this machine. Options: --posts N (10000),
 * --million (everything again at 1,000,000 posts and events), --seconds S (5), --connections C (32), --only TEXT (rows
 * whose name holds it; "spam checks", "feedback of a form" and "cache after a write" are three), --imports N (100000 events; 0 for none),
 * --json FILE (adds the run to the file's), --compare BEFORE AFTER (measures nothing: medians of the
 * ratios of two such files). After the rows it says how much memory each process of the stack has,
 * once it has given back what they took, and at their end.
 *
 * Machines are shared: quote ratios, and compare medians of several runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mendEnds } from '@sevenfold/chassis/http/undici-ends';
import { type TestStack, startTestStack } from '../support/stack';
import { followed, onCommandLine, untilQuiet } from './background';
import { commitCeiling, measureChecks } from './checks';
import { measureFeedback } from './feedback';
import { furnish } from './furnish';
import { idleAcknowledgements, upsertCeiling } from './import-ceilings';
import { measureImports } from './imports';
import { measureFreshness, measureWriterCost } from './cache';
import { measure, median } from './measure';
import { type MemoryByProcess, linesOf, memoryOf } from './memory';
import type { Rates } from './rates';
import { type ReportedRow, type Run, addRun, compareRuns, heading, ratio, rowOf, verdictOf } from './report';
import { type Asked, type Row, rows } from './rows';
import { type Ceilings, askingOf, leastOf, startCeilings } from './ways';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    posts: { type: 'string', default: '10000' },
    million: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', default: '' },
    imports: { type: 'string', default: '100000' },
    json: { type: 'string' },
    compare: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const posts = Number(values.posts);
const imported = Number(values.imports);
const reported: ReportedRow[] = [];
let memory: MemoryByProcess | undefined;
/** Half a minute after the last collection and ten calm seconds (chassis/src/calm.ts), and 15 of connections that are idle (chassis/src/db/pool.ts). */
const GIVEN_BACK_MS = 35_000;

async function main(): Promise<void> {
  mendEnds();
  try {
    // While no other stack runs: an import takes all processors there are, its ceiling one of them. What another stack does when
    // nobody asks it would be taken from the import alone.
    if (imported > 0) await onStackOfItsOwn({}, (fresh) => measureImporting(fresh, 'a calendar of its own'));
    await onStackOfItsOwn({ CLIENT_PROFILES: 'wordpress' }, measureFilled);
  } finally {
    // What was measured before a fault is true all the same.
    if (values.json && reported.length > 0) addRun(values.json, { ...facts(), rows: reported, memory });
  }
}

async function onStackOfItsOwn(
  env: Record<string, string>,
  work: (stack: TestStack) => Promise<void>,
): Promise<void> {
  const stack = await startTestStack(env);
  await work(stack).finally(() => stack.stop());
}

async function measureFilled(stack: TestStack): Promise<void> {
  let ceilings: Ceilings | undefined;
  try {
    await seed(stack, '--users', '50', '--comments', String(posts), ...rowsOfTables(posts));
    await furnish(askedOf(stack));
    await followed(stack);
    ceilings = await startCeilings(stack);
    console.log(
      `${connections} connections, ${seconds} s a row, ${posts.toLocaleString('en')} posts and events; everything shares this machine's cores.\n` +
        'Ceilings: the same bytes from node:http, from Express alone, and from node:http behind Express with ' +
        'http-proxy-middleware; of misses, their service behind such a proxy; of a profile, the same in our words. A row that says no way comes as it comes.\n',
    );
    console.log(heading());
    const chosen = rows.filter((row) => row.name.includes(values.only));
    const few = await measureRows(stack, chosen, ceilings, '');
    await untilQuiet(stack);
    if ('spam checks'.includes(values.only))
      await besideCommits(stack, 'spam checks', () => measureChecks(stack, connections, seconds));
    if ('feedback of a form'.includes(values.only))
      await besideCommits(stack, 'feedback of a form', () => measureFeedback(stack, connections, seconds));
    if ('cache after a write'.includes(values.only)) await measureCache(stack);
    await tellMemory(stack);
    if (values.million) {
      await seed(stack, ...rowsOfTables(1_000_000 - posts));
      await followed(stack);
      console.log('\nwith 1,000,000 posts and events; lists by default are to keep half of their speed');
      const many = chosen.map((row) => ({
        ...row,
        target: row.byDefault ? few.get(row.name)! / 2 : undefined,
      }));
      await measureRows(stack, many, ceilings, ' (a million)');
      if (imported > 0) await measureImporting(stack, 'a calendar of a million events');
    }
  } finally {
    ceilings?.stop();
  }
}

const facts = (): Omit<Run, 'rows' | 'memory'> => ({
  at: new Date().toISOString(),
  node: process.version,
  posts,
  connections,
  seconds,
});
const rowsOfTables = (n: number): string[] => ['--posts', String(n), '--events', String(n)];
const askedOf = ({ url, administrator }: TestStack): Asked => ({ origin: url, administrator });

const seed = (stack: TestStack, ...args: string[]): Promise<void> => onCommandLine(stack, 'seed', ...args);

/** Answers the requests a second of each row. */
async function measureRows(
  stack: TestStack,
  chosen: readonly Row[],
  ceilings: Ceilings,
  suffix: string,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const row of chosen) {
    const target = typeof row.path === 'string' ? row.path : await row.path(askedOf(stack));
    const asking = await askingOf(row, target, stack);
    const least = leastOf(row);
    const options = { origin: stack.url, ...asking, connections, seconds };
    const beside = await ceilings.beside(row, asking);
    const measured = await measure({ name: row.name, target: row.target, least }, options, beside);
    console.log(rowOf(measured));
    reported.push({ ...measured, name: row.name + suffix });
    found.set(row.name, measured.requestsPerSecond);
  }
  return found;
}

/** Something that is done as often as possible, and a commit of one row, in turns. */
async function besideCommits(stack: TestStack, name: string, work: () => Promise<Rates>): Promise<void> {
  const before = await commitCeiling(stack, connections, seconds);
  const rates = await work();
  const ceiling = (before + (await commitCeiling(stack, connections, seconds))) / 2;
  const ratios = { commits: rates.perSecond / ceiling };
  console.log(
    `\n${name}: ${rates.perSecond.toFixed(0)}/s, p50 ${rates.p50.toFixed(1)} ms, p99 ${rates.p99.toFixed(1)} ms; ` +
      `${ceiling.toFixed(0)} commits of one row/s, ratio ${ratio(ratios.commits)}`,
  );
  const { perSecond: requestsPerSecond, ...rest } = rates;
  reported.push({ name, requestsPerSecond, ...rest, kilobytes: 0, ratios });
}

/** Targets: 90 % of what was kept is fresh after a write, and news cost the writer 5 % at most. */
async function measureCache(stack: TestStack): Promise<void> {
  const { url, administrator } = stack;
  console.log('\ncache after a write: how many of the answers that were kept are still fresh');
  const shares: number[] = [];
  await measureFreshness({ url, administrator }, ({ kind, kept, fresh }) => {
    shares.push(fresh / kept);
    console.log(
      `  ${kind.padEnd(22)} ${String(fresh).padStart(6)} of ${kept}  ${((100 * fresh) / kept).toFixed(1)} %`,
    );
  });
  console.log(
    `  median ${(100 * median(shares)).toFixed(1)} % (target 90: ${verdictOf(median(shares) >= 0.9)})`,
  );
  // The name of a category, a user or the site is followed up long after it is answered.
  await untilQuiet(stack);
  const { processor, waited } = await measureWriterCost(stack);
  await untilQuiet(stack);
  const more = (ratio: number): string => `${(100 * (ratio - 1)).toFixed(1)} %`;
  const told = ({ ratio, spread, ms }: typeof waited): string =>
    `${more(ratio)} (half of the rounds ${spread.map(more).join(' to ')}; ${ms.toFixed(1)} ms without; ` +
    `target 5: ${verdictOf(ratio <= 1.05)})`;
  console.log(`  with news and marks a write takes longer by ${told(waited)}`);
  console.log(`  and more of processors by ${told(processor)}`);
}

/** Elsewhere the system does not count like that. */
async function tellMemory(stack: TestStack): Promise<void> {
  if (process.platform !== 'linux') return;
  const last = memoryOf(stack.run().processes);
  await sleep(GIVEN_BACK_MS);
  memory = memoryOf(stack.run().processes);
  for (const line of linesOf(last, memory)) console.log(line);
}

/** As rows are warmed: by then every process has compiled what an import runs through, and there are rows for its ceiling. */
const WARMING_EVENTS = 20_000;
const CEILINGS_EACH = 3;

/** The ceilings before and after, several times: what else the machine does changes meanwhile, and one that takes seconds says little. */
async function measureImporting(stack: TestStack, into: string): Promise<void> {
  const round = into.replaceAll(' ', '-');
  // The index follows an import for minutes: neither another one nor its ceiling nor an acknowledgement of an idle stack is measured beside that.
  const around = async (when: string): Promise<{ acknowledged: number[]; upserts: number[] }> => {
    await untilQuiet(stack);
    const upserts: number[] = [];
    for (let n = 0; n < CEILINGS_EACH; n++) upserts.push(await upsertCeiling(stack, imported));
    return { upserts, acknowledged: await idleAcknowledgements(stack, when) };
  };
  await measureImports(stack, WARMING_EVENTS, `${round}-warming`);
  const before = await around(`${round}-before`);
  await untilQuiet(stack);
  const result = await measureImports(stack, imported, round);
  const after = await around(`${round}-after`);
  const upserts = [...before.upserts, ...after.upserts];
  const upsert = median(upserts);
  const idleTimes = [...before.acknowledged, ...after.acknowledged].sort((a, b) => a - b);
  const idle = median(idleTimes);
  const idleP99 = idleTimes[Math.floor(idleTimes.length * 0.99)] as number;
  const ratios = { idle: idle / result.p50, upsert: result.appliedPerSecond / upsert };
  console.log(
    `\nimport of ${result.events.toLocaleString('en')} events in batches of 50 into ${into}, after ${WARMING_EVENTS.toLocaleString('en')} unmeasured:\n` +
      `  acknowledged: ${result.acknowledgedPerSecond.toFixed(0)} batches/s, p50 ${result.p50.toFixed(1)} ms, ` +
      `p99 ${result.p99.toFixed(1)} ms; an idle stack answers in ${idle.toFixed(1)} ms, ratio ${ratio(ratios.idle)}, ` +
      `p99 ${idleP99.toFixed(1)} ms (target twice that: ${verdictOf(result.p99 <= 2 * idleP99)})\n` +
      `  applied: ${result.appliedPerSecond.toFixed(0)} events/s (target 3000: ` +
      `${verdictOf(result.appliedPerSecond >= 3000)}); the same rows by one statement a batch ` +
      `${upsert.toFixed(0)}/s (${Math.min(...upserts).toFixed(0)} to ${Math.max(...upserts).toFixed(0)}), ` +
      `ratio ${ratio(ratios.upsert)} (target 0.50: ${verdictOf(ratios.upsert >= 0.5)})`,
  );
  reported.push({
    name: `import into ${into}`,
    requestsPerSecond: result.appliedPerSecond,
    p50: result.p50,
    p99: result.p99,
    kilobytes: 0,
    failures: 0,
    ratios,
  });
}

function compare(before: string, after: string | undefined): void {
  if (!after) throw new Error('--compare needs two files: before and after.');
  for (const text of compareRuns(before, after)) console.log(text);
}

void (async () => (values.compare ? compare(values.compare, positionals[0]) : main()))().catch(
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
