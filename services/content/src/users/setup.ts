/**
 * The first administrator of a site, and the application password that scripts of a fresh site use. Runs at every
 * start of every replica: one at a time, and without effect when all is as it should be.
 */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { ApiError } from '@sevenfold/chassis/errors';
import { within } from '../common/within';
import { announceChange } from './announce';
import * as passwords from './application-passwords';
import { createUser } from './commands';
import { hashSecret, hintOf, ungrouped, verifySecret } from './secrets';
import * as store from './store';

export interface Administrator {
  readonly username: string;
  readonly password: string;
  readonly email: string;
  /** Empty: none is made, and none is taken away. */
  readonly applicationPassword: string;
}

/** What lists call the application password that configuration decides; people may call theirs the same. */
const SETUP = 'setup';

/**
 * Creates the administrator on a site that has none. The application password goes only to the administrator of the
 * given user name: whoever else has that name by now does not get the key to the site from its configuration.
 */
export async function ensureAdministrator(db: Database, wanted: Administrator): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(`select pg_advisory_xact_lock(hashtext('content:administrator'))`);
    if (!(await store.hasAdministrator(tx))) await create(tx, wanted);
    const secret = ungrouped(wanted.applicationPassword);
    if (secret === '') return;
    const user = await store.findByLogin(tx, wanted.username);
    if (user?.roles.includes('administrator')) await ensureSetupPassword(tx, user.id, secret);
  });
}

async function create(tx: Db, { username, email, password }: Administrator): Promise<void> {
  try {
    await createUser({ db: within(tx) }, { username, email, password, roles: ['administrator'] });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const params = error.data.params ? ` ${JSON.stringify(error.data.params)}` : '';
    throw new Error(`The administrator of ADMIN_USERNAME cannot be created: ${error.message}${params}`, {
      cause: error,
    });
  }
}

/**
 * What somebody has revoked stays revoked, though the configuration of every later start still names it: processes start again
 * without anybody's doing. It is known by being the last one there was, as one whose place another took is not.
 */
async function ensureSetupPassword(tx: Db, userId: number, secret: string): Promise<void> {
  const existing = await tx.rows<{ id: string; hash: string }>(
    'select id, hash from application_passwords where user_id = $1 and is_configured and revoked_at is null order by created_at desc',
    [userId],
  );
  if (existing.length === 0 && (await wasRevoked(tx, userId, secret))) return;
  let kept: string | undefined;
  for (const row of existing) if (kept === undefined && (await verifySecret(row.hash, secret))) kept = row.id;
  const stale = existing.filter((row) => row.id !== kept).map((row) => row.id);
  if (stale.length > 0)
    await tx.run('update application_passwords set revoked_at = now() where id = any($1::uuid[])', [stale]);
  if (kept === undefined)
    await passwords.insert(tx, userId, SETUP, {
      hash: await hashSecret(secret),
      hint: hintOf(secret),
      isConfigured: true,
    });
  if (stale.length > 0) await announceChange(tx, userId);
}

async function wasRevoked(tx: Db, userId: number, secret: string): Promise<boolean> {
  const last = await tx.first<{ hash: string }>(
    'select hash from application_passwords where user_id = $1 and is_configured order by created_at desc limit 1',
    [userId],
  );
  return last !== undefined && (await verifySecret(last.hash, secret));
}
