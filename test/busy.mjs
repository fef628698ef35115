/**
 * `npm run test:busy -- [--times N] [PATHS and options of Jest]`: the tests N times (3), while two processes per core
 * do nothing but compute. A test that fails here waits for time where it should wait for a state. Says at the end which
 * files failed, and in how many runs.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const jest = path.resolve(here, '../node_modules/jest/bin/jest.js');
const BUSY_PER_CORE = 2;

const args = process.argv.slice(2);
const at = args.indexOf('--times');
const times = at < 0 ? 3 : Number(args.splice(at, 2)[1]);
if (!Number.isInteger(times) || times < 1) {
  console.error('--times takes a whole number of runs');
  process.exit(2);
}

// Each ends with this process, however that ends: its standard input is closed then.
const busy = Array.from({ length: BUSY_PER_CORE * os.availableParallelism() }, () =>
  spawn(
    process.execPath,
    [
      '-e',
      `process.stdin.on('close', () => process.exit()).resume();
       const compute = () => { for (const end = Date.now() + 50; Date.now() < end; ); setImmediate(compute); };
       compute();`,
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  ),
);
const folder = mkdtempSync(path.join(os.tmpdir(), 'sevenfold-busy-'));
const failures = new Map();
let broken = 0;
try {
  for (let run = 1; run <= times; run++) {
    console.log(`\nrun ${run} of ${times}, ${busy.length} busy processes beside it`);
    broken += oneRun(path.join(folder, `${run}.json`));
  }
} finally {
  for (const child of busy) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
for (const [file, count] of failures) console.log(`${file}: failed in ${count} of ${times}`);
console.log(broken === 0 ? `all passed ${times} times` : `${broken} of ${times} runs failed`);
process.exitCode = broken === 0 ? 0 : 1;

/** 1 where it failed. */
function oneRun(report) {
  const options = ['-c', path.join(here, 'jest.config.cjs'), '--json', '--outputFile', report];
  const { status } = spawnSync(process.execPath, [jest, ...options, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const { name, status: result } of resultsOf(report))
    if (result === 'failed') {
      const file = path.relative(path.resolve(here, '..'), name);
      failures.set(file, (failures.get(file) ?? 0) + 1);
    }
  return status === 0 ? 0 : 1;
}

function resultsOf(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    // It ended before it could write one; what it said stands above.
    return [];
  }
}
