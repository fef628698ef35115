/**
 * `npm start`: starts the whole site on this machine, prints how to reach it, and stops it on Ctrl-C.
 * With --watch (`npm run dev`) it also recompiles changed sources and restarts what uses them.
 * Exit codes: 0 stopped as asked, 1 could not start, 2 wrong settings or arguments.
 */
import { ConfigError } from '@sevenfold/chassis/config';
import { describeVariables, readSettings, type StackSettings } from './settings';
import { startStack, type Stack } from './stack';
import { watchSources } from './watch';

const USAGE = `Usage: npm start | npm run dev | node deploy/local/dist/main.js [--watch] [--help]

Environment variables:
${describeVariables()}`;

/** npm passes the terminal's Ctrl-C on although we got it ourselves: a second one so soon is the same one. */
const SAME_PRESS = 500;

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    say(USAGE);
    return;
  }
  const unknown = args.filter((arg) => arg !== '--watch');
  if (unknown.length > 0) throw new UsageError(`Unknown argument ${unknown[0]}.\n\n${USAGE}`);
  const settings: StackSettings = readSettings(process.env);

  const isWatching = args.includes('--watch');
  let stack: Stack | undefined;
  const abort = new AbortController();
  const stopped = new Promise<void>((resolve) => onStopSignal(abort, () => stack?.kill(), resolve));
  try {
    stack = await startStack({ settings, env: process.env, say, isWatching, signal: abort.signal });
  } catch (error) {
    if (abort.signal.aborted) process.exit(0);
    throw error;
  }
  const watcher = isWatching ? watchSources({ restart: stack.restart, say }) : undefined;
  for (const line of stack.credentials) say(line);
  say(`ready ${stack.url}`);

  await stopped;
  watcher?.close();
  await stack.stop();
  process.exit(0);
}

function onStopSignal(abort: AbortController, kill: () => void, resolve: () => void): void {
  let first: number | undefined;
  const receive = (): void => {
    if (first === undefined) {
      first = Date.now();
      say('stopping (once more to force)');
      abort.abort(new Error('stopped'));
      resolve();
    } else if (Date.now() - first > SAME_PRESS) {
      kill();
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive);
  // npm does not pass on that it was killed, and a shell between npm and us does not pass on signals.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent && first === undefined) receive();
    }, 1_000).unref();
  }
}

class UsageError extends Error {}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

// A reader that went away (`npm start | head`) is no reason to stop serving.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigError || error instanceof UsageError ? 2 : 1);
});
