/**
 * What imports could be at best on this machine: the rows they left in the calendar, written once more by one prepared
 * statement a batch and nothing else; and how soon a batch is acknowledged by a stack that has nothing else to do.
 */
import pg from 'pg';
import type { TestStack } from '../support/stack';
import { EVENTS_A_BATCH, batchOf, everythingApplied, send, unsentOf } from './imports';

/** Of the calendar's own database: its role may make no other, and disk, server and settings are the same. */
const SCRATCH = 'bench_ceiling';
const PIECE = 5_000;
const IDLE_BATCHES = 40;

/**
 * So many rows, as many as an import brought, a second into a table like that of events, with all its indexes, on one connection. A table
 * and its indexes take what is new the slower the larger they are: a ceiling of fewer rows is that of another import.
 */
export async function upsertCeiling(stack: TestStack, rows: number): Promise<number> {
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
    const text = `insert into ${SCRATCH}.events (${names.join(', ')})
      select ${names.join(', ')} from json_populate_recordset(null::${SCRATCH}.events, $1)
      on conflict (id) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
    let [written, took] = [0, 0];
    for await (const batch of batches(client, rows)) {
      const started = performance.now();
      written += (await client.query({ name: 'ceiling', text, values: [batch] })).rowCount ?? 0;
      took += performance.now() - started;
    }
    return written / (took / 1000);
  } finally {
    await client.query(`drop schema if exists ${SCRATCH} cascade`).catch(() => undefined);
    await client.end();
  }
}

/** JSON of the events there are, again under other names where they are too few. */
async function* batches(client: pg.Client, rows: number): AsyncGenerator<string> {
  for (let [given, pass, after] = [0, 0, '0']; given < rows;) {
    const { rows: piece } = await client.query<{ batch: string; last: string; size: number }>(
      `select json_agg(event)::text as batch, max(id)::text as last, count(*)::int as size
       from (select id, (row_number() over (order by id) - 1) / $1 as batch, to_jsonb(e) || jsonb_build_object(
                 'id', id + $2 * 1000000000000, 'slug', slug || $3, 'uid', uid || $3) as event
             from (select * from public.events where id > $4 and slug <> '' and uid <> '' order by id limit $5) e) e
       group by batch order by batch`,
      [EVENTS_A_BATCH, pass, pass === 0 ? '' : `-${pass}`, after, Math.min(PIECE, rows - given)],
    );
    for (const { batch, size, last } of piece) {
      [given, after] = [given + size, last];
      yield batch;
    }
    if (piece.length > 0) continue;
    if (given === 0) throw new Error('there are no events to write once more');
    [pass, after] = [pass + 1, '0'];
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
