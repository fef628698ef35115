/**
 * `npm run bench`: starts a stack of its own, fills it, and measures each row through the gateway beside the ceilings
 * of the same run; then an import into the empty calendar of another stack. Options: --posts N (10000), --million
 * (everything again at 1,000,000 posts and events), --seconds S (5), --connections C (32), --only TEXT (rows whose name
 * holds it), --imports N (100000 events; 0 for none).
 *
 * Machines are shared: compare rows of one run, and quote ratios.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type TestStack, startTestStack } from '../support/stack';
import { type Ceiling, startCeiling } from './ceilings';
import { measureImports } from './imports';
import { type LoadResult, load } from './load';
import { type Row, rows } from './rows';

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10000' },
    million: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', default: '' },
    imports: { type: 'string', default: '100000' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const run = promisify(execFile);
/** Requests a second with few rows, by row. */
const few = new Map<string, number>();
const cli = path.resolve(__dirname, '../../../deploy/local/dist/cli/main.js');

async function main(): Promise<void> {
  const stack = await startTestStack();
  const ceilings: Ceiling[] = [];
  // Not synchronously: connections that the gateway ends meanwhile would not be noticed.
  const seed = async (...args: string[]): Promise<void> => {
    await run(process.execPath, ['--enable-source-maps', cli, 'seed', ...args], {
      env: { ...process.env, DATA_DIR: stack.dataDir },
    });
  };
  try {
    const posts = Number(values.posts);
    await seed(
      '--posts',
      String(posts),
      '--users',
      '50',
      '--comments',
      String(posts),
      '--events',
      String(posts),
    );
    const list = await (await fetch(`${stack.url}/rest/core/v2/posts`)).text();
    const plain = await startCeiling('plain', { body: list });
    ceilings.push(plain);
    const proxy = await startCeiling('proxy', { target: plain.origin });
    ceilings.push(proxy);

    console.log(
      `${connections} connections, ${seconds} s a row, ${posts.toLocaleString('en')} posts and events; everything shares this machine's cores\n`,
    );
    console.log(line('row', 'req/s', 'p50 ms', 'p99 ms', 'KB', 'target', ''));
    await measure({ name: 'ceiling: node:http, bytes of the posts list', path: '/' }, plain.origin);
    await measure({ name: 'ceiling: Express + http-proxy-middleware before it', path: '/' }, proxy.origin);
    const chosen = rows.filter((row) => row.name.includes(values.only));
    for (const row of chosen) await measure(row, stack.url);
    const imported = Number(values.imports);
    if (imported > 0) {
      const empty = await startTestStack();
      await measureImporting(empty, imported, 'an empty calendar').finally(() => empty.stop());
    }
    if (values.million) {
      await seed('--posts', String(1_000_000 - posts), '--events', String(1_000_000 - posts));
      console.log(
        '\nthe same with 1,000,000 posts and events; lists by default are to keep half of their speed',
      );
      for (const row of chosen)
        await measure({ ...row, target: row.byDefault ? few.get(row.name)! / 2 : undefined }, stack.url);
      if (imported > 0) await measureImporting(stack, imported, 'a calendar of a million events');
    }
  } finally {
    ceilings.forEach((ceiling) => ceiling.stop());
    await stack.stop();
  }
}

async function measure(row: Row, origin: string): Promise<void> {
  const target = typeof row.path === 'string' ? row.path : await row.path(origin);
  await load({ origin, path: target, connections, seconds: Math.min(2, seconds) });
  const result = await load({ origin, path: target, connections, seconds });
  print(row, result);
  if (!few.has(row.name)) few.set(row.name, result.requestsPerSecond);
}

async function measureImporting(stack: TestStack, events: number, into: string): Promise<void> {
  const result = await measureImports(stack, events, into.replaceAll(' ', '-'));
  const p99 = `p99 ${result.p99.toFixed(1)} ms (target 50: ${verdictOf(result.p99 <= 50)})`;
  const applied = `${result.appliedPerSecond.toFixed(0)} events/s applied (target 3000: ${verdictOf(result.appliedPerSecond >= 3000)})`;
  console.log(
    `\nimport of ${result.events.toLocaleString('en')} events in batches of 50 into ${into}: ` +
      `${result.acknowledgedPerSecond.toFixed(0)} batches/s acknowledged, p50 ${result.p50.toFixed(1)} ms, ${p99}; ${applied}`,
  );
}

const verdictOf = (met: boolean): string => (met ? 'met' : 'MISSED');

function print(row: Row, result: LoadResult): void {
  const verdict = row.target === undefined ? '' : verdictOf(result.requestsPerSecond >= row.target);
  const failed = result.failures > 0 ? ` ${result.failures} FAILED` : '';
  console.log(
    line(
      row.name,
      result.requestsPerSecond.toFixed(0),
      result.p50.toFixed(1),
      result.p99.toFixed(1),
      (result.bytesPerAnswer / 1024).toFixed(1),
      row.target === undefined ? '' : row.target.toFixed(0),
      verdict + failed,
    ),
  );
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(52) + cells.map((cell) => cell.padStart(9)).join('');
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
