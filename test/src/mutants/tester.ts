/**
 * A process that runs one file's tests with one fault after another, and tells its parent of each. Its parent ends it
 * where a fault makes it run for ever.
 */
import path from 'node:path';
import { runCLI } from 'jest';

export interface Order {
  readonly root: string;
  readonly file: string;
  readonly tests: readonly string[];
  /** 0: no fault. Names: faults of the table. */
  readonly faults: readonly (number | string)[];
}

export interface Verdict {
  readonly fault: number | string;
  readonly killed: boolean;
  readonly ms: number;
}

const WAIT_AT_FIRST_MS = 90_000;
const WAIT_AT_LEAST_MS = 15_000;

interface BaseConfig {
  readonly transform: Record<string, [string, object]>;
}

// Whoever asked has ended, in whatever way: what is under way is for nobody.
process.once('disconnect', () => process.exit());

process.once('message', (order: Order) => {
  obey(order).then(
    () => process.disconnect(),
    (error: unknown) => {
      process.send?.({ error: String(error) });
      process.disconnect();
    },
  );
});

async function obey({ root, file, tests, faults }: Order): Promise<void> {
  process.env.MUTANT_FILE = file;
  const here = (name: string): string => path.join(__dirname, `${name}.js`);
  const { default: base } = (await import(path.join(root, 'test/jest.config.cjs'))) as {
    default: BaseConfig;
  };
  const [[pattern, [, options]]] = Object.entries(base.transform) as [[string, [string, object]]];
  const config = {
    ...base,
    testTimeout: WAIT_AT_FIRST_MS,
    rootDir: root,
    transform: { [pattern]: [here('transform'), options] },
    testEnvironment: here('environment'),
    // The parent keeps the servers for all runs.
    globalSetup: undefined,
    globalTeardown: undefined,
  };
  for (const fault of faults) {
    const named = typeof fault === 'string';
    process.env.MUTANT = named ? '0' : String(fault);
    process.env.MUTANT_NAMED = named ? fault : '';
    const started = performance.now();
    let killed = false;
    // One file after another rather than by Jest's own bail, which ends the process.
    for (const test of tests) killed ||= await fails(test, root, JSON.stringify(config));
    const ms = Math.round(performance.now() - started);
    // Who waits for a state that a fault keeps away waits in vain: as long as all tests took together is enough.
    if (fault === 0) config.testTimeout = Math.max(WAIT_AT_LEAST_MS, ms);
    process.send?.({ fault, killed, ms } satisfies Verdict);
  }
}

async function fails(test: string, root: string, config: string): Promise<boolean> {
  const argv = { _: [test], $0: 'jest', config, runTestsByPath: true, runInBand: true, silent: true };
  const { results } = await runCLI({ ...argv, reporters: [], watchman: false } as never, [root]);
  if (process.env.MUTANTS_SHOW)
    process.stderr.write(results.testResults.map(({ failureMessage }) => failureMessage ?? '').join('\n'));
  return !results.success;
}
