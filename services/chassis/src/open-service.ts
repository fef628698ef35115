/**
 * A service without serving: its dependencies on its own database, for the command line. The rules of the routes hold
 * there too, since the same actions run. The caller closes it.
 */
import { type ConfigOf, type Variables, readConfig } from './config';
import { openListener } from './db/listen';
import { openDatabase } from './db/pool';
import { apartOf } from './db/shares';
import { dialer } from './grpc/dial';
import { createLog } from './log';
import { standardError } from './log-destination';
import { readGrpcTls } from './tls';
import { directUrlOf } from './service';
import type { ServiceConfig, ServiceDefinition } from './service-definition';

/** Bulk writes and the rebuilding of an index take their time. */
const LONGEST_STATEMENT_MS = 60 * 60_000;

/** A command tells by itself what it failed of; LOG_LEVEL asks for the lines of the service as well. */
const QUIET = 'fatal';

/** With the listening one; a few of them fit beside a whole site. */
const CONNECTIONS = 3;

export interface OpenService<D> {
  readonly deps: D;
  close(): Promise<void>;
}

/** `env` names the variables of the service, DATABASE_URL among them. Throws ConfigError with all faults. */
export async function openService<D, const V extends Variables>(
  definition: ServiceDefinition<D, ConfigOf<V> & ServiceConfig>,
  variables: V,
  env: Record<string, string | undefined>,
): Promise<OpenService<D>> {
  const config = readConfig(variables, { LOG_LEVEL: QUIET, ...env }) as ConfigOf<V> & ServiceConfig;
  const log = createLog(definition.name, 'cli', config.LOG_LEVEL, standardError());
  const url = config.DATABASE_URL as string;
  const application = `${definition.name}-cli`;
  const db = openDatabase({
    url,
    size: CONNECTIONS - 1,
    application,
    log,
    statementTimeoutMs: LONGEST_STATEMENT_MS,
  });
  const dial = dialer({ caller: 'cli', actorSecret: config.ACTOR_SECRET, tls: readGrpcTls(config) });
  const listener = openListener({ url: directUrlOf(config), application, log });
  const apart = apartOf({ url, application, log, db, shares: { apart: {} } });
  const root = `${config.SITE_URL}/rest`;
  const deps = await definition.open({ config, log, db, listener, apart, root, dial });
  return {
    deps,
    close: async () => {
      await definition.close?.(deps);
      await listener.stop();
      await db.close();
    },
  };
}
