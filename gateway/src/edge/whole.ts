/** An answer that is there as a whole, and from that what one client gets: which of its forms, or the word that he has it. */
import { type Coding, isWorthStreaming, tagKnown, tagOfForm } from './codings';
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

/** The answer in the form that its client takes, or the word that he has it. */
export function answerOf(
  kept: Whole,
  exchange: Exchange,
  coding: Coding | undefined,
  cached?: Answer['cached'],
): Answer {
  const { page, until = Infinity } = kept;
  const vary = variesBy(kept);
  const { method, headers: asked } = exchange.request;
  // Copied only for what is another for this client: a copy costs Node 20 as much as all the rest here.
  const headers =
    until < Infinity
      ? { ...kept.headers, 'Cache-Control': untilThen(kept.headers['Cache-Control'], until) }
      : kept.headers;
  const known =
    exchange.wrapping || !isReading(method)
      ? undefined
      : tagKnown(asked, kept.tag, kept.headers['Last-Modified']);
  if (known !== undefined) {
    const named = known === kept.tag ? headers : { ...headers, ETag: `"${known}"` };
    return { status: 304, headers: named, body: NOTHING, vary, page, cached };
  }
  const { status } = kept;
  const form = coding && kept.forms?.[coding];
  if (coding && form && form !== kept.body) {
    const ETag = `"${tagOfForm(kept.tag, coding)}"`;
    return {
      status,
      headers: { ...headers, 'Content-Encoding': coding, ETag },
      body: form,
      vary,
      page,
      cached,
    };
  }
  if (!coding || form || cached !== 'miss' || !isWorthStreaming(kept.body))
    return { status, headers, body: kept.body, vary, page, cached };
  // Of bytes that nobody has seen before they are sent there is no other.
  const ETag = `W/"${kept.tag}"`;
  return { status, headers: { ...headers, ETag }, body: kept.body, vary, page, coding, cached };
}

/** The same word of an answer that nothing is kept of. */
export function unlessKnown(answer: Answer, { request }: Exchange): Answer {
  const { status, headers = {}, page } = answer;
  const { ETag: tag, 'Last-Modified': modified } = headers;
  if (status !== 200 || tag === undefined) return answer;
  const known = tagKnown(request.headers, tag.slice(1, -1), modified);
  if (known === undefined) return answer;
  return { status: 304, headers: { ...headers, ETag: `"${known}"` }, body: NOTHING, page };
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
