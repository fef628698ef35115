/**
 * `_envelope`: for clients that see neither status nor headers of an answer, both are put inside the body and the
 * answer itself is always 200. An envelope is `{"body":`, the body as JSON, and this end.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** The headers that say something about the result rather than about its transport. */
const SHOWN = ['X-Total', 'X-Total-Pages', 'X-Total-Relation', 'Link', 'Location', 'Allow'] as const;

export function envelopeEnd(
  status: number,
  headers: Readonly<Record<string, string>> | IncomingHttpHeaders,
): string {
  const shown: Record<string, string | number> = {};
  if (status < 400) {
    for (const name of SHOWN) {
      const given = (headers as IncomingHttpHeaders)[name] ?? headers[name.toLowerCase()];
      const value = Array.isArray(given) ? given.join(', ') : given;
      if (value !== undefined) shown[name] = name.startsWith('X-') ? Number(value) : value;
    }
  }
  const told = Object.keys(shown).length === 0 ? [] : shown;
  return `,"status":${status},"headers":${JSON.stringify(told)}}`;
}
