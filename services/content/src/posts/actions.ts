/**
 * What becomes of a user's posts when the user goes: they are given to another one, or go to the trash. Of few that is
 * done at once, of many in pieces, as whatever it holds others have to wait for.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { emitAll } from '@sevenfold/chassis/db/outbox';
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

/** Of each kind, at once and in a piece: what takes a few milliseconds each keeps nobody waiting for long. */
const MOST_AT_ONCE = 100;

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

const partsOf = ({ heir }: Departure): readonly Part[] => (heir === null ? toTrash : toHeir);

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

async function find(tx: Db, { table, where }: Part, author: number, end: string): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(`select id from ${table} where ${where} ${end}`, [author]);
  return rows.map(({ id }) => id);
}

/** Whether it is more than is done at once. */
export async function isMuch(tx: Db, departure: Departure): Promise<boolean> {
  for (const part of partsOf(departure)) {
    const some = await find(tx, part, departure.author, `limit ${MOST_AT_ONCE + 1}`);
    if (some.length > MOST_AT_ONCE) return true;
  }
  return false;
}

/** All of it. Waits for whoever holds any of it. */
export async function moveAll(tx: Db, departure: Departure, timezone: string): Promise<void> {
  for (const part of partsOf(departure)) await move(tx, part, departure, timezone, 'order by id for update');
}

export type Left = 'more' | 'held by others' | 'nothing';

/** A piece of what nobody else holds. Answers what is left after it. */
export async function movePiece(tx: Db, departure: Departure, timezone: string): Promise<Left> {
  let left: Left = 'nothing';
  for (const part of partsOf(departure)) {
    const moved = await move(tx, part, departure, timezone, `limit ${MOST_AT_ONCE} for update skip locked`);
    if (moved === undefined) continue;
    if (moved > 0) return 'more';
    left = 'held by others';
  }
  return left;
}

/** Answers how many, undefined where there are none of them. */
async function move(
  tx: Db,
  part: Part,
  departure: Departure,
  timezone: string,
  end: string,
): Promise<number | undefined> {
  const { author } = departure;
  if ((await find(tx, part, author, 'limit 1')).length === 0) return undefined;
  if (part.isTree) await lockPageTree(tx);
  const ids = await find(tx, part, author, end);
  await part.move(tx, ids, departure, timezone);
  return ids.length;
}
