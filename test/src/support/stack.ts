/**
 * A whole stack for tests and benchmarks: real processes, in a folder of its own and on a free port, stopped and
 * removed at the end. What it says goes nowhere unless it fails.
 */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@sevenfold/chassis/ports';
import { NO_LIMITS } from '@sevenfold/gateway/limits/testing';
import { readSettings } from '@sevenfold/local/settings';
import type { RunFile } from '@sevenfold/local/run-file';
import { type Stack, startStack } from '@sevenfold/local/stack';
import { newFolder } from '@sevenfold/local/testing';

export interface TestStack {
  readonly url: string;
  /** `Authorization` of the administrator. */
  readonly administrator: string;
  readonly dataDir: string;
  /** Addresses and process ids as of now. */
  run(): RunFile;
  readonly stack: Stack;
  /** What the stack said so far: which process started, ended and came back. */
  readonly said: readonly string[];
  /** Stops a process where it stands, as it is; what is given back lets it go on. */
  freeze(name: string): () => void;
  stop(): Promise<void>;
}

const ADMIN = {
  username: 'admin',
  password: 'password-of-tests',
  application: 'application password of tests',
};

const unlimited = Object.fromEntries(Object.entries(NO_LIMITS).map(([name, most]) => [name, String(most)]));

export async function startTestStack(
  env: Record<string, string> = {},
  durable = false,
  dataDir = newFolder(tmpdir(), 'sevenfold-'),
): Promise<TestStack> {
  const lines: string[] = [];
  const settings = readSettings({
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    ADMIN_APPLICATION_PASSWORD: ADMIN.application,
    LOG_LEVEL: 'warn',
    SAMPLES: 'off',
    ...env,
  });
  try {
    const stack = await startStack({
      settings,
      env: { ...process.env, ...unlimited, ...env },
      say: (line) => lines.push(line),
      durable,
    });
    const run = (): RunFile => JSON.parse(readFileSync(path.join(dataDir, 'run.json'), 'utf8')) as RunFile;
    return {
      url: stack.url,
      administrator: `Basic ${Buffer.from(`${ADMIN.username}:${ADMIN.application}`).toString('base64')}`,
      dataDir,
      stack,
      said: lines,
      run,
      freeze: (name) => {
        const pid = run().processes[name];
        if (pid === undefined) throw new Error(`${name} does not run`);
        process.kill(pid, 'SIGSTOP');
        return () => void process.kill(pid, 'SIGCONT');
      },
      stop: async () => {
        await stack.stop();
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw new Error(`${(error as Error).message}\n${lines.join('\n')}`, { cause: error });
  }
}
