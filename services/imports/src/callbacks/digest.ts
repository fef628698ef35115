/** What makes two reports the same: their meaning, not the order of their keys or the notation of their numbers. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Of a list, each of whose parts is given as `canonical` writes it. */
export const digestOf = (...parts: readonly string[]): Buffer =>
  createHash('sha256')
    .update(`[${parts.join(',')}]`)
    .digest();

/** JSON with sorted keys. The body was checked for depth when it was read. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = value as Record<string, unknown>;
    const parts: string[] = [];
    for (const key of Object.keys(fields).sort())
      if (fields[key] !== undefined) parts.push(`${quoted(key)}:${canonical(fields[key])}`);
    return `{${parts.join(',')}}`;
  }
  // `1e400` is none that JavaScript knows, and something else than nothing.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999';
  return JSON.stringify(value);
}

// A batch has thousands of texts and keys, and for each of them calling JSON costs more than looking at it.
const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/;

const quoted = (text: string): string => (NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text));

/** Takes the same time wherever the texts differ, and whatever their lengths. */
export function sameSecret(given: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
