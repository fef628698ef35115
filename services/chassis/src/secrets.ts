import { hkdfSync } from 'node:crypto';

/** Secrets that are lists, separated by commas: the first one makes what is new, the others still count for what is old. */
export const secretsOf = (text: string): string[] =>
  text
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');

/** Keys of a secret for one purpose, which tell nothing of those for another: `use` is what each is for, `bytes` its length. */
export const deriver =
  (purpose: string) =>
  (secret: string, use: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, purpose, use, bytes));
