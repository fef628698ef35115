/** What the handlers, jobs and remote calls of the spamfilter service work with. */
import type { Database } from '@sevenfold/chassis/db/sql';
import type { Log } from '@sevenfold/chassis/log';
import type { BlockedCache } from './blocked/cache';
import type { Config } from './config';
import type { KeyCache } from './keys/current';
import type { Sealer } from '@sevenfold/chassis/seal';
import type { SpamMemory } from './memory';
import type { Outside } from './outside/ask';
import type { SettingsCache } from './settings/read';

export interface Deps {
  readonly db: Database;
  readonly config: Config;
  readonly log: Log;
  /** `<SITE_URL>/rest`: what links of this interface start with. */
  readonly root: string;
  readonly memory: SpamMemory;
  readonly settings: SettingsCache;
  readonly key: KeyCache;
  readonly sealer: Sealer;
  readonly blocked: BlockedCache;
  readonly outside: Outside;
}
