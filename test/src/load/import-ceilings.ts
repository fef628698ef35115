/**
 * What imports could be at best on this machine: the rows they left in the calendar, written once more by one prepared
 * statement a batch and nothing else; and how soon a batch is acknowledged by a stack that has nothing else to do.
 */
import pg from 'pg';
import type { TestStack } from '../support/stack';
import { EVENTS_A_BATCH, batchOf, everythingApplied, send, unsentOf } from './imports';

/** Of the calendar's own database: its role may make no other, and disk, server and settings are the same. */
const SCRATCH = 'bench_ceiling';
const MOST_ROWS = 20_000;
const IDLE_BATCHES = 40;

/** Rows a second into a table like that of events, with all its indexes, on one connection. */
export async function upsertCeiling(stack: TestStack): Promise<number> {
  const client = new pg.Client({ connectionString: stack.run().databases.calendar });
  await client.connect();
  try {
    await client.query(`drop schema if exists ${SCRATCH} cascade; create schema ${SCRATCH};
      create table ${SCRATCH}.events (like public.events including all)`);
    const { rows: columns } = await client.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
       where table_schema = 'public' and table_name = 'events' and is_generated = 'NEVER' order by ordinal_position`,
    );
    const names = columns.map(({ name }) => name);
    const { rows: batches } = await client.query<{ batch: string }>(
      `select json_agg(e)::text as batch
       from (select e.*, (row_number() over (order by id) - 1) / $1 as batch from public.events e
             order by id desc limit $2) e
       group by e.batch order by e.batch`,
      [EVENTS_A_BATCH, MOST_ROWS],
    );
    const text = `insert into ${SCRATCH}.events (${names.join(', ')})
      select ${names.join(', ')} from json_populate_recordset(null::${SCRATCH}.events, $1)
      on conflict (id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
    let written = 0;
    const started = performance.now();
    for (const { batch } of batches)
      written += (await client.query({ name: 'ceiling', text, values: [batch] })).rowCount ?? 0;
    return written / ((performance.now() - started) / 1000);
  } finally {
    await client.query(`drop schema if exists ${SCRATCH} cascade`).catch(() => undefined);
    await client.end();
  }
}

/** Milliseconds until a batch is acknowledged when nothing else is under way, of many, each on its own. */
export async function idleAcknowledgements(stack: TestStack, round: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < IDLE_BATCHES; n++) {
    await send(stack, [unsentOf(batchOf(`idle-${round}-${n}`, 0, 1))], (ms) => times.push(ms));
    await everythingApplied(stack);
  }
  return times;
}
