/** What the handlers, jobs and remote calls of the seo service work with. */
import type { Database } from '@sevenfold/chassis/db/sql';
import type { Log } from '@sevenfold/chassis/log';
import type { Config } from './config';
import type { Surroundings } from './checks/look';
import type { SeoMemory } from './memory';
import type { SettingsCache } from './settings/read';
import type { Owners } from './sources/clients';

export interface Deps {
  readonly db: Database;
  readonly config: Config;
  readonly log: Log;
  /** `<SITE_URL>/rest`: what links of this interface start with. */
  readonly root: string;
  readonly siteUrl: string;
  /** What a look at the public address may reach. */
  readonly outside: Surroundings;
  readonly memory: SeoMemory;
  readonly settings: SettingsCache;
  /** Those whose things are indexed. */
  readonly owners: Owners;
}
