/** The command import-site as a process, on the services of a test file. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { CalendarSite } from '@sevenfold/calendar/testing/service';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';

const PROGRAM = path.resolve(__dirname, '../../../dist/cli/main.js');

export interface Ended {
  /** Null: killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startMovingIn(
  site: CalendarSite,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const { config } = site.content.deps;
  const child = spawn(process.execPath, [PROGRAM, 'import-site', ...args], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: '/nowhere',
      SITE_URL: config.SITE_URL,
      CONTENT_DATABASE_URL: config.DATABASE_URL,
      UPLOADS_DIR: config.UPLOADS_DIR,
      ACTOR_SECRET: TEST_ACTOR_SECRET,
      CONTENT_GRPC: `127.0.0.1:${site.content.service.grpcPort}`,
      CALENDAR_GRPC: `127.0.0.1:${site.service.grpcPort}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

export const moveIn = (site: CalendarSite, ...args: readonly string[]): Promise<Ended> =>
  startMovingIn(site, args).ended;
