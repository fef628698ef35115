/** An answer that is there as a whole, and from that what one client gets: which of its forms, or the word that he has it. */
import { type Coding, isWorthStreaming, tagKnown, tagOfForm } from './codings';
import type { Answer, Exchange } from './exchange';

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
}

/** The answer in the form that its client takes, or the word that he has it. */
export function answerOf(
  kept: Whole,
  exchange: Exchange,
  coding: Coding | undefined,
  result?: 'hit' | 'shared' | 'miss',
): Answer {
  const { page } = kept;
  const vary = kept.isCompressible ? 'Accept-Encoding' : undefined;
  const headers: Record<string, string> = { ...kept.headers, ...(result && { 'X-Cache': result }) };
  const known = exchange.envelope
    ? undefined
    : tagKnown(exchange.request.headers, kept.tag, kept.headers['Last-Modified']);
  if (known !== undefined)
    return { status: 304, headers: { ...headers, ETag: `"${known}"` }, body: NOTHING, vary, page };
  const form = coding && kept.forms?.[coding];
  if (coding && form && form !== kept.body) {
    headers['Content-Encoding'] = coding;
    headers.ETag = `"${tagOfForm(kept.tag, coding)}"`;
    return { status: kept.status, headers, body: form, vary, page };
  }
  if (!coding || form || result !== 'miss' || !isWorthStreaming(kept.body))
    return { status: kept.status, headers, body: kept.body, vary, page };
  // Of bytes that nobody has seen before they are sent there is no other.
  headers.ETag = `W/"${kept.tag}"`;
  return { status: kept.status, headers, body: kept.body, vary, page, coding };
}

const NOTHING = Buffer.alloc(0);
