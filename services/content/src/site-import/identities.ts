/** Which object here stands for which object of the other site, and the numbers that objects keep. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { claim, isKeepable, isTaken } from '@sevenfold/publishing/kept-ids';
import { type ImportCall, DEADLINE_MS } from './call';
import { numberOf } from './survey';

/** `post` is everything that shares one space of numbers: posts, pages, files, and things of the calendar. */
export type Kind = 'post' | 'comment';

export async function findImported(
  db: Db,
  site: string,
  kind: Kind,
  foreignId: string,
): Promise<number | undefined> {
  const row = await db.first<{ id: number }>(
    'select id from imported_objects where site = $1 and kind = $2 and foreign_id = $3',
    [site, kind, foreignId],
  );
  return row?.id;
}

/** The same, and nobody else makes it until the transaction ends. */
export async function lockImported(
  tx: Db,
  site: string,
  kind: Kind,
  foreignId: string,
): Promise<number | undefined> {
  await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 6))', [`${site}#${kind}#${foreignId}`]);
  return findImported(tx, site, kind, foreignId);
}

export async function noteImported(
  tx: Db,
  site: string,
  kind: Kind,
  foreignId: string,
  id: number,
  address = '',
): Promise<void> {
  await tx.run(
    `insert into imported_objects (site, kind, foreign_id, id, address) values ($1, $2, $3, $4, $5)
     on conflict (site, kind, foreign_id) do update set id = excluded.id, address = excluded.address`,
    [site, kind, foreignId, id, address],
  );
}

/** Numbers of this service: posts, pages, files and revisions. */
export const ids = { sequence: 'object_ids', tables: ['posts', 'revisions'] } as const;

const holderOf = ({ site }: ImportCall, foreignId: string): string => `${site}#${foreignId}`;

/**
 * The number that an object of this service may keep; undefined where it is not free. Even ones belong to the calendar, which
 * is asked before the transaction: what it gives away stays given away to this very object.
 */
export async function claimEven(call: ImportCall, foreignId: string): Promise<number | undefined> {
  const id = numberOf(foreignId);
  if (!isKeepable(id) || id % 2 !== 0 || !call.calendar) return undefined;
  const { granted } = await call.calendar.claimIds(
    { claims: [{ id, holder: holderOf(call, foreignId) }] },
    { deadlineMs: DEADLINE_MS },
  );
  return granted.includes(id) ? id : undefined;
}

/** Odd ones are this service's to give away, to its own objects and to those of the calendar. */
export async function claimOdd(tx: Db, call: ImportCall, foreignId: string): Promise<number | undefined> {
  const id = numberOf(foreignId);
  if (!isKeepable(id) || id % 2 === 0) return undefined;
  const granted = await claim(tx, ids, [{ id, holder: holderOf(call, foreignId) }]);
  return granted.includes(id) ? id : undefined;
}

/** In the transaction that makes the object; `even` is what claimEven answered. */
export async function keptId(
  tx: Db,
  call: ImportCall,
  foreignId: string,
  even: number | undefined,
): Promise<number | undefined> {
  const id = even ?? (await claimOdd(tx, call, foreignId));
  return id !== undefined && !(await isTaken(tx, ids.tables, id)) ? id : undefined;
}
