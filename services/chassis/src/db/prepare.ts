/**
 * What a database needs before a process uses it: it answers, it is this site's, and its tables are those of this version.
 * A database that is away, or goes away meanwhile, is waited for; whatever else fails, such as a migration, is final.
 */
import { isOutageStatus, toApiError } from '../errors';
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

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export async function prepareDatabase(options: Preparation): Promise<void> {
  const { db, log, missing, stopped } = options;
  const waiting = 'waiting for the database';
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    let answers = false;
    try {
      await db.first('select 1');
      answers = true;
      await prepare(options);
      break;
    } catch (error) {
      if (stopped?.() || (answers && !isOutageStatus(toApiError(error).status))) throw error;
      if (pause === FIRST_PAUSE_MS) log.warn({ err: error as Error }, waiting);
      missing?.add(waiting);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  missing?.delete(waiting);
}

async function prepare({ db, name, migrations, directUrl, instanceId, log }: Preparation): Promise<void> {
  if (instanceId) await db.transaction((tx) => claimDatabase(tx, instanceId, `The database of ${name}`));
  const applied = await migrate(db.pool, [CHASSIS_MIGRATIONS, migrations], directUrl);
  if (applied.length > 0) log.info({ applied }, 'migrated');
}
