/** From what a service answered to what is kept of it, and from that to what a client gets. */
import type { IncomingHttpHeaders } from 'node:http';
import { BODY_HEADER, hashOf } from '@sevenfold/chassis/http/body-hash';
import { type Place, isFresh, tagsByService } from '@sevenfold/chassis/news/record';
import { NO_NEWS, type Seen, type Told, fromHeaders } from '@sevenfold/chassis/news/seen';
import { isCompressible } from '../edge/codings';
import type { Answer } from '../edge/exchange';
import { keptHeaders } from '../edge/headers';
import { keysOf } from './keys';
import type { ServiceNews } from './news';
import type { Kept, Shown } from './store';

export interface Head extends Pick<Kept, 'status' | 'shown' | 'until'> {
  /** Made for it, and nobody else's. */
  readonly headers: Record<string, string>;
  /** Of the body (chassis/src/http/body-hash.ts), where that is known before it. */
  readonly bodyHash?: string;
}

/** What is known of an answer before its body; undefined where it is not for others, or nobody can tell when it is old. */
export function readHead(
  status: number,
  given: IncomingHttpHeaders,
  service: string,
  news: ReadonlyMap<string, ServiceNews>,
): Head | undefined {
  if (status !== 200 || !isKeepable(given)) return undefined;
  const told = fromHeaders((name) => given[name] as string | undefined);
  const shown = shownBy(told, service, news);
  if (!shown) return undefined;
  const bodyHash = given[BODY_HEADER] as string | undefined;
  return { status, headers: keptHeaders(given), shown, until: told?.until ?? Infinity, bodyHash };
}

/** The same of what the gateway made itself of what services told. */
export function headOf(
  { status, headers = {} }: Answer,
  seen: Seen,
  news: ReadonlyMap<string, ServiceNews>,
): Head | undefined {
  if (status !== 200) return undefined;
  const told = seen.told();
  const shown = shownBy(told, 'gateway', news);
  return shown && { status, headers: { ...headers }, shown, until: told?.until ?? Infinity };
}

/** Caches may keep it, but ask each time. */
export const ASKING = 'max-age=0, must-revalidate';

/** What caches on the way are told of each answer. */
export interface Sharing {
  /** Without being asked for; 0 where they ask each time. */
  readonly seconds: number;
  /** Header of the keys, empty for none. */
  readonly keyHeader: string;
}

export function keptOf(head: Head, body: Buffer, begun: number, { seconds, keyHeader }: Sharing): Kept {
  const { status, headers, shown, until, bodyHash } = head;
  // What the gateway makes itself may have a tag already, and say how long it may be kept.
  const { ETag: given, 'Cache-Control': control } = headers;
  const tag = given === undefined ? tagOf(headers, bodyHash ?? hashOf(body)) : given.slice(1, -1);
  const asks = control === undefined || control === 'no-cache';
  // What became old on its way here has been purged already: a cache that had it now would never be told.
  const mayBeShared = seconds > 0 && shown.every(isFresh);
  if (asks) headers['Cache-Control'] = mayBeShared ? `${ASKING}, s-maxage=${seconds}` : (control ?? ASKING);
  headers.ETag = `"${tag}"`;
  if (keyHeader !== '') {
    const keys = keysOf(shown.map(({ news, tags }) => ({ service: news.service, tags })));
    headers[keyHeader] = keys.join(keyHeader === 'Cache-Tag' ? ',' : ' ');
  }
  return { status, headers, shown, until, tag, body, isCompressible: isCompressible(headers, body), begun };
}

/** What an answer shows of each service, and since when; undefined where nobody can tell. */
function shownBy(
  told: Told | undefined,
  own: string,
  news: ReadonlyMap<string, ServiceNews>,
): Shown[] | undefined {
  if (!told) return undefined;
  const [first = '', ...others] = told.heard.split(' ');
  const of = tagsOf(told.tags, own, first !== NO_NEWS);
  // What several processes told is as old as the oldest of it.
  const since = new Map<string, Place>();
  const heard = others.map((one) => one.split('=') as [string, string]);
  if (first !== NO_NEWS) heard.push([own, first]);
  for (const [service, id] of heard) {
    const place = news.get(service)?.placeOf(id) ?? -1;
    since.set(service, Math.min(place, since.get(service) ?? Infinity));
  }
  const shown: Shown[] = [];
  for (const [service, tags] of of) {
    const [one, place = -1] = [news.get(service), since.get(service)];
    if (!one || place < 0) return undefined;
    shown.push({ news: one, tags, since: place, checked: place });
  }
  return shown.length === 0 ? undefined : shown;
}

const read = new Map<string, ReadonlyMap<string, readonly string[]>>();
const MOST_READ = 1_000;
/** Longer ones are of large lists, and rarely the same twice. */
const LONGEST_READ = 2_000;

/** By service, and its own in any case where it has news. Answers that show the same say so in the same words. */
function tagsOf(text: string, own: string, hasOwn: boolean): ReadonlyMap<string, readonly string[]> {
  const key = `${own} ${hasOwn} ${text}`;
  let known = read.get(key);
  if (!known) {
    const tags = tagsByService(text, own);
    if (hasOwn && !tags.has(own)) tags.set(own, []);
    known = tags;
    if (read.size >= MOST_READ) read.clear();
    if (key.length <= LONGEST_READ) read.set(key, known);
  }
  return known;
}

/** An answer that hangs on who asks, or that its service wants asked for anew, is not for others. */
function isKeepable(headers: IncomingHttpHeaders): boolean {
  return (
    headers.vary === undefined &&
    headers['set-cookie'] === undefined &&
    headers['cache-control'] === undefined &&
    headers['content-encoding'] === undefined
  );
}

/** Of the bytes and of what is said beside them, such as totals. */
function tagOf(headers: Readonly<Record<string, string>>, bodyHash: string): string {
  const { 'X-Total': total, 'X-Total-Pages': pages, Link: link } = headers;
  const isItem = total === undefined && pages === undefined && link === undefined;
  return (isItem ? bodyHash : hashOf([bodyHash, total, pages, link].join('\n'))).slice(0, TAG_LETTERS);
}

/** Of six bits each. */
const TAG_LETTERS = 24;
