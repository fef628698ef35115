/**
 * `npm run capacity [-- --rows 20000 --times 3000 --events 10000 | --page]`: measures on a stack of its own what requests,
 * events and rows cost, writes the figures into deploy/capacity.json, and makes deploy/CAPACITY.md of them. --page makes the page
 * alone, of the figures that are there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type TestStack, startTestStack } from '../../support/stack';
import { untilQuiet } from '../background';
import type { Figures } from './figures';
import {
  measureAsked,
  measureImported,
  measureHit,
  measureMisses,
  memoryOf,
  seed,
  sizeOf,
  versionOf,
} from './measure';
import { pageOf } from './page';

const deploy = path.resolve(__dirname, '../../../../deploy');
const FIGURES = path.join(deploy, 'capacity.json');
const PAGE = path.join(deploy, 'CAPACITY.md');

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    times: { type: 'string', default: '3000' },
    events: { type: 'string', default: '10000' },
    page: { type: 'boolean', default: false },
  },
});

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function onStack<T>(env: Record<string, string>, work: (stack: TestStack) => Promise<T>): Promise<T> {
  // As a site runs: what is committed is on the disk.
  const stack = await startTestStack(env, true);
  return work(stack).finally(() => stack.stop());
}

async function measureAll(): Promise<Figures> {
  const [rows, times, events] = [values.rows, values.times, values.events].map(Number) as [
    number,
    number,
    number,
  ];
  const hit = await onStack({}, async (stack) => {
    await seed(stack, 100);
    say('asking for what is kept');
    return measureHit(stack, times);
  });
  return onStack({ CACHE_MEGABYTES: '0' }, async (stack) => {
    const sizesOf = (): Promise<number[]> =>
      Promise.all((['calendar', 'content'] as const).map((name) => sizeOf(stack, name)));
    const before = await sizesOf();
    say(`filling: ${rows} events and posts`);
    await seed(stack, rows);
    await untilQuiet(stack);
    const [event = 0, post = 0] = (await sizesOf()).map((one, at) =>
      Math.round((one - (before[at] ?? 0)) / rows),
    );
    say('asking for what is not');
    const kinds = { hit, ...(await measureMisses(stack, times)) };
    const asked = await measureAsked(stack);
    say(`importing ${events} events`);
    const { log, indexed, ...imported } = await measureImported(stack, events);
    return {
      at: new Date().toISOString().slice(0, 10),
      node: process.version,
      busy: Math.round(loadavg()[1] ?? 0),
      cores: cpus().length,
      postgresql: await versionOf(stack),
      rows,
      kinds,
      ...imported,
      asked,
      stored: { event, post, indexed, log },
      memory: memoryOf(stack),
    };
  });
}

async function main(): Promise<void> {
  if (!values.page) writeFileSync(FIGURES, `${JSON.stringify(await measureAll(), null, 2)}\n`);
  writeFileSync(PAGE, pageOf(JSON.parse(readFileSync(FIGURES, 'utf8')) as Figures));
  console.log(`${PAGE} is made; \`npm run format\` aligns its tables`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
