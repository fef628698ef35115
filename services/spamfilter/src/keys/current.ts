/** The key in clear, for those who use it. It is in no log and in no error. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Config } from '../config';
import type { SpamMemory } from '../memory';
import type { Sealer } from '@sevenfold/chassis/seal';
import * as store from './store';

/**
 * none: there is none. fixed: it stands in the configuration. stored: it was set over the interface. lost: it was, but no
 * secret that is configured opens it any more.
 */
export type KeyState =
  | { readonly state: 'none' }
  | { readonly state: 'lost' }
  | { readonly state: 'fixed'; readonly key: string }
  | { readonly state: 'stored'; readonly key: string; readonly verified: store.Verified };

export type KeyCache = () => Promise<KeyState>;

export function openKey(
  db: Db,
  memory: SpamMemory,
  sealer: Sealer,
  { SPAM_KEY: fixed }: Pick<Config, 'SPAM_KEY'>,
): KeyCache {
  const copy = memory.cache<KeyState>(['key'], { lifetimeMs: 60_000, most: 1 });
  return () =>
    fixed !== '' ? Promise.resolve({ state: 'fixed', key: fixed }) : copy.get('', () => load(db, sealer));
}

async function load(db: Db, sealer: Sealer): Promise<KeyState> {
  const row = await store.find(db);
  if (!row) return { state: 'none' };
  const key = sealer.open(row);
  return key === undefined ? { state: 'lost' } : { state: 'stored', key, verified: row.verified };
}

/** Undefined where there is none that can be used. */
export async function current(deps: { readonly key: KeyCache }): Promise<string | undefined> {
  const found = await deps.key();
  return 'key' in found ? found.key : undefined;
}
