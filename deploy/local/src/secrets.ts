/**
 * What is generated once for a data folder and must be the same at every later start. Kept in a file that only
 * its owner can read; whoever can read it can read the databases as well.
 */
import { randomBytes, randomInt } from 'node:crypto';
import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { databaseServices } from '@sevenfold/catalog/catalog';
import type { DatabaseService } from './databases';

export interface Secrets {
  /** Names this site in its databases and its Redis; no secret, but as old as the data. */
  readonly instanceId: string;
  readonly actorSecret: string;
  /** Keys of outside services are stored under it. */
  readonly sealingSecret: string;
  /** Signs access tokens. */
  readonly tokenKey: string;
  readonly databasePasswords: Record<DatabaseService, string>;
  readonly redisPassword: string;
  /**
   * Used to make the administrator, once; the password may have been changed on the site since. Empty where he was made with one of the
   * operator's, which is kept nowhere.
   */
  readonly adminPassword: string;
  readonly adminApplicationPassword: string;
  /** Whose they are; empty: not made yet, or by a version that did not note it. */
  readonly administrator: string;
  /** The log-in was printed: it is not printed again. */
  readonly announced: boolean;
  /** The site got something to look at, or was not to get it. */
  readonly sampled: boolean;
}

/** Reads the secrets, generating those that are missing. Throws when the file is damaged. */
export function keepSecrets(file: string): Secrets {
  const kept = readSecrets(file);
  const databasePasswords = { ...kept?.databasePasswords } as Record<DatabaseService, string>;
  for (const service of databaseServices)
    databasePasswords[service] ??= randomBytes(24).toString('base64url');
  const secrets: Secrets = {
    instanceId: kept?.instanceId ?? randomBytes(8).toString('hex'),
    actorSecret: kept?.actorSecret ?? randomBytes(32).toString('base64url'),
    sealingSecret: kept?.sealingSecret ?? randomBytes(32).toString('base64url'),
    tokenKey: kept?.tokenKey ?? randomBytes(32).toString('base64url'),
    databasePasswords,
    redisPassword: kept?.redisPassword ?? randomBytes(24).toString('base64url'),
    adminPassword: kept?.adminPassword ?? readable(20),
    adminApplicationPassword: kept?.adminApplicationPassword ?? readable(24),
    administrator: kept?.administrator ?? '',
    announced: kept?.announced ?? false,
    sampled: kept?.sampled ?? false,
  };
  if (JSON.stringify(secrets) !== JSON.stringify(kept)) writePrivateJson(file, secrets);
  return secrets;
}

export const writePrivateJson = (file: string, content: unknown): void =>
  writePrivate(file, `${JSON.stringify(content, null, 2)}\n`);

/**
 * Replaces the file in one step, readable by its owner only: a reader, a crash or a full disk never leaves half a file, nor an
 * empty one.
 */
export function writePrivate(file: string, text: string, owner?: { uid: number; gid: number }): void {
  const half = `${file}.${process.pid}.new`;
  try {
    const handle = openSync(half, 'w', 0o600);
    try {
      // All of it or an error: a disk that becomes full takes a part.
      writeFileSync(handle, text);
      if (owner) fchownSync(handle, owner.uid, owner.gid);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(half, file);
  } catch (error) {
    rmSync(half, { force: true });
    throw cannotWrite(file, error as Error);
  }
}

/** A full disk says by itself neither what was written nor where. */
export const cannotWrite = (file: string, error: Error): Error =>
  new Error(`cannot write ${file}: ${error.message}`, { cause: error });

/** Undefined where there are none. Throws when the file is damaged. */
export function readSecrets(file: string): Partial<Secrets> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Partial<Secrets>;
  } catch {
    throw new Error(
      `${file} is damaged. It holds the passwords of the databases beside it: restore it from a copy.`,
    );
  }
}

/** Letters and digits that people do not mistake for one another. */
function readable(length: number): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
