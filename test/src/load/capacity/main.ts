/**
 * `npm run capacity [-- --rows 10000,100000 --seconds 3 --events 10000 | --page]`: measures on a stack of its own what requests,
 * events and rows cost, writes the figures into deploy/capacity.json, and makes deploy/CAPACITY.md of them. --page makes the page
 * alone, of the figures that are there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startTestStack } from '../../support/stack';
import type { Figures, Measured } from './figures';
import {
  measureAsked,
  measureImported,
  measureKinds,
  memoryOf,
  quiet,
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
    rows: { type: 'string', default: '10000,100000' },
    seconds: { type: 'string', default: '3' },
    events: { type: 'string', default: '10000' },
    page: { type: 'boolean', default: false },
  },
});

async function measureAll(): Promise<Figures> {
  const sizes = values.rows.split(',').map(Number);
  const stack = await startTestStack();
  const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
  try {
    const names = ['calendar', 'content', 'seo'] as const;
    const sizesOf = async (): Promise<number[]> => Promise.all(names.map((name) => sizeOf(stack, name)));
    const before = await sizesOf();
    const measured: Measured[] = [];
    let rows = 0;
    for (const size of sizes) {
      say(`filling: ${size} events and posts`);
      await seed(stack, size - rows);
      rows = size;
      await quiet(stack);
      say('asking');
      measured.push(await measureKinds(stack, rows, Number(values.seconds)));
    }
    const [calendar = 0, content = 0, seo = 0] = (await sizesOf()).map((one, at) => one - (before[at] ?? 0));
    say(`importing ${values.events} events`);
    const { log, count: _count, ...imported } = await measureImported(stack, Number(values.events));
    const each = (bytes: number, count: number): number => Math.round(bytes / count);
    return {
      at: new Date().toISOString().slice(0, 10),
      node: process.version,
      postgresql: await versionOf(stack),
      measured,
      ...imported,
      asked: await measureAsked(stack),
      stored: {
        event: each(calendar, rows),
        post: each(content, rows),
        indexed: each(seo, 2 * rows),
        log,
      },
      memory: memoryOf(stack),
    };
  } finally {
    await stack.stop();
  }
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
