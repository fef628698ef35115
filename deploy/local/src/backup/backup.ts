/**
 * A whole stack in one file, as it is at one moment: rows of all databases, files, secrets. The stack may run and be
 * written to; it may also stand still. What is in Redis is not of record and left out. Which databases and folders there
 * are, the catalog says.
 */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { claim } from '../claim';
import { databaseServices } from '@sevenfold/catalog/catalog';
import { withDatabase } from '../databases';
import { findRunning } from '../run-file';
import { keepSecrets } from '../secrets';
import type { StackSettings } from '../settings';
import { bucketsOf } from '../topology';
import { type ArchiveWriter, takenName, writeArchive } from './archive';
import { type Description, type Table, describe, readRows } from './database';
import { holdFolders } from './files';
import { newManifest } from './manifest';
import { type Moment, type Patience, findMoment } from './moment';
import { withServer } from './servers';
import { refuseUnfinished } from './unfinished';

/** Pieces of this size make the entries of a table, whose length nobody knows before its end. */
const PIECE = 4 * 1024 * 1024;

export interface BackupOptions {
  readonly settings: StackSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly file: string;
  readonly passphrase?: string;
  readonly say?: (line: string) => void;
  readonly onProgress?: (bytes: number) => void;
  readonly patience?: Patience;
}

export interface BackupReport extends Moment {
  readonly tables: number;
  readonly files: number;
  /** Of rows and files, before they are compressed. */
  readonly bytes: number;
  readonly buckets: readonly string[];
}

interface Source {
  readonly siteUrl: string;
  /** By service. */
  readonly databases: Readonly<Record<string, string>>;
  /** By their names in the backup. */
  readonly folders: Readonly<Record<string, string>>;
  readonly secrets: object;
  readonly buckets: readonly string[];
}

export async function backUp(options: BackupOptions): Promise<BackupReport> {
  const { settings, file } = options;
  if (existsSync(file)) throw takenName(file);
  refuseUnfinished(settings.dataDir);
  return withSource(options, async (source) => {
    const held = await holdFolders(settings.dataDir, source.folders);
    const clients = new Map(
      Object.entries(source.databases).map(([service, url]) => [service, connectionTo(url)]),
    );
    try {
      for (const client of clients.values()) await client.connect();
      const moment = await findMoment([...clients.values()], options.patience);
      await held.again();
      const described = new Map<string, Description>();
      for (const [service, client] of clients) described.set(service, await describe(client));
      const count = { tables: 0, files: 0, bytes: 0 };
      const add = (bytes: number): void => options.onProgress?.((count.bytes += bytes));
      await writeArchive(file, options.passphrase, async (writer) => {
        const databases = Object.fromEntries(
          [...described].map(([service, { migrations }]) => [service, migrations]),
        );
        await writer.add(
          'manifest.json',
          newManifest({ siteUrl: source.siteUrl, buckets: source.buckets, databases }),
        );
        await writer.add('secrets.json', source.secrets);
        for (const [service, description] of described)
          count.tables += await writeDatabase(
            writer,
            service,
            clients.get(service) as Client,
            description,
            add,
          );
        for await (const found of held.files()) {
          await writer.addFile(`files/${found.name}`, found);
          count.files += 1;
          add(found.size);
        }
      });
      return { ...moment, ...count, buckets: source.buckets };
    } finally {
      for (const client of clients.values()) await client.end().catch(() => undefined);
      await held.release();
    }
  });
}

/** The stack that runs from the data folder, or what stands still there, kept from starting meanwhile. */
async function withSource<T>(
  { settings, env, say = () => undefined }: BackupOptions,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const { dataDir } = settings;
  const running = findRunning(dataDir);
  if (running)
    return work({
      siteUrl: running.siteUrl,
      databases: running.databases as Record<string, string>,
      folders: { uploads: running.uploadsDir, files: running.filesDir },
      secrets: keepSecrets(running.secretsFile),
      buckets: running.buckets,
    });
  const secretsFile = path.join(dataDir, 'secrets.json');
  if (!existsSync(secretsFile)) throw new Error(`There is no site in ${dataDir}.`);
  // A server would be made there, empty, and in the way of whoever restores into the folder.
  if (settings.DATABASE_URL === '' && !existsSync(path.join(dataDir, 'postgres')))
    throw new Error(
      `There are no databases in ${dataDir}. Where the site has them on a server of its own, DATABASE_URL has to name it, as when it is started.`,
    );
  const runFile = path.join(dataDir, 'run.json');
  claim(runFile);
  try {
    return await withServer(settings, say, (adminUrl) =>
      work({
        siteUrl: settings.SITE_URL,
        databases: Object.fromEntries(
          databaseServices.map((service) => [
            service,
            withDatabase(adminUrl, `${settings.DATABASE_PREFIX}${service}`),
          ]),
        ),
        folders: { uploads: path.join(dataDir, 'uploads'), files: path.join(dataDir, 'files') },
        secrets: keepSecrets(secretsFile),
        buckets: bucketsOf(env),
      }),
    );
  } finally {
    rmSync(runFile, { force: true });
  }
}

function connectionTo(url: string): Client {
  const client = new Client({
    connectionString: url,
    application_name: 'sevenfold backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // Rows are read in a form that every session reads alike, and in the order in which they lie.
    options:
      '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c synchronize_seqscans=off -c lock_timeout=60s',
  });
  // Every query fails by itself when the connection is lost; the event alone would end the process.
  client.on('error', () => undefined);
  return client;
}

async function writeDatabase(
  writer: ArchiveWriter,
  service: string,
  client: Client,
  description: Description,
  add: (bytes: number) => void,
): Promise<number> {
  const folder = `databases/${service}`;
  await writer.add(`${folder}/database.json`, description);
  const tables = description.tables.filter(({ partOf }) => partOf === null);
  for (const table of tables) await writeTable(writer, `${folder}/${table.name}`, client, table, add);
  await client.query('commit');
  return tables.length;
}

async function writeTable(
  writer: ArchiveWriter,
  folder: string,
  client: Client,
  table: Table,
  add: (bytes: number) => void,
): Promise<void> {
  let waiting: Buffer[] = [];
  let size = 0;
  let pieces = 0;
  const flush = async (): Promise<void> => {
    if (size === 0) return;
    pieces += 1;
    await writer.add(`${folder}/${String(pieces).padStart(6, '0')}`, Buffer.concat(waiting));
    add(size);
    [waiting, size] = [[], 0];
  };
  for await (const chunk of readRows(client, table) as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    size += chunk.length;
    if (size >= PIECE) await flush();
  }
  await flush();
}
