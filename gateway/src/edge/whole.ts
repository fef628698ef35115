/** An answer that is there as a whole, and from that what one client gets: which of its forms, or the word that he has it. */
import { preconditionFailed } from '@sevenfold/chassis/errors';
import { hasConditions, isOther, knownAs } from '@sevenfold/chassis/http/conditional';
import { type Coding, isTagTaken, isWorthStreaming, tagOfForm } from './codings';
import { type Answer, type Exchange, isReading } from './exchange';

export interface Whole {
  readonly status: number;
  /** In proper letters; without those of connections and of services among themselves. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isCompressible: boolean;
  /** Forms that have been made; where the body itself is one, compressing it gains nothing. */
  readonly forms?: Readonly<Partial<Record<Coding, Buffer>>>;
  /** What its ETag has between the quotes. */
  readonly tag: string;
  readonly page?: boolean;
  /** When it ends by itself, in milliseconds since 1970. */
  readonly until?: number;
}

/** The answer in the form that its client takes, or the word that he has it. Throws 412 where he wants another one. */
export function answerOf(
  kept: Whole,
  exchange: Exchange,
  coding: Coding | undefined,
  cached?: Answer['cached'],
): Answer {
  const { status, page, tag, until = Infinity } = kept;
  const vary = variesBy(kept);
  // Copied only for what is another for this client: a copy costs Node 20 as much as all the rest here.
  const headers =
    until < Infinity
      ? { ...kept.headers, 'Cache-Control': untilThen(kept.headers['Cache-Control'], until) }
      : kept.headers;
  const form = formOf(kept, coding, cached);
  const etag = form?.etag ?? `"${tag}"`;
  const known = exchange.wrapping ? undefined : knownTo(exchange, tag, etag, headers['Last-Modified']);
  if (known !== undefined) {
    const named = known === headers.ETag ? headers : { ...headers, ETag: known };
    return { status: 304, headers: named, body: NOTHING, vary, page, cached };
  }
  if (!form) return { status, headers, body: kept.body, vary, page, cached };
  if (!form.body)
    return { status, headers: { ...headers, ETag: etag }, body: kept.body, vary, page, coding, cached };
  return {
    status,
    headers: { ...headers, 'Content-Encoding': form.coding, ETag: etag },
    body: form.body,
    vary,
    page,
    cached,
  };
}

interface Form {
  readonly coding: Coding;
  readonly etag: string;
  /** Absent where it is made while it is sent. */
  readonly body?: Buffer;
}

/** Undefined for the answer as it is. */
function formOf(
  { tag, body, forms }: Whole,
  coding: Coding | undefined,
  cached: Answer['cached'],
): Form | undefined {
  if (!coding) return undefined;
  const made = forms?.[coding];
  const etag = `"${tagOfForm(tag, coding)}"`;
  if (made) return made === body ? undefined : { coding, etag, body: made };
  // Of bytes that nobody has seen before they are sent there is no other tag.
  return cached === 'miss' && isWorthStreaming(body) ? { coding, etag: `W/${etag}` } : undefined;
}

/** The same word of an answer that nothing is kept of; what is kept has been compared before it was given its form. */
export function unlessKnown(answer: Answer, exchange: Exchange): Answer {
  const { status, headers = {}, page, cached } = answer;
  const { ETag: etag, 'Last-Modified': modified } = headers;
  if (cached !== undefined || etag === undefined || (status !== 200 && status !== 304)) return answer;
  const known = knownTo(exchange, etag.slice(1, -1), etag, modified);
  if (known === undefined) return answer;
  return { status: 304, headers: { ...headers, ETag: known }, body: NOTHING, page };
}

/** The tag of what the client has, where that is this answer in a form that he takes; `etag` is that of what he would get. */
function knownTo(
  { sentMethod, request: { headers } }: Exchange,
  tag: string,
  etag: string,
  modified: string | undefined,
): string | undefined {
  // A cache that has passed on a POST makes nothing of 304, whatever we took it for.
  if (!hasConditions(headers) || !isReading(sentMethod)) return undefined;
  const current = {
    etag,
    modified: modified === undefined ? undefined : new Date(modified),
    isForm: (name: string) => isTagTaken(headers, tag, name),
  };
  if (isOther(headers, current)) throw preconditionFailed();
  return knownAs(headers, current);
}

/**
 * Caches on the way that show something to all without asking would show it to whoever comes with a credential, too, whose answer may
 * be another one, and who is to hear of one that is wrong.
 */
function variesBy({ isCompressible, headers }: Whole): string | undefined {
  const coding = isCompressible ? 'Accept-Encoding' : undefined;
  if (!headers['Cache-Control']?.includes('s-maxage')) return coding;
  return coding ? `${coding}, Authorization` : 'Authorization';
}

/** Of how long caches may keep it, no more than is left: when it ends there is no news that would tell them. */
const untilThen = (control = '', until: number): string =>
  control.replace(/(max-?age)=(\d+)/g, (_, name: string, seconds: string) => {
    const left = Math.max(0, Math.floor((until - Date.now()) / 1000));
    return `${name}=${Math.min(Number(seconds), left)}`;
  });

const NOTHING = Buffer.alloc(0);
