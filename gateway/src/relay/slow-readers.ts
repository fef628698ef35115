/**
 * Cuts off clients that do not read their answer: each holds a connection to a service, or a whole answer in memory,
 * for as long as it likes, since no other deadline runs while an answer waits for its client. And whatever takes too
 * long as a whole, by however small steps. One timer looks after all open answers, whoever writes them; answers that
 * nothing is waiting of are never cut for want of a reader. What a client took while this process stood still is only seen when it
 * goes on, so the time of a standstill is nobody's.
 */
import type { ServerResponse } from 'node:http';
import { resetConnection } from '@sevenfold/chassis/http/reset';
import type { Log } from '@sevenfold/chassis/log';

/** Of an exchange, what is looked at. */
export interface Watched {
  readonly id: string;
  readonly by: string;
  readonly response: ServerResponse;
  /** How long it may take as a whole, where that is longer than others may. */
  readonly longestMs?: number;
}

export interface SlowReaders {
  /** Looks after an exchange until it is forgotten. */
  watch(exchange: Watched): void;
  forget(exchange: Watched): void;
}

export interface Patience {
  /** With a client that takes nothing. */
  readonly readerMs: number;
  /** With everything. */
  readonly wholeMs: number;
}

interface Reader {
  readonly began: number;
  /** Bytes the client's connection has taken, and for how long there are no more of them. */
  taken: number;
  stuckMs: number;
}

const LONGEST_BETWEEN_LOOKS_MS = 1_000;

export function createSlowReaders({ readerMs, wholeMs }: Patience, log: Log): SlowReaders {
  const readers = new Map<Watched, Reader>();
  const everyMs = Math.min(readerMs / 4, wholeMs / 4, LONGEST_BETWEEN_LOOKS_MS);
  let timer: NodeJS.Timeout | undefined;
  let looked = 0;

  const look = (): void => {
    const now = performance.now();
    const passed = Math.min(now - looked, everyMs);
    looked = now;
    for (const [exchange, reader] of readers) {
      const stuck = isStuck(exchange.response, reader, passed) && reader.stuckMs >= readerMs;
      const late = now - reader.began >= Math.max(wholeMs, exchange.longestMs ?? 0);
      if (!stuck && !late) continue;
      log.info(
        { requestId: exchange.id, upstream: exchange.by },
        stuck
          ? 'a client did not read its answer and was cut off'
          : 'an exchange took too long and was cut off',
      );
      // A plain end would leave what was not read in the kernel's memory for minutes.
      if (exchange.response.socket) resetConnection(exchange.response.socket);
    }
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    watch: (exchange) => {
      readers.set(exchange, { began: performance.now(), taken: -1, stuckMs: 0 });
      if (timer) return;
      looked = performance.now();
      timer = setInterval(look, everyMs).unref();
    },
    forget: (exchange) => void readers.delete(exchange),
  };
}

/** Whether the client has taken nothing since the last look although there was something. */
function isStuck({ socket }: ServerResponse, reader: Reader, passed: number): boolean {
  const waiting = socket?.writableLength ?? 0;
  const taken = waiting === 0 ? -1 : (socket?.bytesWritten ?? 0) - waiting;
  const isStuck = taken >= 0 && taken === reader.taken;
  reader.taken = taken;
  reader.stuckMs = isStuck ? reader.stuckMs + passed : 0;
  return isStuck;
}
