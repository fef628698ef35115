/**
 * The way of requests whose answer goes into an envelope: it is fetched whole, since the envelope begins with its
 * body and ends with its status.
 */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { jsonAnswer, send } from './answer';
import { envelopeOf } from './envelope';
import { errors, upstreamFault } from './errors';
import type { Exchange } from './exchange';
import type { Upstream } from './upstreams';

const MOST_BYTES = 32 * 1024 * 1024;

export async function relayInEnvelope(
  exchange: Exchange,
  upstream: Upstream,
  headers: Record<string, string | string[]>,
  hasBody: boolean,
): Promise<void> {
  const { request } = exchange;
  const controller = new AbortController();
  exchange.abort = () => controller.abort();
  let late = false;
  const stopWaiting = onSilence(request, upstream.timeoutMs, () => {
    late = true;
    controller.abort();
  });
  let silent = false;
  // What may change something may have been done: only reads can end without an answer.
  const stopListening =
    exchange.method === 'GET' || exchange.method === 'HEAD'
      ? upstream.pulse.onLost(() => {
          silent = true;
          controller.abort();
        })
      : undefined;
  // undici frames a body of unknown length itself.
  delete headers['transfer-encoding'];
  try {
    const answer = await (hasBody ? upstream.bodyPool : upstream.pool).request({
      method: (exchange.method === 'HEAD' ? 'GET' : exchange.method) as 'GET',
      path: request.url as string,
      headers,
      // undici destroys what it was given to send, and an error could not reach the client any more.
      body: hasBody ? request.pipe(new PassThrough()) : null,
      headersTimeout: upstream.timeoutMs,
      signal: controller.signal,
    });
    upstream.breaker.succeeded();
    const text = await readText(answer.body);
    exchange.envelope = false;
    send(exchange, jsonAnswer(envelopeOf(answer.statusCode, answer.headers, text)));
  } catch (error) {
    if (late) {
      setTimeout(() => request.destroy(), 1_000).unref();
      throw errors.requestTimeout();
    }
    if (controller.signal.aborted && !silent) return;
    const timedOut = silent || /TIMEOUT/.test((error as { code?: string }).code ?? '');
    upstream.breaker.failed();
    throw timedOut ? errors.upstreamTimeout(upstream.service, error) : upstreamFault(upstream.service, error);
  } finally {
    stopWaiting();
    stopListening?.();
    if (hasBody) {
      // What the client still sends has nowhere to go.
      request.unpipe();
      request.resume();
    }
  }
}

/** Calls when nothing of a body came for so long: undici runs no deadline while it waits for what it is to send. */
function onSilence(request: IncomingMessage, ms: number, call: () => void): () => void {
  let before = -1;
  const look = (): void => {
    if (request.complete) return;
    const read = request.socket.bytesRead;
    if (read === before) return call();
    before = read;
    timer = setTimeout(look, ms);
  };
  let timer: NodeJS.Timeout | undefined;
  look();
  return () => clearTimeout(timer);
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`an answer in an envelope is larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
