/**
 * Hashing and making of passwords. A check costs 19 MiB and some 20 ms of a core on purpose; only a few run at once,
 * so that a flood of wrong passwords neither fills the memory nor takes libuv's threads from everything else.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { laneOfUser, openTurns } from './turns';

// argon2id is the library's default algorithm.
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/**
 * For all that hashes. A lane that is full is some hundred milliseconds long: who comes after it would wait about as
 * long as callers do.
 */
export const turns = openTurns({
  atOnce: 2,
  strangersAtOnce: 1,
  waitingInLane: 8,
  waitingInLanes: 200,
  waitingKnown: 200,
});

/** For those who are logged in, and may: `by` is the log-in name of whoever asks, empty where that is the site itself. */
export const hashSecret = (secret: string, by = ''): Promise<string> =>
  turns.take({ lane: laneOfUser(by), isKnown: true }, () => hash(secret, COST));

/** Within a turn. False also for a stored value that is no hash: such a user has no password. */
export const verifySecret = (stored: string, secret: string): Promise<boolean> =>
  verify(stored, secret).catch(() => false);

let dummy: Promise<string> | undefined;

/** Costs what a check costs and fails: who is unknown is not told apart from who is wrong by the clock. */
export async function refuseSlowly(secret: string): Promise<false> {
  dummy ??= hash(randomBytes(16).toString('hex'), COST);
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
