/** Fills databases beside those in use with what a backup holds of them, entry by entry as they come. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { applyMigrations } from '@sevenfold/chassis/db/migrate';
import { Client } from 'pg';
import { claim, makeBeside } from '../databases';
import type { ArchiveEntry } from './archive';
import { type Description, type Filling, type Table, beginFilling } from './database';
import { migrationsOf } from './manifest';
import { DamagedBackup } from './seal';

export interface Loader {
  /** `names` follow `databases/`: the service, then its description or a table and the number of a piece. */
  take(
    names: readonly string[],
    entry: ArchiveEntry,
    passwords: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Makes the last database whole. */
  finish(): Promise<void>;
  /** Whatever happened. */
  close(): Promise<void>;
}

interface Current {
  readonly service: string;
  readonly client: Client;
  readonly description: Description;
  readonly filling: Filling;
  table?: Table;
  rows?: Writable;
}

export function loader(place: { adminUrl: string; prefix: string; instanceId: string }): Loader {
  let current: Current | undefined;
  const closeTable = async (): Promise<void> => {
    const rows = current?.rows;
    if (!current || !rows) return;
    rows.end();
    await finished(rows);
    current.rows = undefined;
  };
  const finish = async (): Promise<void> => {
    if (!current) return;
    await closeTable();
    await current.filling.finish();
    await current.client.end();
    current = undefined;
  };
  const openTable = async (name: string): Promise<Writable> => {
    if (!current) throw new DamagedBackup('Rows come before what they are rows of.');
    if (current.rows && current.table?.name === name) return current.rows;
    await closeTable();
    current.table = current.description.tables.find((table) => table.name === name);
    if (!current.table) throw new DamagedBackup(`It does not describe the table ${name}.`);
    const rows = current.filling.rows(current.table);
    // Whoever writes the next piece hears of it, or whoever ends the table.
    rows.on('error', () => undefined);
    return (current.rows = rows);
  };
  return {
    finish,
    close: async () => {
      // Ends an open transaction, and with it what it did.
      await current?.client.end().catch(() => undefined);
      current = undefined;
    },
    take: async ([service = '', name = ''], entry, passwords) => {
      if (name === 'database.json') {
        await finish();
        const description = (await entry.json()) as Description;
        current = await begin(place, service, description, passwords[service]);
      } else {
        if (current?.service !== service) throw new DamagedBackup(`It does not describe ${service}.`);
        await pour(entry.stream, await openTable(name));
      }
    },
  };
}

/**
 * One of many pieces, all of it. Pipelines that leave their target open leave what they listen with on it, too: after ten pieces of a
 * table Node takes that for a leak, and tells the operator so.
 */
export async function pour(piece: AsyncIterable<Buffer>, rows: Writable): Promise<void> {
  for await (const chunk of piece) {
    if (rows.errored) throw rows.errored;
    if (!rows.write(chunk)) await once(rows, 'drain');
  }
}

async function begin(
  { adminUrl, prefix, instanceId }: { adminUrl: string; prefix: string; instanceId: string },
  service: string,
  description: Description,
  password = randomBytes(24).toString('base64url'),
): Promise<Current> {
  const { url, beside } = await makeBeside(adminUrl, `${prefix}${service}`, password);
  const connection = { connectionString: url, application_name: 'sevenfold restore' };
  await applyMigrations(connection, await migrationsOf(description.migrations));
  const client = new Client({
    ...connection,
    keepAlive: true,
    options:
      '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c statement_timeout=0 -c idle_in_transaction_session_timeout=0',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await claim(client, instanceId, beside);
    return { service, client, description, filling: await beginFilling(client, description) };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
