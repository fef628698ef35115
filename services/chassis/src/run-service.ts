/** The entry of a service's main.ts: reads the environment, starts or migrates, and stops when it is asked to. */
import './short-lived';
import './stacks';
import './navigator';
import { giveBackWhenCalm } from './calm';
import { type ConfigOf, type Variables, ConfigError, readConfig } from './config';
import { databaseVariables, serviceVariables } from './variables';
import { openDatabase } from './db/pool';
import { prepareDatabase } from './db/prepare';
import { createLog } from './log';
import { beginStart } from './outages';
import { stopOnSignal } from './stop';
import type { ServiceConfig, ServiceDefinition, RunningService } from './service-definition';
import { startService, directUrlOf } from './service';

/** All that ROLE=migrate reads: whoever prepares databases is to know nothing else of a site. */
const migrationVariables = {
  ROLE: serviceVariables.ROLE,
  LOG_LEVEL: serviceVariables.LOG_LEVEL,
  ...databaseVariables,
};

/** Prepares the database for this version and ends: safe beside processes of the version before, and twice at once. */
async function migrateService(
  { name, migrations }: Pick<ServiceDefinition<never>, 'name' | 'migrations'>,
  env: Record<string, string | undefined>,
): Promise<void> {
  if (!migrations) return;
  const config = readConfig(migrationVariables, env);
  const log = createLog(name, config.ROLE, config.LOG_LEVEL);
  const directUrl = directUrlOf(config);
  const db = openDatabase({ url: directUrl, size: 1, application: `${name}-migrate`, log });
  try {
    await prepareDatabase({ db, name, migrations, directUrl, instanceId: config.INSTANCE_ID, log });
  } finally {
    await db.close();
  }
  log.info('the database is ready');
}

/** Entry of a service's main.ts: reads the environment, starts, and stops on SIGTERM, SIGINT or when the parent is gone. */
export async function runService<D, const V extends Variables>(
  definition: ServiceDefinition<D, ConfigOf<V> & ServiceConfig>,
  variables: V,
  env: Record<string, string | undefined>,
): Promise<void> {
  let service: RunningService<D>;
  beginStart();
  try {
    if (env.ROLE === 'migrate') return await migrateService(definition, env);
    const config = readConfig(variables, env) as ConfigOf<V> & ServiceConfig;
    service = await startService(definition, config);
    giveBackWhenCalm();
  } catch (error) {
    console.error(`${definition.name}: ${(error as Error).message}`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
  stopOnSignal(() => service.stop());
  await service.ready.catch(() => process.exit(1));
}
