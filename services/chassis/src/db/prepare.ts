/**
 * What a database needs before a process uses it: it answers, it is this site's, and its tables are those of this version.
 * A database that is away is waited for; what fails after that, such as a migration, is final.
 */
import { claimDatabase } from '../instance';
import type { Log } from '../log';
import { CHASSIS_MIGRATIONS, migrate } from './migrate';
import type { Database } from './sql';

export interface Preparation {
  readonly db: Database;
  /** Of the service, for people. */
  readonly name: string;
  readonly migrations: string;
  /** Past a pooler, which hands a session to another client between two statements: migrations hold a lock of theirs. */
  readonly directUrl: string;
  readonly instanceId?: string;
  readonly log: Log;
  /** What the process is not ready for; said while the database is away. */
  readonly missing?: Set<string>;
  readonly stopped?: () => boolean;
}

export async function prepareDatabase(options: Preparation): Promise<void> {
  const { db, name, migrations, directUrl, instanceId, log } = options;
  await awaitDatabase(options);
  if (instanceId) await db.transaction((tx) => claimDatabase(tx, instanceId, `The database of ${name}`));
  const applied = await migrate(db.pool, [CHASSIS_MIGRATIONS, migrations], directUrl);
  if (applied.length > 0) log.info({ applied }, 'migrated');
}

async function awaitDatabase({ db, log, missing, stopped }: Preparation): Promise<void> {
  const waiting = 'waiting for the database';
  let told = false;
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    try {
      await db.first('select 1');
      break;
    } catch (error) {
      if (stopped?.()) throw error;
      if (!told) log.warn({ err: error as Error }, waiting);
      told = true;
      missing?.add(waiting);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  missing?.delete(waiting);
}
