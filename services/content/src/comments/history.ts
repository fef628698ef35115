/** What a person said before, as far as it decides about a new comment. */
import type { Db } from '@sevenfold/chassis/db/sql';

/** Makes whoever speaks under one of the names wait until this transaction ends. The names come in one order. */
export async function lockPersons(tx: Db, names: readonly string[]): Promise<void> {
  await tx.rows(`select pg_advisory_xact_lock(hashtextextended(name, 7)) from unnest($1::text[]) as name`, [
    [...names].sort(),
  ]);
}

export interface Person {
  readonly author: number;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authorIp: string;
}

export interface History {
  /** The same person said the same in the same place. */
  readonly duplicate: boolean;
  /** The same user, address or e-mail address wrote within the last seconds. */
  readonly tooSoon: boolean;
  /** A comment of the same person was approved. */
  readonly approvedBefore: boolean;
}

/** Unregistered people are known by name and e-mail address; a user's address stands for the user. */
export async function historyOf(
  tx: Db,
  person: Person,
  said: { post: number; parent: number; contentRaw: string },
  floodSeconds: number,
): Promise<History> {
  const row = await tx.first<History>(
    `with person as (
       select coalesce(nullif($1::bigint, 0), (select id from users where email <> '' and lower(email) = lower($3)), 0) as id)
     select
       exists (select from comments where post = $5 and parent = $6 and status <> 'trash'
         and author_name = $2 and lower(author_email) = lower($3) and content_raw = $7) as duplicate,
       exists (select from comments where created_at > now() - make_interval(secs => $8::float8) and (
         ($1 > 0 and author = $1) or ($1 = 0 and author_ip = $4)
         or (author_email <> '' and lower(author_email) = lower($3)))) as "tooSoon",
       case when person.id > 0
         then exists (select from comments where author > 0 and author = person.id and status = 'approved')
         else $3 <> '' and exists (select from comments where lower(author_email) = lower($3) and author_name = $2
           and status = 'approved')
       end as "approvedBefore"
     from person`,
    [
      person.author,
      person.authorName,
      person.authorEmail,
      person.authorIp,
      said.post,
      said.parent,
      said.contentRaw,
      floodSeconds,
    ],
  );
  return row as History;
}
