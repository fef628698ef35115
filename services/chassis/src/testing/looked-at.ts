import type { Database, Db } from '../db/sql';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows of each table statements looked at. */
type LookedAt = Map<string, number>;

/** The same database, which notes what each of its statements looks at: bounds are shown by rows, which no busy machine changes. */
export function lookingAt(db: Db): { readonly db: Db; readonly lookedAt: LookedAt } {
  const lookedAt: LookedAt = new Map();
  const rows: Db['rows'] = async (text, values, options) => {
    const [plan] = await db.rows<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `explain (analyze, timing off, format json) ${text}`,
      values,
      { planFor: 'values' },
    );
    for (const { Plan } of plan?.['QUERY PLAN'] ?? []) note(Plan, lookedAt);
    return db.rows(text, values, options);
  };
  const first: Db['first'] = async (text, values, options) => (await rows(text, values, options))[0] as never;
  return { db: { ...db, rows, first }, lookedAt };
}

/**
 * How many rows of a table what is done in one transaction looked at, inside functions and triggers, too, and where it writes. It is
 * committed.
 */
export async function rowsRead(
  db: Database,
  table: string,
  work: (tx: Db) => Promise<unknown>,
): Promise<number> {
  const read = await db.transaction(async (tx) => {
    await work(tx);
    return tx.first<{ rows: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = $1`,
      [table],
    );
  });
  if (!read) throw new Error(`there is no table ${table}`);
  return read.rows;
}

function note(node: PlanNode, lookedAt: LookedAt): void {
  const table = node['Relation Name'];
  if (table !== undefined) {
    const each =
      node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    lookedAt.set(table, (lookedAt.get(table) ?? 0) + each * node['Actual Loops']);
  }
  for (const below of node.Plans ?? []) note(below, lookedAt);
}
