/**
 * The settings in memory. Every process keeps a copy and drops it when PostgreSQL says that a commit changed them
 * (channel `settings`), or when the connection that would have said so was lost.
 */
import { type Listener, listen } from '@sevenfold/chassis/db/listen';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { Log } from '@sevenfold/chassis/log';
import { type SiteSettings, defaultSettings } from './values';

export interface SettingsCache {
  /** The settings as of the last commit that this process has heard of. */
  get(): Promise<SiteSettings>;
  /** Forgets the copy; a write calls it, so that the process that wrote sees its own change at once. */
  forget(): void;
  stop(): Promise<void>;
}

export const SETTINGS_CHANNEL = 'settings';

export interface SettingsCacheOptions {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly log: Log;
  /** Settings that configuration decides: the site's address, and the values of a new site. */
  readonly fixed: Partial<SiteSettings>;
  readonly initial: Partial<SiteSettings>;
}

export function openSettings(options: SettingsCacheOptions): SettingsCache {
  let copy: Promise<SiteSettings> | undefined;
  const forget = (): void => {
    copy = undefined;
  };
  const listener: Listener = listen({
    url: options.databaseUrl,
    channels: [SETTINGS_CHANNEL],
    log: options.log,
    onMessage: forget,
    onConnected: forget,
    onLost: forget,
  });
  return {
    get: () => {
      copy ??= readSettings(options.db, options.fixed, options.initial).catch((error: unknown) => {
        copy = undefined;
        throw error;
      });
      return copy;
    },
    forget,
    stop: () => listener.stop(),
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
