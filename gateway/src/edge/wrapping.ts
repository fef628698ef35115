/**
 * What clients get around a body that cannot take an answer as it is. `_envelope`: those that see neither status nor headers have
 * both inside the body, `{"body":`, the body as JSON, and the rest; the answer itself is always 200. `_jsonp`, where it is
 * configured: pages of a time before CORS load an answer as a script that calls their function with it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { errors } from './errors';

type Headers = Readonly<Record<string, string>> | IncomingHttpHeaders;

/** Compressed and compared are only bodies that are not wrapped. */
export interface Wrapping {
  readonly before: string;
  after(status: number, headers: Headers, numbers?: readonly string[]): string;
  /** The status and the headers are inside the body. */
  readonly envelope: boolean;
  /** The type of the whole, where wrapping made it another. */
  readonly type?: string;
}

/** The headers that say something about the result rather than about its transport. */
const NUMBERS = ['X-Total', 'X-Total-Pages'] as const;
const TEXTS = ['X-Total-Relation', 'Link', 'Location', 'Allow'] as const;

function envelopeEnd(status: number, headers: Headers, numbers: readonly string[] = []): string {
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

/** What else becomes a text inside the wrapping. */
export const isJson = (type: string): boolean => /^application\/(?:[\w.+-]+\+)?json/.test(type);

/** Headers of the whole. Undefined where they are inside, which leaves those of any answer. */
export function around(
  { envelope, type }: Wrapping,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  if (type === undefined) return undefined;
  const { ETag: _tag, 'Last-Modified': _modified, ...told } = headers;
  return envelope ? { 'Content-Type': type } : { ...told, 'Content-Type': type };
}

const ENVELOPE: Wrapping = { before: '{"body":', after: envelopeEnd, envelope: true };

const ASKS_ENVELOPE = /(?:^|&)_envelope(?:=|&|$)/;
const ASKS_CALL = /(?:^|&)_jsonp=([^&]*)/;
const CALLS = /(?:^|&)_jsonp=[^&]*/g;
const FUNCTION = /^[\w.]{1,200}$/;

export const envelopeOf = (query: string): Wrapping | undefined =>
  query.includes('_envelope') && ASKS_ENVELOPE.test(query) ? ENVELOPE : undefined;

/**
 * The wrapping of a read that asks for a script, and its query without that: the function has another name each time, the answer
 * has not. Throws 400 for a name that is none, and 403 where the read comes with a credential: the page that loads a script may be
 * anybody's.
 */
export function callOf(
  query: string,
  inside: Wrapping | undefined,
  hasCredential: boolean,
): { wrapping: Wrapping; query: string } | undefined {
  const given = ASKS_CALL.exec(query)?.[1];
  if (given === undefined) return undefined;
  if (!FUNCTION.test(given)) throw errors.badCallback();
  if (hasCredential) throw errors.callWithCredential();
  const rest = query.replace(CALLS, '');
  return {
    query: rest.startsWith('&') ? rest.slice(1) : rest,
    wrapping: {
      // Begun by something harmless: the first bytes of an answer are not the client's to choose.
      before: `/**/${given}(${inside?.before ?? ''}`,
      after: (...told) => `${inside?.after(...told) ?? ''})`,
      envelope: inside !== undefined,
      type: 'application/javascript; charset=UTF-8',
    },
  };
}
