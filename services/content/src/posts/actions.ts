/**
 * What becomes of a user's posts when the user goes: they are given to another one, or go to the trash. Of few that is
 * done at once, of many in pieces (users/departures.ts).
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { emitAll } from '@sevenfold/chassis/db/outbox';
import type { Work } from '@sevenfold/chassis/queue/pieces';
import { changed } from './aftermath';
import type { Linkable } from './links';
import { lockPageTree } from './page-tree';
import { trash } from './remove';
import * as store from './store';
import type { FullPostRow } from './store';

export interface Departure {
  /** Who is gone. */
  readonly author: number;
  /** Who gets what he wrote; null: it goes to the trash, with the author that it had. */
  readonly heir: number | null;
  /** Who deleted the user. */
  readonly editor: number;
}

interface Part {
  readonly table: 'posts' | 'revisions';
  /** Whose author is $1. */
  readonly where: string;
  readonly isTree?: boolean;
  readonly move: (tx: Db, ids: readonly number[], to: Departure, timezone: string) => Promise<void>;
}

const toHeir: readonly Part[] = [
  { table: 'posts', where: `type in ('post', 'page', 'attachment') and author = $1`, move: give },
  {
    table: 'revisions',
    where: 'author = $1',
    move: async (tx, ids, { heir }) =>
      void (await tx.run('update revisions set author = $2 where id = any($1::bigint[])', [ids, heir])),
  },
];

/** Where an editor still finds them. Attachments stay. */
const toTrash: readonly Part[] = [
  {
    table: 'posts',
    where: `type = 'page' and author = $1 and status <> 'trash'`,
    isTree: true,
    move: discard,
  },
  { table: 'posts', where: `type = 'post' and author = $1 and status <> 'trash'`, move: discard },
];

async function give(tx: Db, ids: readonly number[], { heir }: Departure): Promise<void> {
  const rows = await tx.rows<Linkable>(
    `update posts p set author = $2 where id = any($1::bigint[])
      returning p.id, p.type, p.status, p.slug, p.path`,
    [ids, heir],
  );
  await emitAll(
    tx,
    'content.post.changed',
    rows.map((row) => changed(row, row.status)),
  );
}

async function discard(
  tx: Db,
  ids: readonly number[],
  { editor }: Departure,
  timezone: string,
): Promise<void> {
  for (const id of ids) await trash(tx, (await store.lockById(tx, id)) as FullPostRow, editor, timezone);
}

/** As the user of that number goes. */
export function leaving(tx: Db, departure: Departure, timezone: string): Work<Part> {
  const find = async ({ table, where }: Part, end: string): Promise<number[]> => {
    const found = `select id from ${table} where ${where} ${end}`;
    return (await tx.rows<{ id: number }>(found, [departure.author])).map(({ id }) => id);
  };
  return {
    parts: departure.heir === null ? toTrash : toHeir,
    find,
    change: ({ move }, ids) => move(tx, ids, departure, timezone),
    // Who has no pages leaves the tree to others.
    lock: async (part) => {
      if (part.isTree && (await find(part, 'limit 1')).length > 0) await lockPageTree(tx);
    },
  };
}
