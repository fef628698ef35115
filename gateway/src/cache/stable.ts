/**
 * Answers that the gateway makes when something changes and not when somebody asks: indexes, documents. They are the same bytes
 * for everybody until then, so each has a tag and compressed forms as what is kept has, for as long as it is there itself.
 */
import { createHash } from 'node:crypto';
import { type Coding, codingFor, isCompressible } from '../edge/codings';
import { JSON_TYPE } from '../edge/answer';
import type { Answer, Exchange } from '../edge/exchange';
import { type Whole, answerOf } from '../edge/whole';
import { ASKING } from './make';
import type { Press } from './press';

export type ShowStable = (exchange: Exchange, answer: Answer) => Answer;

interface Known {
  readonly tag: string;
  readonly forms: Partial<Record<Coding, Buffer>>;
  /** As it was sent last, which is how it is sent the next time: it hangs on the headers that come with the body. */
  sent?: { readonly given: Answer['headers']; readonly whole: Whole };
}

export function openStable({ press }: Press): ShowStable {
  const known = new WeakMap<Buffer, Known>();
  const learn = (body: Buffer): Known => {
    const one = { tag: createHash('sha1').update(body).digest('base64url'), forms: {} };
    known.set(body, one);
    return one;
  };
  const wholeOf = (answer: Answer, { tag, forms }: Known): Whole => {
    const { status, headers: given, body, page } = answer;
    const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': ASKING, ...given, ETag: `"${tag}"` };
    return { status, headers, body, isCompressible: isCompressible(headers, body), forms, tag, page };
  };
  return (exchange, answer) => {
    const { status, headers: given, body } = answer;
    // Answers to credentials are for nobody else, and compressing them would tell of what is in them.
    if (status !== 200 || exchange.caller) return answer;
    const one: Known = known.get(body) ?? learn(body);
    if (!one.sent || one.sent.given !== given) one.sent = { given, whole: wholeOf(answer, one) };
    const { whole } = one.sent;
    const coding =
      whole.isCompressible && !exchange.wrapping ? codingFor(exchange.request.headers) : undefined;
    if (coding && !one.forms[coding]) press(body, coding, (form) => (one.forms[coding] = form));
    return answerOf(whole, exchange, coding);
  };
}
