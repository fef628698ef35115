/**
 * Answers that the gateway makes when something changes and not when somebody asks: indexes, documents. They are the same bytes
 * for everybody until then, so each has a tag and compressed forms as what is kept has, for as long as it is there itself.
 */
import { createHash } from 'node:crypto';
import { type Coding, codingFor, isCompressible } from '../edge/codings';
import { JSON_TYPE } from '../edge/answer';
import type { Answer, Exchange } from '../edge/exchange';
import { answerOf } from '../edge/whole';
import { ASKING } from './make';
import type { Press } from './press';

export type ShowStable = (exchange: Exchange, answer: Answer) => Answer;

interface Known {
  readonly tag: string;
  readonly forms: Partial<Record<Coding, Buffer>>;
}

export function openStable({ press }: Press): ShowStable {
  const known = new WeakMap<Buffer, Known>();
  const learn = (body: Buffer): Known => {
    const one = { tag: createHash('sha1').update(body).digest('base64url'), forms: {} };
    known.set(body, one);
    return one;
  };
  return (exchange, answer) => {
    const { status, headers: given = {}, body } = answer;
    // Answers to credentials are for nobody else, and compressing them would tell of what is in them.
    if (status !== 200 || exchange.caller) return answer;
    const one = known.get(body) ?? learn(body);
    const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': ASKING, ...given, ETag: `"${one.tag}"` };
    const whole = { ...answer, headers, ...one, isCompressible: isCompressible(headers, body) };
    const coding =
      whole.isCompressible && !exchange.envelope ? codingFor(exchange.request.headers) : undefined;
    if (coding && !one.forms[coding]) press(body, coding, (form) => (one.forms[coding] = form));
    return answerOf(whole, exchange, coding);
  };
}
