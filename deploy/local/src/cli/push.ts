/**
 * A small client of the batch callback, for people who try it out and for tests: it registers an import, follows the
 * hashes, and sends again what got no answer. It can misbehave on purpose: repeat what was answered, hang up before
 * the answer, or break off in the middle of a request.
 */
import { createReadStream } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';

/** A report without `batch_hash`: a line of a file. */
export type BatchBody = Record<string, unknown>;

export interface PushProgress {
  readonly sent: number;
  readonly total: number;
  readonly retries: number;
  readonly repeats: number;
  readonly dropped: number;
}

export interface PushOptions {
  /** Public address of the site, or of the imports service: `/rest/calendar/event-aggregator/v1` is added. */
  readonly url: string;
  /** `Authorization` header; not needed once the import is registered. */
  readonly authorization?: string;
  readonly importId: string;
  /** Hash of the first batch. */
  readonly batchHash: string;
  readonly batches: readonly BatchBody[];
  /** Every n-th answered batch is sent once more; the answer must be the same. 0: none. */
  readonly repeatOneIn?: number;
  /** Of every n requests, hang up on one before its answer is read. 0: none. */
  readonly dropAnswerOneIn?: number;
  /** Of every n requests, break off one in the middle of its body. 0: none. */
  readonly interruptOneIn?: number;
  /** Longest time without any answer before it gives up. Default five minutes. */
  readonly patienceMs?: number;
  /** Wait as long between batches as the server asks for. Default: send at once. */
  readonly obeyInterval?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PushProgress) => void;
  /** Milliseconds of each acknowledged request. */
  readonly onAnswer?: (ms: number) => void;
}

export interface Pushed extends PushProgress {
  readonly importId: string;
  /** The body of the last answer. */
  readonly answer: Record<string, unknown>;
}

/** Refused by the server: sending it again would not help. */
class PushRefused extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
    readonly batch: number,
  ) {
    super(`batch ${batch} was refused with ${status}: ${body.slice(0, 500)}`);
    this.name = 'PushRefused';
  }
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const ANSWER_WITHIN_MS = 35_000;

/** Reads the batches of a `.jsonl` or `.jsonl.gz` file. */
export async function readBatches(file: string): Promise<BatchBody[]> {
  const bytes = createReadStream(file);
  const text: Readable = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  const batches: BatchBody[] = [];
  let number = 0;
  // An error of the file does not travel through the pipe by itself.
  const fault = new Promise<never>((_resolve, reject) => {
    bytes.once('error', reject);
    text.once('error', reject);
  });
  const reading = (async () => {
    for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
      number += 1;
      if (line.trim() === '') continue;
      const value: unknown = JSON.parse(line);
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        throw new Error(`${file}:${number}: a line must be the body of a batch report`);
      batches.push(value as BatchBody);
    }
    return batches;
  })();
  return Promise.race([reading, fault]);
}

/** Sends all batches in order and resolves when the last one is acknowledged; what is applied is another question. */
export async function push(options: PushOptions): Promise<Pushed> {
  const { batches, importId } = options;
  const target = new URL(
    `${options.url.replace(/\/+$/, '')}/rest/calendar/event-aggregator/v1/import/${importId}/batch`,
  );
  const agent =
    target.protocol === 'https:' ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  const counts = { sent: 0, total: batches.length, retries: 0, repeats: 0, dropped: 0 };
  let requests = 0;
  const due = (oneIn = 0): boolean => oneIn > 0 && requests % oneIn === oneIn - 1;

  const once = async (body: Buffer): Promise<Reply> => {
    const misdeed: Misdeed = due(options.dropAnswerOneIn)
      ? 'drop'
      : due(options.interruptOneIn)
        ? 'interrupt'
        : undefined;
    requests += 1;
    if (misdeed) counts.dropped += 1;
    return send(target, agent, body, misdeed, options);
  };

  /** Until there is an answer that means something. */
  const insist = async (body: Buffer, number: number): Promise<string> => {
    const until = Date.now() + (options.patienceMs ?? 300_000);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      options.signal?.throwIfAborted();
      let wait = pause * (0.75 + Math.random() * 0.5);
      try {
        const started = performance.now();
        const reply = await once(body);
        if (reply.status === 200) {
          options.onAnswer?.(performance.now() - started);
          return reply.text;
        }
        if (reply.status < 500 && reply.status !== 429 && reply.status !== 408)
          throw new PushRefused(reply.status, reply.text, number);
        wait = Math.max(wait, Math.min(reply.retryAfterMs, LONGEST_PAUSE_MS));
      } catch (error) {
        if (error instanceof PushRefused) throw error;
        if (error instanceof HungUp) wait = 0;
        if (Date.now() > until)
          throw new Error(`no answer to batch ${number} for too long: ${(error as Error).message}`, {
            cause: error,
          });
      }
      if (Date.now() > until) throw new Error(`no answer to batch ${number} for too long`);
      counts.retries += 1;
      options.onProgress?.({ ...counts });
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };

  let hash: string | undefined = options.batchHash;
  let answer: Record<string, unknown> = {};
  try {
    for (const [index, batch] of batches.entries()) {
      if (hash === undefined)
        throw new Error(`the server took batch ${index} for the last one of ${batches.length}`);
      const body = Buffer.from(JSON.stringify({ ...batch, import_id: importId, batch_hash: hash }));
      const text = await insist(body, index + 1);
      if (options.repeatOneIn && index % options.repeatOneIn === options.repeatOneIn - 1) {
        counts.repeats += 1;
        const again = await insist(body, index + 1);
        if (again !== text)
          throw new Error(`batch ${index + 1} was answered differently when it was repeated`);
      }
      answer = JSON.parse(text) as Record<string, unknown>;
      hash = answer.next_batch_hash as string | undefined;
      counts.sent += 1;
      options.onProgress?.({ ...counts });
      if (options.obeyInterval && hash !== undefined)
        await new Promise((resolve) => setTimeout(resolve, Number(answer.interval) * 1000));
    }
  } finally {
    agent.destroy();
  }
  return { ...counts, importId, answer };
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number;
}

type Misdeed = 'drop' | 'interrupt' | undefined;

/** We broke off ourselves: there is no reason to wait before the next try. */
class HungUp extends Error {}

function send(
  target: URL,
  agent: http.Agent,
  body: Buffer,
  misdeed: Misdeed,
  { authorization, signal }: PushOptions,
): Promise<Reply> {
  const { request } = target.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const out = request(
      target,
      {
        method: 'POST',
        agent,
        signal,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          ...(authorization === undefined ? {} : { Authorization: authorization }),
        },
        timeout: ANSWER_WITHIN_MS,
      },
      (response) => {
        if (misdeed === 'drop') {
          out.destroy();
          reject(new HungUp('the answer was dropped on purpose'));
          return;
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('aborted', () => reject(new Error('the answer broke off')));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            retryAfterMs: Number(response.headers['retry-after'] ?? 0) * 1000 || 0,
          }),
        );
      },
    );
    out.on('timeout', () => out.destroy(new Error('no answer in time')));
    out.on('error', reject);
    if (misdeed === 'interrupt') {
      out.write(body.subarray(0, Math.floor(body.length / 2)), () => {
        out.destroy();
        reject(new HungUp('the request was broken off on purpose'));
      });
    } else out.end(body);
  });
}
