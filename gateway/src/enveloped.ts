/**
 * The way of requests whose answer goes into an envelope: it is fetched whole, since the envelope begins with its
 * body and ends with its status.
 */
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
  // undici frames a body of unknown length itself.
  delete headers['transfer-encoding'];
  try {
    const answer = await upstream.pool.request({
      method: (exchange.method === 'HEAD' ? 'GET' : exchange.method) as 'GET',
      path: request.url as string,
      headers,
      body: hasBody ? request : null,
      headersTimeout: upstream.timeoutMs,
      signal: controller.signal,
    });
    upstream.breaker.succeeded();
    const text = await readText(answer.body);
    exchange.envelope = false;
    send(exchange, jsonAnswer(envelopeOf(answer.statusCode, answer.headers, text)));
  } catch (error) {
    if (controller.signal.aborted) return;
    const timedOut = /TIMEOUT/.test((error as { code?: string }).code ?? '');
    upstream.breaker.failed();
    throw timedOut ? errors.upstreamTimeout(upstream.service, error) : upstreamFault(upstream.service, error);
  }
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
