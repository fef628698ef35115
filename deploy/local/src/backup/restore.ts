/**
 * Puts a whole stack back from one file. The file is read to its end and checked before anything is touched; databases and
 * files are then made beside those in use, and put in their place when all of them are whole. From the first step to the
 * last a mark in the data folder keeps everything else from starting there, so an end in the middle is never served: the
 * same command again begins anew.
 */
import { databaseServices } from '@sevenfold/catalog/catalog';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { readRedisCa } from '@sevenfold/chassis/tls';
import { claim } from '../claim';
import { makeDataDir } from '../data-dir';
import { dropDatabase, isDatabase, putInPlace, refuseForeign, withClient } from '../databases';
import { findRunning } from '../run-file';
import { type Secrets, readSecrets, writePrivateJson } from '../secrets';
import type { StackSettings } from '../settings';
import { type ArchiveEntry, readArchive } from './archive';
import { putFile } from './files';
import { loader } from './load';
import { type Manifest, readManifest } from './manifest';
import { type RedisPlace, emptyRedis, isRedisUsed } from './redis-keys';
import { DamagedBackup } from './seal';
import { withServer } from './servers';
import { besideIn, clearMark, findMark, markRestore } from './unfinished';

export interface RestoreOptions {
  readonly settings: StackSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly file: string;
  readonly passphrase?: string;
  /** What is there may be replaced. */
  readonly replace?: boolean;
  readonly say?: (line: string) => void;
  readonly onProgress?: (bytes: number) => void;
}

export interface RestoreReport {
  readonly manifest: Manifest;
  readonly files: number;
}

/** Of the folders of files, in the data folder and in the backup. */
const FOLDERS = ['uploads', 'files'];

export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const { settings, say = () => undefined } = options;
  const { dataDir } = settings;
  const running = findRunning(dataDir);
  if (running) throw new Error(`A stack runs from ${dataDir} (process ${running.pid}). Stop it first.`);
  await check(options);
  makeDataDir(dataDir);
  const runFile = path.join(dataDir, 'run.json');
  claim(runFile);
  try {
    return await withMark(options, (instanceId) =>
      withServer(settings, say, (adminUrl) => putBack(options, adminUrl, instanceId)),
    );
  } finally {
    rmSync(runFile, { force: true });
  }
}

/** Reads all of it once, and touches nothing. */
async function check({ file, passphrase, say }: RestoreOptions): Promise<void> {
  say?.(`checking ${file}`);
  let first = true;
  await readArchive(file, passphrase, async (entry) => {
    if (first !== (entry.name === 'manifest.json'))
      throw new DamagedBackup(`${file} does not begin as a backup does.`);
    if (first) await readManifest(await entry.json());
    else await finished(entry.stream.resume());
    first = false;
  });
}

/** What is claimed by an earlier try that did not end is ours, too. */
async function withMark<T>(options: RestoreOptions, work: (instanceId: string) => Promise<T>): Promise<T> {
  const { settings, file, replace = false } = options;
  const { dataDir } = settings;
  const earlier = findMark(dataDir);
  const instanceId = settings.INSTANCE_ID || (earlier?.instanceId ?? randomBytes(8).toString('hex'));
  const kept = readSecrets(path.join(dataDir, 'secrets.json'))?.instanceId;
  const ids = [instanceId, ...(kept === undefined ? [] : [kept])];
  const found = await whatIsThere(options, ids);
  if (found !== undefined && !replace && earlier === undefined)
    throw new Error(`${found} Restore into an empty stack, or replace what is there with --replace.`);
  const begun = new Date().toISOString();
  markRestore(dataDir, {
    file: path.resolve(file),
    begun,
    instanceId,
    replacing: earlier?.replacing ?? false,
  });
  const result = await work(instanceId);
  clearMark(dataDir);
  return result;
}

/** A sentence about what would be lost, or undefined. Throws ForeignInstance where something is another site's. */
async function whatIsThere(
  { settings, env }: RestoreOptions,
  ids: readonly string[],
): Promise<string | undefined> {
  const { dataDir, DATABASE_URL: url, DATABASE_PREFIX: prefix } = settings;
  let found: string | undefined;
  if (url !== '')
    await withClient(url, async (admin) => {
      for (const service of databaseServices) {
        const name = `${prefix}${service}`;
        await refuseForeign(admin, url, name, ...ids);
        if (await isDatabase(admin, name)) found = `There is a database ${name} already.`;
      }
    });
  const redis = redisOf(settings, env);
  if (redis && (await isRedisUsed(redis, ids)))
    found = `Redis holds keys of a site with the prefix ${redis.prefix} already.`;
  const names = ['secrets.json', ...(url === '' ? ['postgres'] : []), ...FOLDERS];
  const taken = names.find((name) => !isVoid(path.join(dataDir, name)));
  return taken === undefined ? found : `There is a site in ${dataDir} already.`;
}

const isVoid = (place: string): boolean =>
  !existsSync(place) || (FOLDERS.includes(path.basename(place)) && readdirSync(place).length === 0);

function redisOf(
  { REDIS_URL: url, REDIS_PREFIX: prefix }: StackSettings,
  env: NodeJS.ProcessEnv,
): RedisPlace | undefined {
  return url === '' ? undefined : { url, prefix, ca: readRedisCa(env) };
}

async function putBack(
  options: RestoreOptions,
  adminUrl: string,
  instanceId: string,
): Promise<RestoreReport> {
  const { settings, env, file, passphrase } = options;
  const { dataDir, DATABASE_PREFIX: prefix } = settings;
  const beside = besideIn(dataDir);
  rmSync(beside, { recursive: true, force: true });
  let manifest: Manifest | undefined;
  let secrets: Secrets | undefined;
  let files = 0;
  let bytes = 0;
  const load = loader({ adminUrl, prefix, instanceId });
  const take = async (entry: ArchiveEntry): Promise<void> => {
    const [kind, ...rest] = entry.name.split('/');
    if (kind === 'manifest.json') manifest = await readManifest(await entry.json());
    else if (kind === 'secrets.json') secrets = { ...((await entry.json()) as Secrets), instanceId };
    else if (kind === 'databases' && secrets) await load.take(rest, entry, secrets.databasePasswords);
    else if (kind === 'files' && FOLDERS.includes(rest[0] as string)) {
      await load.finish();
      await putFile(beside, rest.join('/'), entry.modifiedMs, entry.stream);
      files += 1;
    } else throw new DamagedBackup(`${file} holds ${entry.name}, which is not known here.`);
  };
  try {
    await readArchive(file, passphrase, async (entry) => {
      await take(entry);
      options.onProgress?.((bytes += entry.size));
    });
    await load.finish();
  } finally {
    await load.close();
  }
  if (!manifest || !secrets) throw new DamagedBackup(`${file} lacks its manifest or its secrets.`);
  await replaceAll({ settings, env, adminUrl, manifest, secrets, beside });
  return { manifest, files };
}

/** Everything is whole: from here on what was there goes. */
async function replaceAll(all: {
  settings: StackSettings;
  env: NodeJS.ProcessEnv;
  adminUrl: string;
  manifest: Manifest;
  secrets: Secrets;
  beside: string;
}): Promise<void> {
  const { settings, env, adminUrl, manifest, secrets, beside } = all;
  const { dataDir, DATABASE_PREFIX: prefix } = settings;
  const mark = findMark(dataDir);
  if (mark) markRestore(dataDir, { ...mark, replacing: true });
  await withClient(adminUrl, async (admin) => {
    for (const service of databaseServices) {
      if (service in manifest.databases) await putInPlace(admin, `${prefix}${service}`);
      // A service that is younger than the backup begins anew.
      else await dropDatabase(admin, `${prefix}${service}`);
    }
  });
  for (const name of FOLDERS) {
    const [from, to] = [path.join(beside, name), path.join(dataDir, name)];
    rmSync(to, { recursive: true, force: true });
    if (existsSync(from)) renameSync(from, to);
    // A backup holds no empty folders, and the next one asks for both, started or not.
    else mkdirSync(to, { mode: 0o700 });
  }
  rmSync(beside, { recursive: true, force: true });
  const redis = redisOf(settings, env);
  if (redis) await emptyRedis(redis);
  else rmSync(path.join(dataDir, 'redis'), { recursive: true, force: true });
  writePrivateJson(path.join(dataDir, 'secrets.json'), secrets);
}
