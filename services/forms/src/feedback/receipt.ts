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
  readonly key: Buffer;
  /** Of the body. */
  readonly digest: Buffer;
  readonly seconds: number;
  /** Whether the client gave the key. */
  readonly given: boolean;
}

export interface Sent {
  readonly formId: number;
  readonly values: Values;
  readonly files: readonly Pick<PostedFile, 'field' | 'name' | 'md5' | 'bytes'>[];
  readonly address: string;
  readonly header: string | string[] | undefined;
}

/** `repeatSeconds`: how long the same body from the same address is the same submission. */
export function receiptOf(sent: Sent, secret: Buffer, repeatSeconds: number): Receipt {
  const { formId, values, files, address, header } = sent;
  const digest = createHash('sha256')
    .update(
      JSON.stringify([formId, values, files.map(({ field, name, md5, bytes }) => [field, name, md5, bytes])]),
    )
    .digest();
  const given = Array.isArray(header) ? header.join() : header;
  if (given === undefined) {
    const key = keyOf(secret, 'body', formId, address, digest.toString('hex'));
    return { key, digest, seconds: repeatSeconds, given: false };
  }
  if (given.trim() === '' || given.length > LONGEST_KEY)
    throw invalidParam('Idempotency-Key', `The header must have 1 to ${LONGEST_KEY} characters.`);
  return { key: keyOf(secret, 'key', formId, given), digest, seconds: KEY_SECONDS, given: true };
}

const keyOf = (secret: Buffer, ...parts: unknown[]): Buffer =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
