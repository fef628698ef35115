/** Which object here stands for which object of the other site, and the numbers that objects keep. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { claim, isKeepable, isTaken } from '@sevenfold/publishing/kept-ids';
import { withoutWww } from '@sevenfold/text/site-host';
import { trimEnd } from '@sevenfold/text/trim';
import { type ImportCall, DEADLINE_MS } from './call';
import { numberOf } from './survey';

/** `post` is everything that shares one space of numbers: posts, pages, files, and things of the calendar. */
export type Kind = 'post' | 'comment' | 'term' | 'user';

/** What was noted of a thing that moved in. */
export interface Known {
  readonly id: number;
  /** What the other site said of it (marks.ts); empty where that is not asked again. */
  readonly seen: string;
  /** How the import left it here; empty for what was here before, and is nothing of the import's. */
  readonly leftAs: string;
}

export const findKnown = (db: Db, site: string, kind: Kind, foreignId: string): Promise<Known | undefined> =>
  db.first<Known>(
    'select id, seen, left_as as "leftAs" from imported_objects where site = $1 and kind = $2 and foreign_id = $3',
    [site, kind, foreignId],
  );

export const findImported = async (
  db: Db,
  site: string,
  kind: Kind,
  foreignId: string,
): Promise<number | undefined> => (await findKnown(db, site, kind, foreignId))?.id;

/** The same, and nobody else makes it until the transaction ends. */
export async function lockImported(
  tx: Db,
  site: string,
  kind: Kind,
  foreignId: string,
): Promise<Known | undefined> {
  await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 6))', [`${site}#${kind}#${foreignId}`]);
  return findKnown(tx, site, kind, foreignId);
}

/**
 * As what the site is noted: what moved in from `http://old.example/` is known where it comes again from `https://old.example`, from
 * where most sites have gone since. Without a note it is the name that is given.
 */
export async function notedAs(db: Db, site: string): Promise<string> {
  const row = await db.first<{ site: string }>(
    `select site from unnest($1::text[]) with ordinality as name (site, n)
     where exists (select from imported_objects i where i.site = name.site) order by n limit 1`,
    [spellingsOf(site)],
  );
  return row?.site ?? site;
}

/** The one that is given before all others. */
function spellingsOf(site: string): string[] {
  if (!URL.canParse(site) || !/^https?:$/.test(new URL(site).protocol)) return [site];
  const { host, pathname } = new URL(site);
  const rest = `${withoutWww(host)}${trimEnd(pathname, '/')}`;
  const others = ['https://', 'http://'].flatMap((scheme) =>
    ['', 'www.'].flatMap((prefix) => ['', '/'].map((end) => `${scheme}${prefix}${rest}${end}`)),
  );
  return [...new Set([site, ...others])];
}

interface Note extends Known {
  readonly kind: Kind;
  readonly foreignId: string;
  /** post, page, event, category … */
  readonly type: string;
  /** Where it stood on the other site (places.ts). */
  readonly address?: string;
}

export async function noteImported(
  tx: Db,
  site: string,
  { kind, foreignId, id, address = '', type, seen, leftAs }: Note,
): Promise<void> {
  await tx.run(
    `insert into imported_objects (site, kind, foreign_id, id, address, type, seen, left_as)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (site, kind, foreign_id) do update set id = excluded.id, address = excluded.address, type = excluded.type,
       seen = excluded.seen, left_as = excluded.left_as`,
    [site, kind, foreignId, id, address, type, seen, leftAs],
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

/**
 * For what was here before, which is nothing that the other site could change. It may be here since another run made it a moment ago:
 * then what that one noted stays, or changes there would never be brought.
 */
export async function noteHere(
  db: Db,
  site: string,
  what: Omit<Note, keyof Known> & { id: number },
): Promise<void> {
  const known = await findKnown(db, site, what.kind, what.foreignId);
  if (known?.id !== what.id) await noteImported(db, site, { ...what, seen: '', leftAs: '' });
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
