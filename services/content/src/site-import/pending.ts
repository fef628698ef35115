/** Links to things that are not here yet, in the database: whichever run brings the other end, they are set then. */
import type { Db } from '@sevenfold/chassis/db/sql';

export type LinkingObject = 'term' | 'post' | 'comment' | 'event' | 'venue' | 'organizer';
export type LinkName = 'parent' | 'picture' | 'venue' | 'organizers';

export interface Pending {
  readonly object: LinkingObject;
  readonly id: number;
  readonly link: LinkName;
  readonly target: string;
  /** Of a page, which has none so long. */
  readonly slug: string;
  /** Of a file, which is private so long. */
  readonly status: string;
}

/** In the transaction that makes the object. */
export const notePending = (
  tx: Db,
  site: string,
  object: LinkingObject,
  id: number,
  link: LinkName,
  target: string,
  { slug = '', status = '' }: Partial<Pick<Pending, 'slug' | 'status'>> = {},
): Promise<number> =>
  tx.run(
    `insert into pending_links (site, object, id, link, target, slug, status) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (object, id, link) do update set target = excluded.target, slug = excluded.slug, status = excluded.status`,
    [site, object, id, link, target, slug, status],
  );

/** What an object that comes again waited for: by now it may lead elsewhere, or nowhere. In the transaction that changes it. */
export const dropPending = (tx: Db, object: LinkingObject, id: number): Promise<number> =>
  tx.run('delete from pending_links where object = $1 and id = $2', [object, id]);

const PAGE = 500;

/** All of a site, in one order whatever was set before; what is handled meanwhile may go. */
export async function* pendingOf(db: Db, site: string): AsyncGenerator<Pending> {
  let last: Pending | undefined;
  for (;;) {
    const rows: Pending[] = await db.rows<Pending>(
      `select object, id, link, target, slug, status from pending_links
       where site = $1 and (object, id, link) > ($2, $3, $4) order by object, id, link limit ${PAGE}`,
      [site, last?.object ?? '', last?.id ?? 0, last?.link ?? ''],
    );
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

export const settlePending = (tx: Db, { object, id, link }: Pending): Promise<number> =>
  tx.run('delete from pending_links where object = $1 and id = $2 and link = $3', [object, id, link]);

/** What has its address already need not wait for one. */
export const forgetSlug = (tx: Db, { object, id, link }: Pending): Promise<number> =>
  tx.run(`update pending_links set slug = '' where object = $1 and id = $2 and link = $3`, [
    object,
    id,
    link,
  ]);
