/**
 * Memory that work took is given back once it is over. V8 collects by what is laid out and not by time, so what a busy
 * minute filled would stay until the next one, and what little work leaves behind lets it grow to twice what is in use. A
 * process that was busy, or has grown, and has been calm for some seconds collects once, and thoroughly: what is in use moves
 * together, the rest goes back to the system. Refuses to do so while there is load of any kind, or twice within half a minute: it
 * takes some hundredths of a second.
 */
import type { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

const LOOK_MS = 1_000;
/** Of the time of the loop: a site that nobody asks takes 1 to 3 % for its beats. */
const CALM = 0.06;
/** What a handful of requests in a second does not reach: where some are always there, nobody is to meet a pause. */
const BUSY = 0.2;
/**
 * What a pause between two busy times does not reach: code that was made for what is in use goes with it, and the next thousand requests cost
 * twice as much.
 */
const LOOKS_CALM = 10;
const APART_MS = 30_000;

/**
 * Told of each look how busy the time since the last one was (0 to 1) and whether the process has grown since it last collected;
 * answers whether to collect now.
 */
export function watchCalm(): (utilization: number, now: number, hasGrown: boolean) => boolean {
  // The start was work, too.
  let wasBusy = true;
  let calm = 0;
  let last = -Infinity;
  return (utilization, now, hasGrown) => {
    if (utilization >= BUSY) wasBusy = true;
    calm = utilization < CALM ? calm + 1 : 0;
    if (!(wasBusy || hasGrown) || calm < LOOKS_CALM || now - last < APART_MS) return false;
    wasBusy = false;
    last = now;
    return true;
  };
}

const works = new Set<() => void>();

/** What else gives something back then, such as sessions of PostgreSQL; answers how to have it left alone again. */
export function whenCalm(work: () => void): () => void {
  works.add(work);
  return () => void works.delete(work);
}

/** Called by the program of a process, once. */
export function giveBackWhenCalm(): void {
  const shouldCollect = watchCalm();
  let before = performance.eventLoopUtilization();
  let left = 0;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const hasGrown = taken() - left >= WORTH_BYTES;
    if (!shouldCollect(utilization, performance.now(), hasGrown)) return;
    for (const work of works) work();
    if (hasGrown) void collect().then(() => (left = taken()));
  }, LOOK_MS).unref();
}

/** Less than this is not worth the pause. */
const WORTH_BYTES = 4 * 1024 * 1024;

function taken(): number {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/**
 * By the inspector, which needs no port for it: the only way without flags of V8 that also moves together what is left over
 * many pages. `gc()` leaves half of them.
 */
async function collect(): Promise<void> {
  let session: Session | undefined;
  try {
    const { Session } = await import('node:inspector');
    const opened = (session = new Session());
    opened.connect();
    await new Promise<void>((resolve) => opened.post('HeapProfiler.collectGarbage', () => resolve()));
  } catch {
    // A Node without an inspector keeps what it has.
  } finally {
    session?.disconnect();
  }
}
