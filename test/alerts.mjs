/**
 * `npm run test:alerts`: each alert tried on a whole stack: the fault is made, the rule fires; a quiet stack fires none. The
 * rules are read and evaluated by the packages of Prometheus themselves, in a small program of Go (test/alerts), which is
 * built once and kept in the cache folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apart } from './apart.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const source = path.join(here, 'alerts');
const cache = process.env.SEVENFOLD_CACHE || path.join(homedir(), '.cache', 'sevenfold');

/** Undefined where it is not built yet and Go is missing. */
function evaluator() {
  const hash = createHash('sha256');
  for (const name of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(path.join(source, name)));
  const target = path.join(cache, `alerts-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(target)) return target;
  if (spawnSync('go', ['version']).status !== 0) return undefined;
  mkdirSync(cache, { recursive: true });
  console.log('what evaluates the rules is built, once; this takes minutes');
  const draft = `${target}.${process.pid}`;
  execFileSync('go', ['build', '-trimpath', '-o', draft, '.'], {
    cwd: source,
    stdio: 'inherit',
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  renameSync(draft, target);
  return target;
}

const program = evaluator();
if (!program) {
  console.error(
    'The alerts are NOT TRIED: what evaluates them has to be built, and Go (https://go.dev) is missing here.',
  );
  process.exit(process.env.CI ? 1 : 0);
}
const { status } = spawnSync(...apart('alerts', process.argv.slice(2), { ALERTS_EVALUATE: program }));
process.exit(status ?? 1);
