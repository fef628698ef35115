/**
 * The content service for the command line: straight on its database, by the rules of the routes, without serving
 * anything. The caller closes it; printing is the caller's business.
 */
import { readConfig } from '@sevenfold/chassis/config';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { createLog } from '@sevenfold/chassis/log';
import { type Config, variables } from './config';
import type { Deps } from './deps';
import { contentService } from './service';

/** Bulk writes and the rebuilding of an index take their time. */
const LONGEST_STATEMENT_MS = 60 * 60_000;

export interface Opened {
  readonly deps: Deps;
  close(): Promise<void>;
}

/** `env` names the variables of the content service, DATABASE_URL among them. */
export async function openContent(env: Record<string, string | undefined>): Promise<Opened> {
  const config: Config = readConfig(variables, { LOG_LEVEL: 'error', ...env });
  const log = createLog('cli', 'cli', config.LOG_LEVEL);
  const db = openDatabase({
    url: config.DATABASE_URL,
    size: 4,
    application: 'cli',
    log,
    statementTimeoutMs: LONGEST_STATEMENT_MS,
  });
  const deps = await contentService.open({ config, log, db, root: `${config.SITE_URL}/rest` });
  return {
    deps,
    close: async () => {
      await contentService.close?.(deps);
      await db.close();
    },
  };
}
