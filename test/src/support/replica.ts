/** A PostgreSQL server and one that follows it by streaming replication, whose replay can be held. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { until } from '@sevenfold/chassis/testing/until';
import { type PostgresServer, startPostgres } from '@sevenfold/local/postgres';

export interface Pair {
  readonly primary: PostgresServer;
  /** Address of a database of the primary on the replica. */
  replicaUrl(primaryUrl: string): string;
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Everything that was written until now has been replayed. */
  caughtUp(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Makes it a server of its own, with a history of its own. */
  promote(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = { synchronous_commit: 'on', wal_level: 'replica' };

async function ask<T extends object>(url: string, text: string): Promise<T | undefined> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows[0];
  } finally {
    await client.end();
  }
}

/** The server, which starts nothing more then, and what it has started, which would go on without it. */
function signal(pid: number, name: NodeJS.Signals): void {
  process.kill(pid, name);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const one of children)
    try {
      process.kill(Number(one), name);
    } catch (error) {
      // It was ending just then.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

export async function startPair(): Promise<Pair> {
  const dir = mkdtempSync(path.join(tmpdir(), 'sevenfold-pair-'));
  const place = (name: string): string => path.join(dir, name);
  const options = { durable: false, temporary: true, settings: SETTINGS };
  await (await startPostgres({ ...options, dir: place('primary') })).stop();
  cpSync(place('primary'), place('replica'), { recursive: true });
  const primary = await startPostgres({ ...options, dir: place('primary') });
  const { port, username, password } = new URL(primary.adminUrl);
  writeFileSync(path.join(place('replica'), 'data', 'standby.signal'), '');
  const start = (): Promise<PostgresServer> =>
    startPostgres({
      ...options,
      dir: place('replica'),
      settings: {
        ...SETTINGS,
        primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)}`,
        max_standby_streaming_delay: '1s',
      },
      port: replica?.port,
    });
  let replica: PostgresServer | undefined;
  replica = await start();
  const own = (): PostgresServer => replica as PostgresServer;
  return {
    primary,
    replicaUrl: (url) => {
      const parsed = new URL(url);
      parsed.port = String(own().port);
      return parsed.toString();
    },
    hold: async () => {
      await ask(own().adminUrl, 'select pg_wal_replay_pause()');
      await until(async () => {
        const row = await ask<{ state: string }>(
          own().adminUrl,
          'select pg_get_wal_replay_pause_state() as state',
        );
        return row?.state === 'paused';
      });
    },
    release: async () => void (await ask(own().adminUrl, 'select pg_wal_replay_resume()')),
    caughtUp: async () => {
      const end = await ask<{ at: string }>(primary.adminUrl, 'select pg_current_wal_lsn()::text as at');
      await until(async () => {
        const row = await ask<{ done: boolean }>(
          own().adminUrl,
          `select pg_last_wal_replay_lsn() >= '${end?.at}'::pg_lsn as done`,
        );
        return row?.done === true;
      });
    },
    freeze: () => signal(own().pid, 'SIGSTOP'),
    thaw: () => signal(own().pid, 'SIGCONT'),
    promote: async () => void (await ask(own().adminUrl, 'select pg_promote()')),
    kill: async () => {
      process.kill(own().pid, 'SIGKILL');
      await own().exited;
    },
    restart: async () => {
      replica = await start();
    },
    stop: async () => {
      await own().stop();
      await primary.stop();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
