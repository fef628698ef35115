/** What a backup says of itself, first of all, and whether this version of the software can read it. */
import path from 'node:path';
import { readMigrations, type Migration } from '@sevenfold/chassis/db/migrate';
import { databaseServices } from '@sevenfold/catalog/catalog';
import type { DatabaseService } from '../databases';
import { repositoryRoot } from '../settings';
import { ownVersion } from '../version';
import type { AppliedMigration } from './database';
import { DamagedBackup } from './seal';

const FORMAT = 1;

export interface Manifest {
  readonly format: number;
  /** Of the software that wrote it. */
  readonly version: string;
  readonly madeAt: string;
  readonly siteUrl: string;
  /** Of files that are not in it, because a store of objects keeps them. */
  readonly buckets: readonly string[];
  /** By service, in the order in which their rows follow. */
  readonly databases: Readonly<Record<string, readonly AppliedMigration[]>>;
}

export const newManifest = (rest: Omit<Manifest, 'format' | 'version' | 'madeAt'>): Manifest => ({
  format: FORMAT,
  version: ownVersion(),
  madeAt: new Date().toISOString(),
  ...rest,
});

/** Throws where this version cannot restore it, as it lacks a service or a migration. */
export async function readManifest(content: unknown): Promise<Manifest> {
  const manifest = content as Manifest;
  const newer = `It was made by version ${manifest.version}; this is ${ownVersion()}. Restore it with that version or a later one`;
  if (typeof manifest.format !== 'number' || typeof manifest.databases !== 'object')
    throw new DamagedBackup('It does not begin as a backup does.');
  if (manifest.format > FORMAT) throw new Error(`${newer}.`);
  for (const [service, applied] of Object.entries(manifest.databases)) {
    if (!databaseServices.includes(service as DatabaseService))
      throw new Error(`${newer}: there is no service "${service}" here.`);
    await migrationsOf(applied).catch((error: Error) => {
      throw new Error(`${newer}: ${error.message}`);
    });
  }
  return manifest;
}

/** The files that made a database, in their order. Each is named after the service whose folder it is in. */
export async function migrationsOf(applied: readonly AppliedMigration[]): Promise<Migration[]> {
  const hashes = new Map(applied.map(({ name, hash }) => [name, hash]));
  const folders = [...new Set(applied.map(({ name }) => name.split('/')[0] as string))]
    // What all have in common comes before what one has of its own.
    .sort((a, b) => Number(b === 'chassis') - Number(a === 'chassis'))
    .map((scope) => path.join(repositoryRoot, 'services', path.basename(scope), 'migrations'));
  const here = await readMigrations(folders).catch(() => []);
  const wanted = here.filter(({ name }) => hashes.has(name));
  const missing = applied.find(({ name }) => !wanted.some((migration) => migration.name === name));
  if (missing) throw new Error(`the migration ${missing.name} is not here.`);
  const changed = wanted.find(({ name, hash }) => hashes.get(name) !== hash);
  if (changed) throw new Error(`the migration ${changed.name} is another one here.`);
  return wanted;
}
