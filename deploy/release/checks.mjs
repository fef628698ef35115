/** What has to hold before something gets a number. Each answers its faults, for people. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { inRoot, root } from '../build/sources.mjs';
import { isVersion, numbers } from './numbers.mjs';
import { schemaFaults } from './schemas.mjs';

export const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const isTagged = (version) => git('tag', '--list', `v${version}`) !== '';

/** Less than 0 where the first one is the older one; what comes before a release is older than it. */
function compare(one, other) {
  const [[a, ...before], [b, ...after]] = [one.split('-'), other.split('-')];
  const [x, y] = [a.split('.').map(Number), b.split('.').map(Number)];
  const at = x.findIndex((part, place) => part !== y[place]);
  if (at >= 0) return x[at] - y[at];
  if (before.length === 0 || after.length === 0) return after.length - before.length;
  return before.join('-').localeCompare(after.join('-'), 'en', { numeric: true });
}

/** Where they say different things, which says what. */
export function numberFaults() {
  const [first, ...others] = numbers();
  return others
    .filter(({ number }) => number !== first.number)
    .map(({ file, what, number }) => `${file} (${what}) says ${number}, ${first.file} says ${first.number}.`);
}

/** What is told of a version in the change log; undefined where it has no entry with a day. */
function entryOf(version) {
  const file = inRoot('CHANGELOG.md');
  if (!existsSync(file)) return undefined;
  const parts = readFileSync(file, 'utf8').split(/^## /m);
  const entry = parts.find((one) => one.startsWith(`[${version}] - `));
  return entry && /^\[.*?\] - \d{4}-\d\d-\d\d\n/.test(entry)
    ? entry
        .slice(entry.indexOf('\n'))
        .replace(/^\[.*\]: .*$/gm, '')
        .trim() || undefined
    : undefined;
}

export function faultsOf(version) {
  if (!isVersion(version)) return [`«${version}» is no version such as 1.4.0 or 1.4.0-rc.1.`];
  const faults = [...numberFaults(), ...schemaFaults()];
  const [{ number: current }] = numbers();
  if (compare(version, current) < 0) faults.push(`${version} is older than ${current}, which this is.`);
  if (isTagged(version) && git('rev-parse', `v${version}^{commit}`) !== git('rev-parse', 'HEAD'))
    faults.push(`v${version} is the tag of another commit: a number is given once.`);
  if (!entryOf(version))
    faults.push(`CHANGELOG.md has no entry «## [${version}] - YYYY-MM-DD» that says something.`);
  const dirty = git('status', '--porcelain');
  if (dirty !== '') faults.push(`What is not committed would be in no release:\n${dirty}`);
  return faults;
}

export { isTagged };
