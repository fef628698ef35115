/** From what a service answered to what is kept of it, and from that to what a client gets. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HEARD_HEADER, TAGS_HEADER, UNTIL_HEADER } from '@sevenfold/chassis/http/shows';
import { type Coding, isCompressible, isWorthStreaming, tagKnown, tagOfForm } from '../edge/codings';
import type { Answer, Exchange } from '../edge/exchange';
import { keptHeaders } from '../edge/headers';
import { keysOf } from './keys';
import type { Place, ServiceNews } from './news';
import { type Kept, type Shown, readTags } from './store';

/** The answer in the form that its client takes, or the word that he has it. */
export function answerOf(kept: Kept, exchange: Exchange, coding: Coding | undefined, result: string): Answer {
  const vary = kept.isCompressible ? 'Accept-Encoding' : undefined;
  const headers: Record<string, string> = { ...kept.headers, 'X-Cache': result };
  const known = exchange.envelope ? undefined : tagKnown(exchange.request.headers, kept.tag);
  if (known !== undefined)
    return { status: 304, headers: { ...headers, ETag: `"${known}"` }, body: NOTHING, vary };
  const form = coding && kept.forms?.[coding];
  if (coding && form && form !== kept.body) {
    headers['Content-Encoding'] = coding;
    headers.ETag = `"${tagOfForm(kept.tag, coding)}"`;
    return { status: kept.status, headers, body: form, vary };
  }
  if (!coding || form || result !== 'miss' || !isWorthStreaming(kept.body))
    return { status: kept.status, headers, body: kept.body, vary };
  // Of bytes that nobody has seen before they are sent there is no other.
  headers.ETag = `W/"${kept.tag}"`;
  return { status: kept.status, headers, body: kept.body, vary, coding };
}

const NOTHING = Buffer.alloc(0);

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
  const shown = status === 200 && isKeepable(given) ? shownBy(given, service, news) : undefined;
  return (
    shown && { status, headers: keptHeaders(given), shown, until: Number(given[UNTIL_HEADER] ?? Infinity) }
  );
}

/** What caches on the way are told of each answer. */
export interface Sharing {
  /** Without being asked for; 0 where they ask each time. */
  readonly seconds: number;
  /** Header of the keys, empty for none. */
  readonly keyHeader: string;
}

export function keptOf(head: Head, body: Buffer, begun: number, { seconds, keyHeader }: Sharing): Kept {
  const tag = tagOf(head.headers, body);
  const headers: Record<string, string> = {
    ...head.headers,
    'Cache-Control': `max-age=0, must-revalidate${seconds > 0 ? `, s-maxage=${seconds}` : ''}`,
    ETag: `"${tag}"`,
  };
  if (keyHeader !== '') {
    const keys = keysOf(head.shown.map(({ news, tags }) => ({ service: news.service, tags })));
    headers[keyHeader] = keys.join(keyHeader === 'Cache-Tag' ? ',' : ' ');
  }
  return { ...head, headers, tag, body, isCompressible: isCompressible(head.headers, body), begun };
}

/** What an answer shows of each service, and since when; undefined where it does not say, or nobody can tell. */
function shownBy(
  headers: IncomingHttpHeaders,
  own: string,
  news: ReadonlyMap<string, ServiceNews>,
): Shown[] | undefined {
  const tags = readTags(headers[TAGS_HEADER] as string | undefined);
  const [first = '', ...others] = String(headers[HEARD_HEADER] ?? '').split(' ');
  if (!tags) return undefined;
  const heard = new Map([[own, first], ...others.map((one) => one.split('=') as [string, string])]);
  const of = new Map<string, string[]>([[own, []]]);
  for (const tag of tags) {
    const slash = tag.indexOf('/');
    const service = slash < 0 ? own : tag.slice(0, slash);
    const list = of.get(service);
    if (list) list.push(tag.slice(slash + 1));
    else of.set(service, [tag.slice(slash + 1)]);
  }
  const shown: Shown[] = [];
  for (const [service, its] of of) {
    const one = news.get(service);
    const since: Place | undefined = one?.placeOf(heard.get(service) ?? '');
    if (!one || since === undefined) return undefined;
    shown.push({ news: one, tags: its, since, checked: since });
  }
  return shown;
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
