/**
 * `npm run examples -- [--all]`: records the examples that the OpenAPI documents show, from a site of its own with data of
 * its own. What is there stays while its request and the form of its answer do, so that a run changes only what the
 * interface changed; with `--all` everything is written anew.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { createLog } from '@sevenfold/chassis/log';
import { type Example, type Examples, exampleKey } from '@sevenfold/chassis/http/openapi-examples';
import { documentPath } from '@sevenfold/chassis/http/openapi-paths';
import { matcher } from '@sevenfold/chassis/http/match';
import sharp from 'sharp';
import { consoleDescription } from '@sevenfold/gateway/console/document';
import { CONSOLE_API } from '@sevenfold/gateway/console/resources';
import { declared } from '../support/declared';
import { type TestStack, startTestStack } from '../support/stack';
import { calendar } from './calendar';
import { beside } from './console';
import { core } from './core';
import { indexes } from './indexes';
import { type Step } from './step';

const root = path.resolve(__dirname, '../../..');
const SITE = { SITE_URL: 'https://www.example.org', SITE_TITLE: 'Harbour House', EXTERNAL_CHECK: 'false' };
const PATIENCE_MS = 120_000;
const PAUSE_MS = 500;

const { all } = parseArgs({ options: { all: { type: 'boolean', default: false } } }).values;

/** Large enough for smaller copies to be made of it. */
const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#468' } })
    .png()
    .toBuffer();

type Known = Map<string, unknown>;

/** Numbers stay numbers where a name is all of a text. */
const filled = (text: string, known: Known): string =>
  text
    .replace(/"\{(\w+)\}"/g, (_, name: string) => JSON.stringify(of(name, known)))
    .replace(/\{(\w+)\}/g, (_, name: string) => String(of(name, known)));

function of(name: string, known: Known): unknown {
  if (!known.has(name)) throw new Error(`No answer was remembered as ${name}.`);
  return known.get(name);
}

interface Recorded {
  readonly file: string;
  readonly key: string;
  readonly example: Example;
}

const finders = [
  ...declared.map(({ row, definition: { namespace, resources } }) => ({
    file: `${row.folder}/examples.json`,
    namespace,
    find: matcher(namespace, resources),
  })),
  {
    file: path.relative(root, consoleDescription.examples),
    namespace: consoleDescription.namespace,
    find: matcher(consoleDescription.namespace, consoleDescription.resources),
  },
];

/** Which route it was, and of whom. */
function placeOf(method: Step['method'], target: string): Pick<Recorded, 'file' | 'key'> & { path: string } {
  const [pathname = ''] = target.split('?', 1);
  const owner = finders.find(({ namespace }) => pathname.startsWith(`/${namespace}/`));
  if (!owner) return { file: 'gateway/examples.json', key: `${method} ${pathname}`, path: target };
  const below = owner.namespace.length + 1;
  const row = owner.find(pathname.slice(below))?.place.byMethod.get(method);
  if (!row) throw new Error(`${method} ${pathname} is no route.`);
  const key = exampleKey(row.methods, documentPath(row.path));
  return { file: owner.file, key, path: target.slice(below) };
}

type Credentials = Readonly<Record<'administrator' | 'helper', string>>;

const isConsole = (target: string): boolean => target.startsWith(`${CONSOLE_API}/`);

async function ask(
  stack: TestStack,
  step: Step,
  target: string,
  authorization: string | undefined,
  body: Step['body'],
): Promise<{ status: number; text: string }> {
  const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
  const isForm = step.form ?? step.file !== undefined;
  const form = new FormData();
  if (isForm) for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  if (step.file !== undefined)
    form.set(step.file, new Blob([await picture()], { type: 'image/png' }), 'harbour.png');
  if (body && !isForm) headers['Content-Type'] = 'application/json';
  const answer = await fetch(`${stack.url}${isConsole(target) ? '' : '/rest'}${target}`, {
    method: step.method,
    headers,
    body: isForm ? form : body && JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

function credentialsOf({ as }: Step, who: Credentials, known: Known): string | undefined {
  if (as === 'visitor') return undefined;
  return as === 'session' ? `Bearer ${String(of('token', known))}` : who[as ?? 'administrator'];
}

/** What is no JSON is shown as text. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function run(stack: TestStack, { service, sql }: NonNullable<Step['after']>): Promise<void> {
  const log = createLog('examples', 'test', 'silent');
  const url = stack.run().databases[service] as string;
  const db = openDatabase({ url, size: 1, application: 'examples', log });
  await db.run(sql).finally(() => db.close());
}

/** Asks until the answer is what it waits for. */
async function exchange(stack: TestStack, step: Step, who: Credentials, known: Known): Promise<Recorded> {
  if (step.after) await run(stack, step.after);
  const target = filled(step.path, known);
  const body = step.body && (JSON.parse(filled(JSON.stringify(step.body), known)) as Step['body']);
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    const { status, text } = await ask(stack, step, target, credentialsOf(step, who, known), body);
    const isThere = step.awaits === undefined ? status < 300 : text.includes(step.awaits);
    if (!isThere && step.awaits !== undefined && Date.now() < end) continue;
    if (!isThere)
      throw new Error(`${step.method} ${target} was answered with ${status}: ${text.slice(0, 500)}`);
    const answer = read(text);
    for (const [name, where] of Object.entries(step.keep ?? {})) known.set(name, at(answer, where));
    const { file, key, path: below } = placeOf(step.method, target);
    const sent = body && {
      type: (step.form ?? step.file) ? 'multipart/form-data' : 'application/json',
      body: step.file === undefined ? body : { [step.file]: 'harbour.png', ...body },
    };
    return {
      file,
      key,
      example: { method: step.method, path: below, ...(sent && { sent }), status, answer },
    };
  }
}

const at = (value: unknown, where: string): unknown =>
  where
    .split('.')
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], value);

/** Types and names, without what differs from one run to the next. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(formOf(one))))].sort();
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.entries(value).map(([name, inner]) => [name.replace(/\d+/g, '0'), formOf(inner)]);
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const isSame = (a: Example, b: Example): boolean => {
  const text = ({ path: below, sent, status, answer }: Example): string =>
    JSON.stringify([below.replace(UUID, '0').replace(/\d+/g, '0'), formOf(sent), status, formOf(answer)]);
  return text(a) === text(b);
};

function write(name: string, recorded: readonly Recorded[]): void {
  const file = path.join(root, name);
  const before: Examples =
    existsSync(file) && !all ? (JSON.parse(readFileSync(file, 'utf8')) as Examples) : {};
  const made: Record<string, Example> = {};
  for (const { key, example } of recorded) {
    const old = before[key];
    made[key] ??= old && isSame(old, example) ? old : example;
  }
  writeFileSync(file, `${JSON.stringify(made, null, 1)}\n`);
  console.log(`${name}: ${Object.keys(made).length}`);
}

/** A second administrator, who may be deleted by himself. */
async function makeHelper(stack: TestStack): Promise<string> {
  const run = async (...args: readonly string[]): Promise<string> => {
    const env = { ...process.env, DATA_DIR: stack.dataDir };
    const cli = path.join(root, 'deploy/cli.mjs');
    return (await promisify(execFile)(process.execPath, [cli, ...args], { env })).stdout;
  };
  await run('users', 'create', 'helper', '--email', 'helper@example.org', '--role', 'administrator');
  const { password } = JSON.parse(
    await run('app-passwords', 'create', 'helper', '--name', 'examples', '--json'),
  ) as { password: string };
  return `Basic ${Buffer.from(`helper:${password}`).toString('base64')}`;
}

async function main(): Promise<void> {
  const stack = await startTestStack(SITE);
  try {
    const who = { administrator: stack.administrator, helper: await makeHelper(stack) };
    const known: Known = new Map();
    const recorded: Recorded[] = [];
    for (const step of [...core, ...calendar, ...indexes, ...beside])
      recorded.push(await exchange(stack, step, who, known));
    for (const name of new Set(recorded.map(({ file }) => file)))
      write(
        name,
        recorded.filter(({ file }) => file === name),
      );
  } finally {
    await stack.stop();
  }
}

main().catch((error: unknown) => {
  console.error((error as Error).message);
  process.exitCode = 1;
});
