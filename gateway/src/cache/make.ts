/** From what a service answered to what is kept of it, and from that to what a client gets. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Place, tagsByService } from '@sevenfold/chassis/news/record';
import { NO_NEWS, type Seen, type Told, fromHeaders } from '@sevenfold/chassis/news/seen';
import { isCompressible } from '../edge/codings';
import type { Answer } from '../edge/exchange';
import { keptHeaders } from '../edge/headers';
import { keysOf } from './keys';
import type { ServiceNews } from './news';
import type { Kept, Shown } from './store';

export type Head = Pick<Kept, 'status' | 'headers' | 'shown' | 'until'>;

/** Larger answers are passed on as they come. */
const MOST_ANSWER_BYTES = 1024 * 1024;

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
  return shown && { status, headers: keptHeaders(given), shown, until: told?.until ?? Infinity };
}

/** The same of what the gateway made itself of what services told. */
export function headOf(
  { status, headers = {}, body }: Answer,
  seen: Seen,
  news: ReadonlyMap<string, ServiceNews>,
): Head | undefined {
  if (status !== 200 || body.length > MOST_ANSWER_BYTES) return undefined;
  const told = seen.told();
  const shown = shownBy(told, 'gateway', news);
  return shown && { status, headers, shown, until: told?.until ?? Infinity };
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
  // What the gateway makes itself may have a tag already, and say how long it may be kept.
  const { ETag: given, 'Cache-Control': control } = head.headers;
  const tag = given === undefined ? tagOf(head.headers, body) : given.slice(1, -1);
  const asks = control === undefined || control === 'no-cache';
  const headers: Record<string, string> = {
    ...head.headers,
    ...(asks && { 'Cache-Control': seconds > 0 ? `${ASKING}, s-maxage=${seconds}` : (control ?? ASKING) }),
    ETag: `"${tag}"`,
  };
  if (keyHeader !== '') {
    const keys = keysOf(head.shown.map(({ news, tags }) => ({ service: news.service, tags })));
    headers[keyHeader] = keys.join(keyHeader === 'Cache-Tag' ? ',' : ' ');
  }
  return { ...head, headers, tag, body, isCompressible: isCompressible(head.headers, body), begun };
}

/** What an answer shows of each service, and since when; undefined where nobody can tell. */
function shownBy(
  told: Told | undefined,
  own: string,
  news: ReadonlyMap<string, ServiceNews>,
): Shown[] | undefined {
  if (!told) return undefined;
  const [first = '', ...others] = told.heard.split(' ');
  const of = tagsByService(told.tags, own);
  if (first !== NO_NEWS && !of.has(own)) of.set(own, []);
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

/** An answer that hangs on who asks, or that its service wants asked for anew, is not for others. */
function isKeepable(headers: IncomingHttpHeaders): boolean {
  const length = Number(headers['content-length']);
  return (
    length <= MOST_ANSWER_BYTES &&
    headers.vary === undefined &&
    headers['set-cookie'] === undefined &&
    headers['cache-control'] === undefined &&
    headers['content-encoding'] === undefined
  );
}

/** Of the bytes and of what is said beside them, such as totals. */
function tagOf(headers: Readonly<Record<string, string>>, body: Buffer): string {
  const hash = createHash('sha1').update(body);
  for (const name of ['X-Total', 'X-Total-Pages', 'Link']) hash.update(`\n${headers[name] ?? ''}`);
  return hash.digest('base64url');
}
