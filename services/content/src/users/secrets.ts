/**
 * Hashing and making of passwords. A check costs 19 MiB and some 20 ms of a core on purpose; only a few run at once,
 * so that a flood of wrong passwords neither fills the memory nor takes libuv's threads from everything else.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { unavailable } from '@sevenfold/chassis/errors';
import { hash, verify } from '@node-rs/argon2';

// argon2id is the library's default algorithm.
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
const MOST_AT_ONCE = 2;
const MOST_WAITING = 200;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw unavailable('The check of passwords', 2);
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    // The turn passes on without being given up.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export const hashSecret = (secret: string): Promise<string> => inTurn(() => hash(secret, COST));

/** False also for a stored value that is no hash: such a user has no password. */
export const verifySecret = (stored: string, secret: string): Promise<boolean> =>
  inTurn(() => verify(stored, secret).catch(() => false));

let dummy: Promise<string> | undefined;

/** Costs what a check costs and fails: who is unknown is not told apart from who is wrong by the clock. */
export async function refuseSlowly(secret: string): Promise<false> {
  dummy ??= hashSecret(randomBytes(16).toString('hex'));
  await verifySecret(await dummy, secret);
  return false;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 24;

/** 24 characters, about 142 bits. */
export const makeSecret = (): string =>
  Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

/** In groups of four, as people copy it. */
export const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

/** Spaces only help the eye. */
export const ungrouped = (secret: string): string => secret.replace(/\s+/g, '');

/** One byte of the secret's digest: picks the hash to check among those of a user. */
export const hintOf = (secret: string): number => createHash('sha256').update(secret).digest()[0] as number;
