/**
 * A small client of the batch callback, for people who try it out and for tests: it registers an import, follows the
 * hashes, and sends again what got no answer. It can misbehave on purpose: repeat what was answered, hang up before
 * the answer, or break off in the middle of a request.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import type { Client, SevenfoldError } from '@sevenfold/client';
import { trimEnd } from '@sevenfold/text/trim';
import { type Misdeed, commit } from './misdeeds';

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
  readonly answer: Partial<Acknowledged>;
}

/** Refused by the server: sending it again would not help. */
class PushRefused extends Error {
  readonly status: number;

  constructor(
    cause: SevenfoldError,
    readonly batch: number,
  ) {
    const { status, code, message } = cause;
    super(`batch ${batch} was refused with ${status}: ${message} (${code})`, { cause });
    this.name = 'PushRefused';
    this.status = status;
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
      const value = parsed(line);
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        throw new Error(`${file}:${number}: a line must be the body of a batch report`);
      batches.push(value as BatchBody);
    }
    return batches;
  })();
  return Promise.race([reading, fault]);
}

/** Null, which is no batch either, where it is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** For so long a site that is away is waited for. */
export const PATIENCE_MS = 300_000;

type Report = Parameters<Client['imports']['import']['batch']['send']>[1];
type Acknowledged = Awaited<ReturnType<Client['imports']['import']['batch']['send']>>;

/** Sends all batches in order and resolves when the last one is acknowledged; what is applied is another question. */
export async function push(options: PushOptions): Promise<Pushed> {
  const { batches, importId } = options;
  const counts = { sent: 0, total: batches.length, retries: 0, repeats: 0, dropped: 0 };
  const send = await senderFor(options, () => (counts.dropped += 1));

  /** Until there is an answer that means something. */
  const insist = async (report: Report, number: number): Promise<Acknowledged> => {
    const patience = options.patienceMs ?? PATIENCE_MS;
    let until = Date.now() + patience;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      options.signal?.throwIfAborted();
      const started = performance.now();
      const outcome = await send(report);
      if ('answer' in outcome) {
        options.onAnswer?.(performance.now() - started);
        return outcome.answer;
      }
      const { fault } = outcome;
      if (fault && isFinal(fault)) throw new PushRefused(fault, number);
      // That is an answer: the next one comes when the calendar has caught up.
      if (fault?.code === 'import_backlog_full') until = Date.now() + patience;
      if (Date.now() > until)
        throw new Error(
          `no answer to batch ${number} for too long: ${fault?.message ?? 'all were dropped'}`,
          {
            cause: fault,
          },
        );
      counts.retries += 1;
      options.onProgress?.({ ...counts });
      // After what we broke off ourselves there is no reason to wait.
      const asked = Math.min(fault?.retryAfterMs ?? 0, LONGEST_PAUSE_MS);
      if (fault) await sleep(Math.max(pause * (0.75 + Math.random() * 0.5), asked));
    }
  };

  let hash: string | undefined = options.batchHash;
  let answer: Partial<Acknowledged> = {};
  for (const [index, batch] of batches.entries()) {
    if (hash === undefined)
      throw new Error(`the server took batch ${index} for the last one of ${batches.length}`);
    const report: Report = { ...(batch as Report), batch_hash: hash };
    answer = await insist(report, index + 1);
    if (options.repeatOneIn && index % options.repeatOneIn === options.repeatOneIn - 1) {
      counts.repeats += 1;
      const again = await insist(report, index + 1);
      if (JSON.stringify(again) !== JSON.stringify(answer))
        throw new Error(`batch ${index + 1} was answered differently when it was repeated`);
    }
    hash = answer.next_batch_hash;
    counts.sent += 1;
    options.onProgress?.({ ...counts });
    if (options.obeyInterval && hash !== undefined) await sleep(Number(answer.interval) * 1000);
  }
  return { ...counts, importId, answer };
}

/** Whether sending it again would be refused again. */
const isFinal = ({ status }: SevenfoldError): boolean =>
  status > 0 && status < 500 && status !== 429 && status !== 408;

/** An answer; or why there is none, which nobody can say of a misdeed. */
type Outcome = { readonly answer: Acknowledged } | { readonly fault?: SevenfoldError };

/** Sends one report once, and now and then badly, as the options say. */
async function senderFor(
  { url, authorization, importId, dropAnswerOneIn, interruptOneIn, signal }: PushOptions,
  onDropped: () => void,
): Promise<(report: Report) => Promise<Outcome>> {
  const { SevenfoldError: Fault, createClient } = await import('@sevenfold/client');
  const { batch } = createClient({
    url,
    headers: authorization === undefined ? {} : { Authorization: authorization },
    // A batch may come as often as it likes: how long it is tried is said by our own patience.
    retries: 0,
    timeoutMs: ANSWER_WITHIN_MS,
  }).imports.import;
  const target = new URL(`${trimEnd(url, '/')}/rest/calendar/event-aggregator/v1/import/${importId}/batch`);
  let requests = 0;
  const due = (oneIn = 0): boolean => oneIn > 0 && requests % oneIn === oneIn - 1;
  const nextMisdeed = (): Misdeed | undefined =>
    due(dropAnswerOneIn) ? 'drop' : due(interruptOneIn) ? 'interrupt' : undefined;
  return async (report) => {
    const misdeed = nextMisdeed();
    requests += 1;
    try {
      if (!misdeed) return { answer: await batch.send(importId, report, { signal }) };
      onDropped();
      const body = Buffer.from(JSON.stringify(report));
      await commit(misdeed, { target, authorization, body, timeoutMs: ANSWER_WITHIN_MS, signal });
      return {};
    } catch (cause) {
      if (cause instanceof Fault) return { fault: cause };
      signal?.throwIfAborted();
      if (!misdeed) throw cause;
      return {
        fault: new Fault({ code: 'unreachable', status: 0, message: (cause as Error).message, cause }),
      };
    }
  };
}
