/**
 * `npm run costs [-- --rows 1000000 --most 250 --only TEXT]`: what each list that strangers may ask for costs the database,
 * on a stack of its own with so many rows of everything: each filter, each two of them, each order, the first page and the
 * middle one. Nothing that was asked before helps: each question is new, and middle pages come when what was remembered of
 * their lists has been forgotten. Says what cost more ms of processor time than --most, and fails where something did.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { outlineBounds } from '@sevenfold/chassis/db/list';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import type { Resource } from '@sevenfold/chassis/http/route';
import { byStranger, declared } from '../../support/declared';
import { type TestStack, startTestStack } from '../../support/stack';
import { median } from '../measure';
import { fill } from './fill';
import { type Cost, costOf } from './measure';
import { questionsOf } from './questions';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    most: { type: 'string', default: '250' },
    only: { type: 'string', default: '' },
  },
});
const [rows, most] = [Number(values.rows), Number(values.most)];
const SIZE = 10;
/** Followed by itself; what it does meanwhile would be counted, too. */
const STANDING = /^seo/;

interface List {
  readonly name: string;
  readonly path: string;
  readonly args: ArgTable;
}

interface Answered extends Cost {
  readonly path: string;
}

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

/** Lists with pages that strangers may ask for just so. */
const lists: readonly List[] = declared.flatMap(({ definition: { namespace, resources } }) =>
  (resources as readonly Resource<never>[]).flatMap(({ name, routes }) =>
    routes
      .filter(
        ({ methods, path, args }) => methods.includes('GET') && !path.includes('(?P<') && 'page' in args,
      )
      .filter(({ permission }) => permission(byStranger) === undefined)
      .map(({ path, args }) => ({
        name: `${namespace} ${name}`,
        path: `/rest/${namespace}${path}`,
        args: args as ArgTable,
      })),
  ),
);

async function main(): Promise<void> {
  // Nothing ends what costs too much: it is to be seen how much.
  const stack = await startTestStack({ LIST_LIMIT_MS: '15000' });
  const standing = Object.keys(stack.run().processes)
    .filter((name) => STANDING.test(name))
    .map((name) => stack.freeze(name));
  try {
    const known = await fill(stack, rows, say);
    let over = 0;
    for (const list of lists.filter(({ name }) => name.includes(values.only)))
      over += await measureList(stack, list, questionsOf(list.args, known));
    say(over === 0 ? `nothing cost more than ${most} ms` : `${over} questions cost more than ${most} ms`);
    process.exitCode = over === 0 ? 0 : 1;
  } finally {
    for (const goOn of standing) goOn();
    await stack.stop();
  }
}

/** Says what cost too much, and answers how much that was. */
async function measureList(stack: TestStack, list: List, questions: readonly string[]): Promise<number> {
  const first = await ask(
    stack,
    questions.map((query) => `${list.path}?${query}&per_page=${SIZE}`),
  );
  await sleep(outlineBounds.lifetimeMs);
  const middles = first
    .filter(({ total }) => total > 2 * SIZE)
    .map(({ path, total }) => `${path}&page=${Math.ceil(total / SIZE / 2)}`);
  const answers = [...first, ...(await ask(stack, middles))];
  const costs = answers.map(({ ms }) => ms);
  const refused = answers.filter(({ status }) => status !== 200);
  say(
    `${list.name}: ${answers.length} questions, median ${median(costs)} ms, most ${Math.max(...costs)} ms` +
      (refused.length === 0
        ? ''
        : `, ${refused.length} refused, such as ${refused[0]?.status} ${shown(refused[0]?.path ?? '')}`),
  );
  const over = answers.filter(({ ms }) => ms > most).sort((a, b) => b.ms - a.ms);
  for (const { ms, status, total, path } of over)
    console.log(`${String(ms).padStart(6)} ms  ${status}  ${total} rows  ${shown(path)}`);
  return over.length;
}

async function ask(stack: TestStack, paths: readonly string[]): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const path of paths) answers.push({ path, ...(await costOf(stack, path)) });
  return answers;
}

/** Long lists of numbers as their beginning and how many they are. */
const shown = (path: string): string =>
  path.replace(/=(\d+),[\d,]+/g, (list, start: string) => `=${start},… (${list.split(',').length})`);

void main();
