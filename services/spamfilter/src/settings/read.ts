/** The settings in memory. Every process keeps a copy and drops it when PostgreSQL says that a commit changed them. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Config } from '../config';
import type { SpamMemory } from '../memory';
import * as store from './store';

export interface SpamSettings {
  /** Blatant spam is refused at once. */
  readonly strictness: boolean;
  readonly showUserCommentsApproved: boolean;
  /** How many days the spam folders keep what is in them. */
  readonly keepDays: number;
}

export type SettingsCache = () => Promise<SpamSettings>;

export function openSettings(
  db: Db,
  memory: SpamMemory,
  { SPAM_KEEP_DAYS: keepDays }: Pick<Config, 'SPAM_KEEP_DAYS'>,
): SettingsCache {
  const copy = memory.cache<SpamSettings>(['settings'], { lifetimeMs: 60_000, most: 1 });
  return () =>
    copy.get('', async () => {
      const saved = await store.read(db);
      return {
        strictness: saved.spamfilter_strictness,
        showUserCommentsApproved: saved.spamfilter_show_user_comments_approved,
        keepDays,
      };
    });
}

/** As of the last commit that this process has heard of. */
export const read = (deps: { readonly settings: SettingsCache }): Promise<SpamSettings> => deps.settings();
