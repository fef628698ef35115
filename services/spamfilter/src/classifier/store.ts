/*
 * The model in PostgreSQL: one row of totals, and a row for each feature that was ever taught. Checks
 * read without locks; whoever changes the model holds the row of the totals first, so that teachings follow each other
 * and can neither cross nor deadlock.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Counts } from './weigh';

export type Side = 'spam' | 'ham';

export interface Model extends Counts {
  /** Rows of features. */
  readonly size: number;
}

/** Rows of features beyond which only known ones are taught: about 200 MB with their index. */
export const MOST_ROWS = 1_500_000;

const MODEL = 'select spam, ham, base_spam as "baseSpam", base_ham as "baseHam", size from model';

export const read = async (db: Db): Promise<Model> => (await db.first<Model>(MODEL)) as Model;

/** Until the end of the transaction nobody else changes the model. */
export const lock = async (tx: Db): Promise<Model> => (await tx.first<Model>(`${MODEL} for update`)) as Model;

/** Under the lock. Answers the features that were really counted, which are those to take back. */
export async function teach(tx: Db, model: Model, side: Side, hashes: readonly number[]): Promise<number[]> {
  const taught = await tx.rows<{ hash: number; isNew: boolean }>(
    `insert into features as f (hash, ${side})
     select hash, 1 from unnest($1::bigint[]) as hash
     where $2 or exists (select from features known where known.hash = hash.hash)
     on conflict (hash) do update set ${side} = f.${side} + 1, taught_on = current_date
     returning hash, xmax = 0 as "isNew"`,
    [hashes, model.size + hashes.length <= MOST_ROWS],
  );
  await count(tx, side, 1, taught.filter(({ isNew }) => isNew).length);
  return taught.map(({ hash }) => hash);
}

/** Under the lock; exactly what teach answered, with the same side. */
export async function unteach(tx: Db, side: Side, hashes: readonly number[]): Promise<void> {
  await tx.run(`update features set ${side} = ${side} - 1 where hash = any($1)`, [hashes]);
  const gone = await tx.run(
    'delete from features where hash = any($1) and spam = 0 and ham = 0 and base_spam = 0 and base_ham = 0',
    [hashes],
  );
  await count(tx, side, -1, -gone);
}

const count = (tx: Db, side: Side, by: 1 | -1, rows: number): Promise<number> =>
  tx.run(`update model set ${side} = ${side} + $1, size = size + $2`, [by, rows]);

/** Digest of the starting corpus whose counts are in the model; '' for none. */
export const corpusOf = async (db: Db): Promise<string> =>
  ((await db.first<{ corpus: string }>('select corpus from model')) as { corpus: string }).corpus;

interface BaseTotals {
  readonly corpus: string;
  readonly spam: number;
  readonly ham: number;
}

/** Under the lock: the counts of the starting corpus, in place of those of an earlier one. */
export async function setBase(
  tx: Db,
  counts: readonly { hash: number; spam: number; ham: number }[],
  totals: BaseTotals,
): Promise<void> {
  await tx.run('update features set base_spam = 0, base_ham = 0 where base_spam > 0 or base_ham > 0');
  await tx.run(
    `insert into features (hash, base_spam, base_ham)
     select hash, spam, ham from unnest($1::bigint[], $2::integer[], $3::integer[]) as base (hash, spam, ham)
     on conflict (hash) do update set base_spam = excluded.base_spam, base_ham = excluded.base_ham`,
    [counts.map(({ hash }) => hash), counts.map(({ spam }) => spam), counts.map(({ ham }) => ham)],
  );
  await tx.run('delete from features where spam = 0 and ham = 0 and base_spam = 0 and base_ham = 0');
  await tx.run(
    `update model set corpus = $1, base_spam = $2, base_ham = $3, size = (select count(*) from features)`,
    [totals.corpus, totals.spam, totals.ham],
  );
}

const MOST_SWEPT = 5_000;
/** Seen in more messages than this, a feature stays however old it is. */
const RARE = 2;

/**
 * Features that were rare and have not been taught for so long that no decision can be taken back which taught them.
 * Answers how many are gone.
 */
export async function sweepRare(tx: Db, days: number): Promise<number> {
  await lock(tx);
  const gone = await tx.run(
    `delete from features where hash = any(array(
       select hash from features
       where taught_on < current_date - $1::integer and spam + ham <= ${RARE} and base_spam = 0 and base_ham = 0
       order by taught_on limit ${MOST_SWEPT}))`,
    [days],
  );
  await tx.run('update model set size = size - $1', [gone]);
  return gone;
}
