/** Setting and removing the key, and what keeps the stored one readable and known. */
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Deps } from '../deps';
import { errors } from '../errors';
import * as store from './store';
import { isKey, verify } from './verify';

type KeyDeps = Pick<Deps, 'config' | 'db' | 'key' | 'log' | 'memory' | 'sealer'>;

const refuseFixed = ({ config }: KeyDeps): ApiError | undefined =>
  config.SPAM_KEY === '' ? undefined : errors.hardcodedKey();

/** Answers the key as it is kept. */
export async function setKey(deps: KeyDeps, text: string, signal?: AbortSignal): Promise<string> {
  const refused = refuseFixed(deps);
  if (refused) throw refused;
  const key = text.trim();
  if (!isKey(key)) throw errors.invalidKey();
  if (deps.sealer.secretId === undefined) throw errors.keyNotStorable();
  const verified = await verify(deps, key, signal);
  if (verified === 'invalid') throw errors.unknownKey();
  await deps.db.transaction((tx) => store.save(tx, { ...deps.sealer.seal(key), verified }));
  deps.memory.forget('key');
  return key;
}

export async function removeKey(deps: KeyDeps): Promise<void> {
  const refused = refuseFixed(deps);
  if (refused) throw refused;
  await deps.db.transaction(store.remove);
  deps.memory.forget('key');
}

export type Resealed = 'none' | 'lost' | 'as it was' | 'sealed anew';

/** Seals the key under the newest secret, so that older ones can be taken out of the configuration. */
export async function resealKey({ db, sealer }: Pick<Deps, 'db' | 'sealer'>): Promise<Resealed> {
  const row = await store.find(db);
  if (!row) return 'none';
  const key = sealer.open(row);
  if (key === undefined) return 'lost';
  if (row.secretId === sealer.secretId) return 'as it was';
  await db.transaction((tx) => store.replace(tx, row, { ...sealer.seal(key), verified: row.verified }));
  return 'sealed anew';
}

/** Asks the outside service again about a key of which this is known. No answer changes nothing. */
export async function verifyAgain(deps: KeyDeps, known: readonly store.Verified[]): Promise<void> {
  if (deps.config.SPAM_VERIFY_URL === '' || deps.config.SPAM_KEY !== '') return;
  const row = await store.find(deps.db);
  const key = row && known.includes(row.verified) ? deps.sealer.open(row) : undefined;
  if (!row || key === undefined) return;
  const verified = await verify(deps, key);
  if (verified !== 'unasked') await note(deps, row, verified);
}

/** What an answer to something else says of the key that it was asked with. */
export async function noteHeard(deps: KeyDeps, key: string, verified: store.Verified): Promise<void> {
  const row = await store.find(deps.db);
  if (row && deps.sealer.open(row) === key) await note(deps, row, verified);
}

async function note(deps: KeyDeps, row: store.KeyRow, verified: store.Verified): Promise<void> {
  if (verified === row.verified) return;
  await deps.db.transaction((tx) => store.replace(tx, row, { ...row, verified }));
  deps.memory.forget('key');
  if (verified === 'invalid') deps.log.info('the outside service does not know the key that was set');
}
