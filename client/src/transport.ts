/**
 * Every request of the client goes through here: it gets its credentials and a time-out, is sent again where that can do
 * no harm, and ends when its caller wants it to. An answer is read whole, so that whoever has it waits for nothing more.
 */
import type { Keeper } from './credentials.ts';
import { SevenfoldError, readRetryAfter } from './errors.ts';
import {
  LONGEST_PAUSE_MS,
  RETRIES,
  type RetryOptions,
  isRepeatable,
  maySendAgain,
  pause,
  pauseMs,
  startTimer,
} from './retry.ts';

export interface SendOptions extends RetryOptions {
  /** For the answer to one try, body included. Default 60,000. Of an upload: without any progress. */
  readonly timeoutMs?: number;
}

export interface Try {
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** Begins the time-out anew. */
  readonly alive: () => void;
}

export interface Sending {
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** Makes one try; called again for each. */
  readonly send: (one: Try) => Promise<Response>;
  /** Its body is there for one try only. */
  readonly once?: boolean;
  /** Sent twice shortly after each other, it does what it does once. By default its method says so. */
  readonly repeatable?: boolean;
}

export type Transport = (sending: Sending, options?: SendOptions) => Promise<Response>;

export const TIMEOUT_MS = 60_000;
const UNAUTHORIZED = 401;

const tries = new WeakMap<Response, number>();
/** How often a request was sent before it got this answer. */
export const attemptsOf = (answer: Response): number => tries.get(answer) ?? 1;

export function createTransport(keeper: Keeper, defaults: SendOptions): Transport {
  return async (sending, options = {}) => {
    // One that a call leaves undefined is that of the client.
    const retries = options.retries ?? defaults.retries ?? RETRIES;
    const longestPauseMs = options.longestPauseMs ?? defaults.longestPauseMs ?? LONGEST_PAUSE_MS;
    const timeoutMs = options.timeoutMs ?? defaults.timeoutMs ?? TIMEOUT_MS;
    const { method, signal, once, repeatable = isRepeatable(method) } = sending;
    let renewed = false;
    for (let attempts = 1; ; attempts += 1) {
      const authorization = await keeper.header(signal);
      // Last before it is listened to: who gives up in the same moment as he asks has given up.
      signal.throwIfAborted();
      const outcome = await tryOnce(sending, authorization, timeoutMs);
      const isLast = once || attempts > retries;
      if (outcome instanceof SevenfoldError) {
        // What may be sent twice shortly after may not be so a time-out later: an exchanged token counts as stolen by then.
        const maySend = outcome.code === 'timeout' ? isRepeatable(method) : repeatable;
        if (isLast || !maySend) throw told(outcome, attempts);
        await pause(pauseMs(attempts, undefined, Infinity) as number, signal);
        continue;
      }
      tries.set(outcome, attempts);
      if (outcome.ok) return outcome;
      if (outcome.status === UNAUTHORIZED && !renewed && (await keeper.renew(authorization, signal))) {
        renewed = true;
        if (once) return outcome;
        continue;
      }
      const wait = isLast ? undefined : await pauseAfter(outcome, repeatable, attempts, longestPauseMs);
      if (wait === undefined) return outcome;
      await pause(wait, signal);
    }
  };
}

async function pauseAfter(
  answer: Response,
  repeatable: boolean,
  attempts: number,
  longest: number,
): Promise<number | undefined> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  if (!maySendAgain(repeatable, answer.status, body)) return undefined;
  return pauseMs(attempts, readRetryAfter(answer.headers.get('Retry-After')), longest);
}

const told = (error: SevenfoldError, attempts: number): SevenfoldError =>
  new SevenfoldError({ ...error, message: error.message, cause: error.cause, attempts });

/** The answer, whole; or why there is none. Aborted by the caller, it throws what he gave as the reason. */
async function tryOnce(
  { headers, signal, send }: Sending,
  authorization: string | undefined,
  timeoutMs: number,
): Promise<Response | SevenfoldError> {
  const ending = new AbortController();
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  // A stream may still be asked for more when its answer is there: no time is counted any more.
  const alive = (): void => {
    clearTimeout(timer);
    if (isOver) return;
    timer = startTimer(() => {
      isLate = true;
      ending.abort();
    }, timeoutMs);
  };
  const stop = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  alive();
  try {
    const own = new Headers(headers);
    if (authorization !== undefined && !own.has('Authorization')) own.set('Authorization', authorization);
    return await whole(await send({ headers: own, signal: ending.signal, alive }));
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SevenfoldError) throw cause;
    return isLate
      ? noAnswer('timeout', `No answer came within ${timeoutMs} ms.`, cause)
      : noAnswer('unreachable', `The site could not be asked: ${reasonOf(cause)}`, cause);
  } finally {
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

const noAnswer = (code: 'timeout' | 'unreachable', message: string, cause: unknown): SevenfoldError =>
  new SevenfoldError({ code, status: 0, message, cause });

/** `fetch` says only that it failed; why, says what is below it. Not `instanceof`: that may come of another realm. */
function reasonOf(cause: unknown): string {
  const { message, cause: below } = cause as {
    message?: string;
    cause?: { message?: string; code?: string };
  };
  return below?.message || below?.code || message || String(cause);
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The largest answers of the site are lists of a few megabytes. */
const MOST_BYTES = 64 * 1024 * 1024;

async function whole(answer: Response): Promise<Response> {
  const { status, statusText, headers } = answer;
  const pieces = await piecesOf(answer);
  return new Response(WITHOUT_BODY.has(status) ? null : new Blob(pieces), { status, statusText, headers });
}

async function piecesOf({ body, status }: Response): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  let bytes = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    pieces.push(next.value);
    bytes += next.value.length;
    if (bytes <= MOST_BYTES) continue;
    await reader?.cancel();
    throw new SevenfoldError({ code: 'invalid_answer', status, message: 'The answer is too large.' });
  }
  return pieces;
}

/** One try of a request without a stream. */
export const fetching =
  (url: string, method: string, body?: string | ArrayBuffer | Blob) =>
  async ({ headers, signal }: Try): Promise<Response> => {
    const answer = await fetch(url, {
      method,
      headers,
      body,
      signal,
      // Credentials are ours to give: the browser neither adds what it remembers nor asks for them.
      credentials: 'omit',
      // A write that is sent elsewhere would arrive there as a read.
      redirect: method === 'GET' || method === 'HEAD' ? 'follow' : 'error',
    });
    if (answer.redirected && headers.has('Authorization')) await refuseStranger(url, answer);
    return answer;
  };

/** `fetch` takes credentials to no other origin, `https` of the same site included: what is answered there is for strangers. */
async function refuseStranger(asked: string, { url, status, body }: Response): Promise<void> {
  const { origin } = new URL(url);
  if (origin === new URL(asked).origin) return;
  await body?.cancel();
  const message = `The site sent the request on to ${origin}, where credentials do not follow: is that its \`url\`?`;
  throw new SevenfoldError({ code: 'invalid_answer', status, message });
}
