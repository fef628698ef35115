/** The one row of the key, as it is kept: sealed. A write tells every process (keys/current.ts listens). */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Sealed } from '@sevenfold/chassis/seal';

/** What the outside service says of the key. */
export type Verified = 'unasked' | 'valid' | 'invalid';

export interface KeyRow extends Sealed {
  readonly verified: Verified;
}

export const find = (db: Db): Promise<KeyRow | undefined> =>
  db.first<KeyRow>('select secret_id as "secretId", nonce, sealed, verified from site_key');

export async function save(tx: Db, { secretId, nonce, sealed, verified }: KeyRow): Promise<void> {
  await tx.run(
    `insert into site_key (secret_id, nonce, sealed, verified) values ($1, $2, $3, $4)
     on conflict (only_one) do update set secret_id = excluded.secret_id, nonce = excluded.nonce,
       sealed = excluded.sealed, verified = excluded.verified, set_at = now()`,
    [secretId, nonce, sealed, verified],
  );
  await tell(tx);
}

/** Only where nobody has set another one meanwhile. */
export async function replace(tx: Db, old: KeyRow, row: KeyRow): Promise<void> {
  await tx.run(
    'update site_key set secret_id = $2, nonce = $3, sealed = $4, verified = $5 where nonce = $1',
    [old.nonce, row.secretId, row.nonce, row.sealed, row.verified],
  );
  await tell(tx);
}

export async function remove(tx: Db): Promise<void> {
  await tx.run('delete from site_key');
  await tell(tx);
}

const tell = (tx: Db): Promise<unknown> => tx.first(`select pg_notify('key', '')`);
