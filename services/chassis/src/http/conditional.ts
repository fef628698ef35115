/**
 * Conditions of a read, compared with what there is (RFC 9110, 13.2.2): whether the client has it already, or wants only what it
 * knows. By tag where it names any, else by time.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parseHttpDate } from './http-date';

/** What there is. */
export interface Current {
  /** As the answer says it. */
  readonly etag: string;
  readonly modified?: Date;
  /** Whether this is the tag, without quotes, of another form of it. */
  readonly isForm?: (name: string) => boolean;
}

export interface Tag {
  /** Without quotes and the mark of weakness. */
  readonly name: string;
  readonly isWeak: boolean;
}

/** Whether it stands for whatever there is; in quotes it is a tag like others. */
export const isAny = (header: string): boolean => header.trim() === '*';

/** Those of `If-Match` or `If-None-Match`. */
export const tagsIn = (header = ''): Tag[] =>
  Array.from(header.matchAll(/(W\/)?"([^"]*)"/g), ([, weak, name = '']) => ({
    name,
    isWeak: weak !== undefined,
  }));

/** Most requests have none, and nothing is to be done for them. */
export const hasConditions = (headers: IncomingHttpHeaders): boolean =>
  headers['if-none-match'] !== undefined ||
  headers['if-modified-since'] !== undefined ||
  headers['if-match'] !== undefined ||
  headers['if-unmodified-since'] !== undefined;

/** Whether the client wants what it knows and there is something else: 412, before all other conditions. */
export function isOther(headers: IncomingHttpHeaders, current: Current): boolean {
  const { modified } = current;
  const wanted = headers['if-match'];
  if (wanted === undefined)
    return modified !== undefined && wholeSeconds(modified) > parseHttpDate(headers['if-unmodified-since']);
  return !isAny(wanted) && !tagsIn(wanted).some(({ name, isWeak }) => !isWeak && isOwn(current, name));
}

/**
 * The tag for a 304, of what the client has; undefined where it has not got it. Weak tags count: who reads a whole thing gains
 * nothing from the difference. They stay weak in the answer, which would else say of a copy that its bytes are the same.
 */
export function knownAs(headers: IncomingHttpHeaders, current: Current): string | undefined {
  const { etag, modified } = current;
  const named = headers['if-none-match'];
  // Of most clients.
  if (named === etag) return etag;
  if (named === undefined) {
    const since = parseHttpDate(headers['if-modified-since']);
    return modified !== undefined && wholeSeconds(modified) <= since ? etag : undefined;
  }
  if (isAny(named)) return etag;
  const own = tagsIn(named).filter(({ name }) => isOwn(current, name));
  const known = own.find(({ name }) => isSent(current, name)) ?? own[0];
  return known && `${known.isWeak ? 'W/' : ''}"${known.name}"`;
}

const isSent = ({ etag }: Current, name: string): boolean => etag.endsWith(`"${name}"`);
const isOwn = (current: Current, name: string): boolean =>
  isSent(current, name) || current.isForm?.(name) === true;

/** HTTP knows no less. */
export const wholeSeconds = (date: Date): number => Math.floor(date.getTime() / 1000) * 1000;
