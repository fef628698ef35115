/**
 * What makes two submissions one: the key that their client gave them (a retry), or the same body from the same address
 * within seconds (a double click). Nonces, questions and times that a page adds to a form are none of its body.
 */
import { createHash, createHmac } from 'node:crypto';
import { invalidParam } from '@sevenfold/chassis/errors';
import type { Values } from '../tags/values';
import type { PostedFile } from './posted';

/** Retries come within a day. */
const KEY_SECONDS = 86_400;
const LONGEST_KEY = 255;

export interface Receipt {
  /** One under each secret: processes that sign with different ones, while a secret is replaced, still meet at one of them. */
  readonly keys: readonly Buffer[];
  /** Of the body. */
  readonly digest: Buffer;
  readonly seconds: number;
  /** Whether the client gave the key. */
  readonly given: boolean;
}

export interface Sent {
  readonly formId: number;
  /** Without answers to questions, which are others each time. */
  readonly values: Values;
  readonly files: readonly Pick<PostedFile, 'field' | 'name' | 'md5' | 'bytes'>[];
  readonly address: string;
  readonly header: string | string[] | undefined;
}

/** `repeatSeconds`: how long the same body from the same address is the same submission. */
export function receiptOf(sent: Sent, secrets: readonly Buffer[], repeatSeconds: number): Receipt {
  const { formId, values, files, address, header } = sent;
  const digest = createHash('sha256')
    .update(
      JSON.stringify([formId, values, files.map(({ field, name, md5, bytes }) => [field, name, md5, bytes])]),
    )
    .digest();
  const given = Array.isArray(header) ? header.join() : header;
  if (given === undefined) {
    const keys = keysOf(secrets, 'body', formId, address, digest.toString('hex'));
    return { keys, digest, seconds: repeatSeconds, given: false };
  }
  if (given.trim() === '' || given.length > LONGEST_KEY)
    throw invalidParam('Idempotency-Key', `The header must have 1 to ${LONGEST_KEY} characters.`);
  return { keys: keysOf(secrets, 'key', formId, given), digest, seconds: KEY_SECONDS, given: true };
}

const keysOf = (secrets: readonly Buffer[], ...parts: unknown[]): Buffer[] =>
  secrets.map((secret) => createHmac('sha256', secret).update(JSON.stringify(parts)).digest());
