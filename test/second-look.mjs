/**
 * `node test/second-look.mjs REPORT`: what CI does where `npm test -- --json --outputFile REPORT` failed. Files that failed
 * run once more, by themselves. Those that fail again fail CI; those that pass then are named, since each has a race that
 * wants mending. More than MOST of them are no bad luck: then nothing runs again.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MOST = 2;
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '..');

function give(up) {
  console.error(up);
  process.exit(1);
}

/** Each file that failed, with the names of its tests that did. */
function failuresOf(report) {
  let told;
  try {
    told = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return give('The tests ended before they told what failed.');
  }
  return told.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => ({
      file: path.relative(root, name),
      tests: assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    }));
}

const [report] = process.argv.slice(2);
if (!report) give('Which report?');
const failures = failuresOf(report);
if (failures.length === 0) give('The tests failed, but no file of them did.');
if (failures.length > MOST) give(`${failures.length} files failed: none is looked at again.`);

const jest = path.join(root, 'node_modules/jest/bin/jest.js');
const files = failures.map(({ file }) => file);
console.error(`\nOnce more, alone: ${files.join(', ')}`);
const { status } = spawnSync(
  process.execPath,
  [jest, '-c', path.join(here, 'jest.config.cjs'), '--runInBand', '--runTestsByPath', ...files],
  { cwd: root, stdio: 'inherit' },
);
for (const { file, tests } of failures)
  console.error(
    `${status === 0 ? 'Passed alone, a race to be mended' : 'Failed'}: ${file}: ${tests.join('; ')}`,
  );
process.exit(status === 0 ? 0 : 1);
