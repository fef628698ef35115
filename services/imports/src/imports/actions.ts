/** Registering, mending and resuming imports: what the remote calls, the command line and the callbacks have in common. */
import { randomBytes } from 'node:crypto';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import * as batches from '../batches/store';
import { queueAgain } from '../batches/queue';
import { variables } from '../config';
import { errors } from '../errors';
import * as store from './store';

export const LONGEST_IMPORT_ID = 128;

/** 32 hexadecimal digits that nobody can guess. */
export const newHash = (): string => randomBytes(16).toString('hex');

export interface Registration {
  readonly importId?: string;
  readonly origin?: string;
  readonly defaultStatus?: string;
  readonly owner?: number;
  /** overwrite, leave, fill */
  readonly authority?: string;
  readonly interval?: number;
}

export interface Registered {
  readonly importId: string;
  readonly batchHash: string;
}

// Statuses that an imported event may start with: what people may write on posts, without the scheduled ones.
const STATUSES = ['publish', 'draft', 'pending', 'private', 'calendar-ea-pending', 'calendar-ea-draft'];

/** The words of a registration, checked and with defaults. */
export function checked(
  wanted: Registration,
): Pick<store.NewImport, 'importId' | 'origin' | 'defaultStatus' | 'owner' | 'authority'> {
  const { importId = '', origin = '', defaultStatus = '', owner = 0 } = wanted;
  const authority = store.AUTHORITIES.find((word) => word === (wanted.authority || 'overwrite'));
  if (importId !== '' && (!/^\w+$/.test(importId) || importId.length > LONGEST_IMPORT_ID))
    throw invalidParam(
      'import_id',
      `import_id is 1 to ${LONGEST_IMPORT_ID} letters, digits and underscores.`,
    );
  if (origin !== '' && !/^[\w-]{1,50}$/.test(origin))
    throw invalidParam('origin', 'origin is a word such as ics, ical, gcal, url or csv.');
  if (defaultStatus !== '' && !STATUSES.includes(defaultStatus))
    throw invalidParam('default_status', `default_status is one of ${STATUSES.join(', ')}.`);
  if (!authority) throw invalidParam('authority', `authority is one of ${store.AUTHORITIES.join(', ')}.`);
  return {
    authority,
    importId: importId || `imp_${randomBytes(8).toString('hex')}`,
    origin: origin || 'ics',
    defaultStatus: defaultStatus || 'publish',
    owner,
  };
}

export async function register(db: Db, wanted: Registration): Promise<Registered> {
  const row = {
    ...checked(wanted),
    interval: wanted.interval ?? variables.IMPORT_INTERVAL.default,
    expectedHash: newHash(),
  };
  if (!(await store.insert(db, row))) throw errors.importExists();
  return { importId: row.importId, batchHash: row.expectedHash };
}

export function retryBatch(db: Database, importId: string, number: number): Promise<store.ImportRow> {
  return db.transaction(async (tx) => {
    const row = await store.lock(tx, importId);
    if (!row) throw errors.importNotFound();
    if (row.work !== 'blocked' || !(await batches.unfail(tx, row.id, number))) throw errors.batchNotFailed();
    await queueAgain(tx, row.id);
    await store.notify(tx, row.id);
    return (await store.find(tx, importId)) as store.ImportRow;
  });
}

/** A stalled import keeps its hash, so that a sender who comes back by itself is not turned away. */
export function resume(db: Database, importId: string): Promise<Registered> {
  return db.transaction(async (tx) => {
    const row = await store.lock(tx, importId);
    if (!row) throw errors.importNotFound();
    if (row.state !== 'stalled' && row.state !== 'failed') throw errors.notResumable(row.state);
    const batchHash = row.expectedHash ?? newHash();
    await store.reopen(tx, row.id, batchHash);
    await store.notify(tx, row.id);
    return { importId, batchHash };
  });
}

/**
 * Another hash for an import that waits for a batch: the one before came into wrong hands. It opens nothing any more, neither the
 * progress nor the next batch; all else stays as it is, and the sender must be told the new one.
 */
export function renewHash(db: Database, importId: string): Promise<Registered> {
  return db.transaction(async (tx) => {
    const row = await store.lock(tx, importId);
    if (!row) throw errors.importNotFound();
    if (row.expectedHash === null) throw errors.notWaiting();
    const batchHash = newHash();
    await store.expect(tx, row.id, batchHash);
    return { importId, batchHash };
  });
}
