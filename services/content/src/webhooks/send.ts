/**
 * One try: a POST, and the beginning of whatever is answered. Redirects are answers like any other and never followed, so
 * nobody is led inward; private addresses are refused as everywhere (chassis/outgoing).
 */
import {
  NotPublic,
  type Outgoing,
  type PublicAgent,
  openPublicAgent,
  readBeginning,
  retryAfterMs,
} from '@sevenfold/chassis/outgoing';
import { limited } from '@sevenfold/chassis/time-limit';
import type { Told } from './deliveries';

export interface Outcome extends Told {
  readonly isArrived: boolean;
  /** The process is stopping: nothing is known of this try. */
  readonly isCut: boolean;
  /** What the receiver asked for; 0 where it did not. */
  readonly retrySeconds: number;
}

export interface Sender {
  send(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<Outcome>;
  close(): Promise<void>;
}

const ANSWER_BYTES = 1_024;
/** An answer may go on for ever: beyond this it is cut. */
const LIMIT_BYTES = 64 * 1024;
const LONGEST_RETRY_SECONDS = 3_600;

export function openSender(options: Omit<Outgoing, 'limitBytes'>): Sender {
  // Opened by whoever sends first: most processes never do.
  let agent: PublicAgent | undefined;
  return {
    send: async (url, headers, body, stopping) => {
      const opened = (agent ??= openPublicAgent({ ...options, limitBytes: LIMIT_BYTES }));
      const started = performance.now();
      const told = (more: Partial<Outcome>): Outcome => ({
        ms: Math.round(performance.now() - started),
        status: 0,
        answer: '',
        error: '',
        isArrived: false,
        isCut: false,
        retrySeconds: 0,
        ...more,
      });
      try {
        const { status, retryAfter, answer } = await limited(options.timeoutMs, stopping, async (signal) => {
          const response = await opened.request(new URL(url), {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'user-agent': 'Sevenfold webhooks', ...headers },
            body,
            signal,
          });
          return {
            status: response.statusCode,
            retryAfter: response.headers['retry-after'],
            answer: await beginningOf(response.body),
          };
        });
        const isArrived = status >= 200 && status < 300;
        const retrySeconds = Math.min(retryAfterMs(retryAfter) / 1_000, LONGEST_RETRY_SECONDS);
        return told({
          status,
          answer,
          isArrived,
          retrySeconds,
          error: isArrived ? '' : `It answered ${status}.`,
        });
      } catch (error) {
        if (stopping.aborted) return told({ isCut: true });
        return told({ error: reasonOf(error) });
      }
    },
    close: async () => agent?.destroy(),
  };
}

/** The status is the answer: what is wrong with the rest, or comes too slowly, is left out. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const { bytes } = await readBeginning(body, ANSWER_BYTES);
  // PostgreSQL takes no zero byte in a text.
  return bytes.toString('utf8').replaceAll('\0', '\uFFFD');
}

function reasonOf(error: unknown): string {
  if (error instanceof NotPublic) return 'It is not at a public address.';
  const { name, code, message } = error as Error & { code?: string };
  if (name === 'TimeoutError') return 'It did not answer in time.';
  return `It cannot be reached: ${code ?? message}`.slice(0, 500);
}
