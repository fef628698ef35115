/**
 * `_envelope`: for clients that see neither status nor headers of an answer, both are put inside the body and the
 * answer itself is always 200. An envelope is `{"body":`, the body as JSON, and this end.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** The headers that say something about the result rather than about its transport. */
const NUMBERS = ['X-Total', 'X-Total-Pages'] as const;
const TEXTS = ['X-Total-Relation', 'Link', 'Location', 'Allow'] as const;

export function envelopeEnd(
  status: number,
  headers: Readonly<Record<string, string>> | IncomingHttpHeaders,
  numbers: readonly string[] = [],
): string {
  const shown: Record<string, string | number> = {};
  if (status < 400) {
    const valueOf = (name: string): string | undefined => {
      const given = (headers as IncomingHttpHeaders)[name] ?? headers[name.toLowerCase()];
      return Array.isArray(given) ? given.join(', ') : given;
    };
    for (const name of [...NUMBERS, ...numbers]) {
      const value = valueOf(name);
      if (value !== undefined) shown[name] = Number(value);
    }
    for (const name of TEXTS) {
      const value = valueOf(name);
      if (value !== undefined) shown[name] = value;
    }
  }
  const told = Object.keys(shown).length === 0 ? [] : shown;
  return `,"status":${status},"headers":${JSON.stringify(told)}}`;
}
