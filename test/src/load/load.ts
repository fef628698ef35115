/**
 * Closed-loop load: so many connections, each asking again as soon as it was answered, for so many seconds. Counts
 * every answer that is not the wanted status as a failure, so that a fast error page cannot look like success.
 */
import { Pool } from 'undici';

export interface LoadOptions {
  readonly origin: string;
  /** Called for each request where they are not alike. */
  readonly path: string | (() => string);
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  /** Called for each request of a POST. */
  readonly body?: () => string;
  readonly connections: number;
  readonly seconds: number;
  readonly wantedStatus?: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  readonly requests: number;
  readonly bytesPerAnswer: number;
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const pool = new Pool(options.origin, { connections: options.connections, pipelining: 1 });
  const times: number[] = [];
  let failures = 0;
  let bytes = 0;
  const started = performance.now();
  const end = started + options.seconds * 1000;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const before = performance.now();
      const status = await ask(pool, options, (size) => (bytes += size));
      times.push(performance.now() - before);
      if (status !== (options.wantedStatus ?? 200)) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, worker));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    requestsPerSecond: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    failures,
    requests: times.length,
    bytesPerAnswer: bytes / Math.max(1, times.length),
  };
}

/** The bare handler costs a fraction of `pool.request`, which matters when the load shares two cores with the loaded. */
function ask(pool: Pool, options: LoadOptions, received: (bytes: number) => void): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    pool.dispatch(
      {
        path: typeof options.path === 'string' ? options.path : options.path(),
        method: options.method ?? 'GET',
        headers: options.headers,
        body: options.body?.() ?? null,
      },
      {
        onConnect: () => undefined,
        onHeaders: (code) => {
          status = code;
          return true;
        },
        onData: (chunk) => {
          received(chunk.length);
          return true;
        },
        onComplete: () => resolve(status),
        onError: () => resolve(0),
      },
    );
  });
}
