/** What makes two reports the same: their meaning, not the order of their keys or the notation of their numbers. */
import { createHash, timingSafeEqual } from 'node:crypto';

export const digestOf = (value: unknown): Buffer => createHash('sha256').update(canonical(value)).digest();

/** JSON with sorted keys. The body was checked for depth when it was read. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = value as Record<string, unknown>;
    const parts: string[] = [];
    for (const key of Object.keys(fields).sort())
      if (fields[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonical(fields[key])}`);
    return `{${parts.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Takes the same time wherever the texts differ, and whatever their lengths. */
export function sameSecret(given: string, wanted: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
