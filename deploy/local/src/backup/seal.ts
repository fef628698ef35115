/**
 * Encryption of a backup while it streams: pieces of 64 KB, each under AES-256-GCM with its number and whether it is the
 * last, so that nothing can be changed, moved, left out or cut off unnoticed. The key comes from the passphrase by
 * scrypt; a check beside it tells a wrong passphrase from a damaged file.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

export const SEALED = Buffer.from('SEVENFOLD BACKUP, SEALED, 1\n');
const SALT = 16;
const CHECK = 16;
const HEADER = SEALED.length + SALT + CHECK;
const PIECE = 64 * 1024;
const TAG = 16;
/** A quarter of a second and 128 MB for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

/** What is wrong with the file or the passphrase, for people. */
export class DamagedBackup extends Error {}

interface Keys {
  readonly key: Buffer;
  readonly check: Buffer;
}

function keysOf(passphrase: string, salt: Buffer): Keys {
  // Every mark of it counts, and nobody but its owner waits for it.
  // eslint-disable-next-line no-restricted-syntax
  const bytes = scryptSync(passphrase.normalize('NFC'), salt, 32 + CHECK, COST);
  return { key: bytes.subarray(0, 32), check: bytes.subarray(32) };
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 0);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

export function sealing(passphrase: string): Transform {
  const salt = randomBytes(SALT);
  const { key, check } = keysOf(passphrase, salt);
  const header = Buffer.concat([SEALED, salt, check]);
  const seal = (piece: Buffer, number: number, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(header);
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  };
  const stream = cutting(PIECE, seal);
  stream.push(header);
  return stream;
}

/** Takes the whole file, header and all. Fails with DamagedBackup. */
export function unsealing(passphrase: string): Transform {
  let keys: Keys | undefined;
  let header: Buffer = Buffer.alloc(0);
  const open = (sealed: Buffer, number: number, isLast: boolean): Buffer => {
    if (keys === undefined || sealed.length < TAG) throw new DamagedBackup('The file is cut short.');
    const end = sealed.length - TAG;
    const decipher = createDecipheriv('aes-256-gcm', keys.key, nonceOf(number, isLast)).setAAD(header);
    decipher.setAuthTag(sealed.subarray(end));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
    } catch {
      throw new DamagedBackup(isLast ? 'The file is cut short or changed.' : 'The file is changed.');
    }
  };
  return cutting(PIECE + TAG, open, HEADER, (bytes) => {
    header = Buffer.from(bytes);
    const found = keysOf(passphrase, header.subarray(SEALED.length, SEALED.length + SALT));
    if (!timingSafeEqual(found.check, header.subarray(SEALED.length + SALT)))
      throw new DamagedBackup('The passphrase is wrong.');
    keys = found;
  });
}

/** Hands on pieces of a fixed length; the last one is whatever is left, and told to be the last. */
function cutting(
  length: number,
  turn: (piece: Buffer, number: number, isLast: boolean) => Buffer,
  head = 0,
  onHead?: (head: Buffer) => void,
): Transform {
  let waiting: Buffer = Buffer.alloc(0);
  let number = 0;
  let headIsRead = head === 0;
  const attempt = (done: TransformCallback, work: () => void): void => {
    try {
      work();
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
  return new Transform({
    transform(this: Transform, chunk: Buffer, _encoding, done) {
      attempt(done, () => {
        waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
        if (!headIsRead) {
          if (waiting.length < head) return;
          onHead?.(waiting.subarray(0, head));
          waiting = waiting.subarray(head);
          headIsRead = true;
        }
        // A whole piece may still be the last one: only what comes after it tells.
        while (waiting.length > length) {
          this.push(turn(waiting.subarray(0, length), number, false));
          waiting = waiting.subarray(length);
          number += 1;
        }
      });
    },
    flush(this: Transform, done) {
      attempt(done, () => void this.push(turn(waiting, number, true)));
    },
  });
}
