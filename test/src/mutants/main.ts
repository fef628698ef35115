/**
 * `npm run test:mutants [-- PART OF A PATH OR NAME…]`: puts small faults into the files of targets.ts, one at a time,
 * and looks whether the tests see them; then those of named.ts. Results are kept by content in node_modules/.cache, so
 * that only what changed is tried again. Ends with 1 where less than nine in ten of those tried are seen, or a named one
 * is not, and with 2 where something was not tried at all; the last line says how many were tried. MUTANTS_SECONDS
 * bounds a run, and what was not tried by then is left for the next one; MUTANTS_EACH tries no more than so many of
 * each file. Of one file MUTANTS_AT_ONCE are tried side by side, usually one per core: tests that see a fault by waiting
 * in vain cost little, so that more may be better.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTestServers } from '@sevenfold/local/testing';
import { isEquivalent } from './equivalents';
import { type NamedFault, namedFaults } from './named';
import { type Mutant, instrument } from './operators';
import { type Outcome, type Score, conclude, noScore, tell } from './score';
import { type Target, targets } from './targets';
import type { Order, Verdict } from './tester';

const ROOT = path.resolve(__dirname, '../../..');
const CACHE = path.join(ROOT, 'node_modules/.cache/mutants.json');
/** A fault that makes a loop endless shows in tests that take ten times as long, and longer than any pause of them. */
const patience = (usualMs: number): number => Math.max(30_000, 10 * usualMs);

const wanted = process.argv.slice(2);
const until = Date.now() + Number(process.env.MUTANTS_SECONDS ?? 86_400) * 1000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const atOnce = Number(process.env.MUTANTS_AT_ONCE ?? os.availableParallelism());
const chosen = (...texts: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((part) => texts.some((text) => text.includes(part)));

type Results = Record<string, boolean>;
const kept = (): Results => (existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as Results) : {});
const results = kept();

function keep(key: string, killed: boolean): void {
  // Another run may have kept some meanwhile.
  Object.assign(results, kept(), { [key]: killed });
  mkdirSync(path.dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify(results));
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** A result counts for as long as the file and its tests are what they were. */
function keyOf(file: string, tests: readonly string[], fault: string): string {
  const hash = createHash('sha1');
  for (const text of [read(file), ...tests.map(read), fault]) hash.update(text).update('\0');
  return hash.digest('hex');
}

/** The tests say nothing of faults: they fail as they are, or do not run. */
class Broken extends Error {}

/** Asks a process of its own about these faults, and another one where it had to be ended. */
async function* tryFaults(order: Omit<Order, 'root'>): AsyncGenerator<Verdict> {
  let left: Order['faults'] = order.faults;
  let usual = Infinity;
  while (left.length > 0 && Date.now() < until) {
    const tester = fork(path.join(__dirname, 'tester.js'), { cwd: ROOT, stdio: 'ignore' });
    const news = messagesOf(tester);
    tester.send({ ...order, root: ROOT, faults: left } satisfies Order);
    try {
      while (left.length > 0 && Date.now() < until) {
        const fault = left[0] as number | string;
        const limit = usual === Infinity ? 180_000 : patience(usual);
        const verdict = await news.next(limit);
        if (verdict === 'gone') throw new Broken(`the tests of ${order.file} cannot be run`);
        left = left.slice(1);
        yield verdict === 'late' ? { fault, killed: true, ms: limit } : verdict;
        if (verdict === 'late') break;
        if (fault === 0) usual = verdict.ms;
      }
    } finally {
      tester.kill('SIGKILL');
    }
  }
}

function messagesOf(tester: ReturnType<typeof fork>): {
  next(ms: number): Promise<Verdict | 'late' | 'gone'>;
} {
  const waiting: Verdict[] = [];
  let gone = false;
  let stir = (): void => undefined;
  tester.on('message', (message: Verdict | { error: string }) => {
    if ('error' in message) say(message.error);
    else waiting.push(message);
    stir();
  });
  tester.on('exit', () => {
    gone = true;
    stir();
  });
  return {
    next: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve('late'), ms);
        stir = () => {
          const verdict = waiting.shift() ?? (gone ? 'gone' : undefined);
          if (!verdict) return;
          clearTimeout(timer);
          stir = () => undefined;
          resolve(verdict);
        };
        stir();
      }),
  };
}

const idOf = (mutant: Mutant): string =>
  `${mutant.line} ${mutant.operator}: ${mutant.original} → ${mutant.mutated}`;

/** So many of them, spread over the whole file, and the same ones each time. */
const sampleOf = (all: readonly Mutant[], count: number): readonly Mutant[] =>
  all.length <= count
    ? all
    : all.filter(
        (_, place) =>
          Math.floor((place * count) / all.length) !== Math.floor(((place + 1) * count) / all.length),
      );

const each = process.env.MUTANTS_EACH === undefined ? undefined : Number(process.env.MUTANTS_EACH);

/** As equal in number as can be, and none of them empty. */
const partsOf = <T>(all: readonly T[], count: number): T[][] =>
  Array.from({ length: Math.min(count, all.length) }, (_, part) =>
    all.filter((_, place) => place % count === part),
  );

async function tryTarget({ file, tests }: Target): Promise<Score> {
  const source = read(file);
  const all = instrument(file, source).mutants.filter((mutant) => !isEquivalent(file, source, mutant));
  const score: Score = { ...noScore(), untried: all.length };
  const keys = new Map(sampleOf(all, each ?? all.length).map((one) => [one, keyOf(file, tests, idOf(one))]));
  const count = (mutant: Mutant, killed: boolean): void => {
    score.untried -= 1;
    score[killed ? 'killed' : 'survived'] += 1;
    if (!killed) say(`  survived ${file}:${idOf(mutant).replace(/\s+/g, ' ')}`);
  };
  const open = new Map<number | string, Mutant>();
  for (const [mutant, key] of keys) {
    const killed = results[key];
    if (killed === undefined) open.set(mutant.id, mutant);
    else count(mutant, killed);
  }
  const tryPart = async (faults: readonly (number | string)[]): Promise<void> => {
    for await (const { fault, killed } of tryFaults({ file, tests, faults: [0, ...faults] })) {
      if (fault === 0 && killed) throw new Broken(`the tests of ${file} fail without any fault`);
      const mutant = open.get(fault);
      if (!mutant) continue;
      keep(keys.get(mutant) as string, killed);
      count(mutant, killed);
    }
  };
  const ends = await Promise.allSettled(partsOf([...open.keys()], atOnce).map(tryPart));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  say(`${file}: ${tell(score)}`);
  return score;
}

async function tryNamed({
  name,
  file,
  tests,
  find,
}: NamedFault): Promise<'killed' | 'survived' | 'not tried'> {
  const key = keyOf(file, tests, `named ${name} ${find}`);
  if (results[key] === undefined)
    // A process compiles a file once, so each text has one of its own.
    for (const fault of [0, name])
      for await (const { killed } of tryFaults({ file, tests, faults: [fault] })) {
        if (fault === 0 && killed) throw new Broken(`the tests of ${file} fail without any fault`);
        if (fault !== 0) keep(key, killed);
      }
  const killed = results[key];
  return killed === undefined ? 'not tried' : killed ? 'killed' : 'survived';
}

async function tryAll(): Promise<Outcome> {
  const named: Map<string, 'killed' | 'survived' | 'not tried'> = new Map();
  const areas = new Map<string, Score>();
  const broken = new Set<string>();
  /** One file's tests that say nothing do not keep the others from being asked. */
  const unlessBroken = async <T>(file: string, work: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      say(error.message);
      broken.add(file);
      return otherwise;
    }
  };
  for (const fault of namedFaults.filter(({ name, file }) => chosen(name, file, 'named'))) {
    const state = await unlessBroken(fault.file, tryNamed(fault), 'not tried');
    named.set(fault.name, state);
    say(`named: ${fault.name}: ${state}`);
  }
  for (const target of targets.filter(({ area, file }) => chosen(area, file))) {
    const score = await unlessBroken(target.file, tryTarget(target), noScore());
    const sum = areas.get(target.area) ?? noScore();
    for (const kind of ['killed', 'survived', 'untried'] as const) sum[kind] += score[kind];
    areas.set(target.area, sum);
  }
  return { areas, named, broken: [...broken], each, cut: Date.now() >= until };
}

async function main(): Promise<void> {
  // The servers end with an exit, and so do testers.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  const servers = await startTestServers();
  process.env.TEST_POSTGRES_URL = servers.adminUrl;
  process.env.TEST_REDIS_URL = servers.redisUrl;
  try {
    const outcome = await tryAll();
    for (const [area, score] of outcome.areas) say(`${area}: ${tell(score)}`);
    const { line, code } = conclude(outcome);
    say(line);
    process.exitCode = code;
  } finally {
    await servers.stop();
  }
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
