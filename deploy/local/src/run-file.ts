/** The file by which tools and tests on this machine find a stack that runs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseService } from './databases';
import { identityOf } from './leftovers';

/** What `DATA_DIR/run.json` holds while the stack runs, for tools and tests on the same machine. */
export interface RunFile {
  readonly pid: number;
  /** Tells this process from a later one with the same id. */
  readonly identity: string;
  /** Of the software that runs. */
  readonly version: string;
  readonly node: string;
  readonly gateway: string;
  readonly siteUrl: string;
  /** Of a new site; those before 0.2.0 did not say it. */
  readonly timezone?: string;
  readonly redis: string;
  readonly redisPrefix: string;
  readonly databases: Partial<Record<DatabaseService, string>>;
  readonly services: Record<string, { readonly http: string; readonly grpc?: string }>;
  /** The ids of the processes by name, PostgreSQL and Redis included when they are ours. */
  readonly processes: Record<string, number>;
  readonly secretsFile: string;
  readonly uploadsDir: string;
  /** Each service that keeps files has a folder of its name in it. */
  readonly filesDir: string;
  readonly logsDir: string;
  /** Of files that are in none of the folders. */
  readonly buckets: readonly string[];
}

/** There is none to work on, now: it may be about to start again. */
export class NotRunning extends Error {}

/** The stack that runs from the folder. Throws while it starts: then its file does not say yet where everything is. */
export function findRunning(dataDir: string): RunFile | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(dataDir, 'run.json'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const run = parseRunFile(text);
  const identity = run?.pid === undefined ? undefined : identityOf(run.pid);
  if (!run || identity === undefined || identity !== run.identity) return undefined;
  // A claim alone has no more than the process.
  if (!('databases' in run))
    throw new NotRunning(`Process ${run.pid} is at work on ${dataDir}. Try again when it is done.`);
  // The cast trusts the file.
  return run as RunFile;
}

/** Undefined where a machine that lost its power left an empty file, or half of one: whoever wrote it is gone. */
export function parseRunFile(text: string): Partial<RunFile> | undefined {
  try {
    return JSON.parse(text) as Partial<RunFile>;
  } catch {
    return undefined;
  }
}
