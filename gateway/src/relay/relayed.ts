/**
 * How the answer of a service goes to the client: piece by piece, the head with the first one, so that of an answer that breaks off before
 * that the client can still be told. Wrapped it does so, too: what the wrapping ends with is known when the body begins, so nothing is kept.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { isComing } from '@sevenfold/chassis/http/connections';
import { ownHeaders } from '../edge/answer';
import type { Exchange } from '../edge/exchange';
import { answerHeaders, keptHeaders } from '../edge/headers';
import { type Wrapping, around, isJson } from '../edge/wrapping';
import type { Translator } from '../profiles/json';

export interface Answering {
  /** False when the client should be given time; `drain` of the response tells when it had it. */
  write(chunk: Buffer): boolean;
  end(): void;
}

/** Whatever a service sends with it, or says of its length. */
export const hasNoBody = (status: number): boolean => status === 204 || status === 304;

/** Throws when the head cannot be sent on. */
export function beginAnswer(exchange: Exchange, status: number, headers: IncomingHttpHeaders): Answering {
  const { request, response } = exchange;
  exchange.beforeAnswer?.(headers);
  // Whatever comes in its place, should it break off.
  exchange.beforeAnswer = undefined;
  // The rest of the body has nowhere to go: another request cannot follow it.
  if (isComing(request)) response.shouldKeepAlive = false;
  const { profile } = exchange;
  const translator = profile?.translator(exchange, status, headers['content-type']);
  const told = profile ? profile.headers(exchange, headers, translator !== undefined) : headers;
  const { wrapping } = exchange;
  const answer = wrapping
    ? beginWrapped(exchange, wrapping, status, told)
    : beginPlain(exchange, status, hasNoBody(status) ? { ...told, 'content-length': undefined } : told);
  return translator ? through(translator, answer) : answer;
}

function beginPlain(exchange: Exchange, status: number, headers: IncomingHttpHeaders): Answering {
  const { response } = exchange;
  const list = answerHeaders(exchange, headers);
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(status, list);
  };
  return {
    write: (chunk) => {
      begin();
      return response.write(chunk);
    },
    end: () => {
      begin();
      response.end();
    },
  };
}

/** In other words than the service's; nothing is kept that can go on. */
const through = (translator: Translator, answer: Answering): Answering => ({
  write: (chunk) => {
    const told = translator.write(chunk);
    return told.length === 0 || answer.write(told);
  },
  end: () => {
    const rest = translator.end();
    if (rest.length > 0) answer.write(rest);
    answer.end();
  },
});

function beginWrapped(
  exchange: Exchange,
  wrapping: Wrapping,
  status: number,
  headers: IncomingHttpHeaders,
): Answering {
  const { response } = exchange;
  const decoder = isJson(headers['content-type'] ?? '') ? undefined : new StringDecoder('utf8');
  const inText = (text: string): string => JSON.stringify(text).slice(1, -1);
  let empty = true;
  const list = ownHeaders(exchange, around(wrapping, keptHeaders(headers)));
  const begin = (): void => {
    if (response.headersSent) return;
    response.writeHead(wrapping.envelope ? 200 : status, list);
    response.write(wrapping.before);
  };
  return {
    write: (chunk) => {
      if (chunk.length === 0) return true;
      begin();
      const first = empty;
      empty = false;
      if (!decoder) return response.write(chunk);
      return response.write((first ? '"' : '') + inText(decoder.write(chunk)));
    },
    end: () => {
      begin();
      const last = empty ? 'null' : decoder ? `${inText(decoder.end())}"` : '';
      response.end(last + wrapping.after(status, headers, exchange.profile?.numbers));
    },
  };
}
