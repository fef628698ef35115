/** The settings in memory. Every process keeps a copy and drops it when PostgreSQL says that a commit changed them. */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { ContentMemory } from '../memory';
import { type SiteSettings, defaultSettings } from './values';

export interface SettingsCache {
  /** The settings as of the last commit that this process has heard of. */
  get(): Promise<SiteSettings>;
  /**
   * For whoever holds a connection: as the transaction sees them, through it. Who waits with one in hand for what another one brings
   * may wait for himself.
   */
  within(tx: Db): Promise<SiteSettings>;
}

export interface SettingsCacheOptions {
  readonly db: Database;
  readonly memory: ContentMemory;
  /** Settings that configuration decides: the site's address, and the values of a new site. */
  readonly fixed: Partial<SiteSettings>;
  readonly initial: Partial<SiteSettings>;
}

export function openSettings({ db, memory, fixed, initial }: SettingsCacheOptions): SettingsCache {
  const copy = memory.cache<SiteSettings>(['settings'], { lifetimeMs: 60_000, most: 1 });
  return {
    get: () => copy.get('', () => readSettings(db, fixed, initial)),
    within: (tx) => readSettings(tx, fixed, initial),
  };
}

async function readSettings(
  db: Db,
  fixed: Partial<SiteSettings>,
  initial: Partial<SiteSettings>,
): Promise<SiteSettings> {
  const rows = await db.rows<{ name: string; value: unknown }>('select name, value from settings');
  return {
    ...defaultSettings,
    ...initial,
    ...Object.fromEntries(rows.map((row) => [row.name, row.value])),
    ...fixed,
  } as SiteSettings;
}
