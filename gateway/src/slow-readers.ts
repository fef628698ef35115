/**
 * Cuts off clients that do not read their answer: each holds a connection to a service, or a whole answer in memory,
 * for as long as it likes, since no other deadline runs while an answer waits for its client. One timer looks after
 * all open answers, whoever writes them; answers that nothing is waiting of are never cut here.
 */
import type { ServerResponse } from 'node:http';
import type { Log } from '@sevenfold/chassis/log';

export interface SlowReaders {
  /** Looks after an answer until it is closed. */
  watch(response: ServerResponse, requestId: string): void;
}

interface Reader {
  readonly requestId: string;
  /** Bytes the client's connection has taken, and since when there are no more of them. */
  taken: number;
  since: number;
}

const LONGEST_BETWEEN_LOOKS_MS = 1_000;

export function createSlowReaders(patienceMs: number, log: Log): SlowReaders {
  const readers = new Map<ServerResponse, Reader>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const now = performance.now();
    for (const [response, reader] of readers) {
      if (!isStuck(response, reader, now) || now - reader.since < patienceMs) continue;
      log.info({ requestId: reader.requestId }, 'a client did not read its answer and was cut off');
      // A plain end would leave what was not read in the kernel's memory for minutes.
      response.socket?.resetAndDestroy();
    }
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    watch: (response, requestId) => {
      readers.set(response, { requestId, taken: -1, since: 0 });
      response.once('close', () => readers.delete(response));
      timer ??= setInterval(look, Math.min(patienceMs / 4, LONGEST_BETWEEN_LOOKS_MS)).unref();
    },
  };
}

/** Whether the client has taken nothing since the last look although there was something. */
function isStuck({ socket }: ServerResponse, reader: Reader, now: number): boolean {
  // Without a socket the answer stands behind another one on its connection.
  const waiting = socket?.writableLength ?? 0;
  const taken = waiting === 0 ? -1 : (socket?.bytesWritten ?? 0) - waiting;
  if (taken >= 0 && taken === reader.taken) return true;
  reader.taken = taken;
  reader.since = now;
  return false;
}
