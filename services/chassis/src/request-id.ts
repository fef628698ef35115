/**
 * Which request something is done for. Whatever a service does on behalf of one runs inside `forRequest`: its log lines,
 * calls of other services, jobs and domain events then carry the id by themselves, and so does what these cause in turn;
 * what it writes is noted for whoever asked (news/wrote.ts). Work that nobody asked for (sweeps, beats) runs outside and has none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Wrote } from './news/wrote';

/** Who waits for what is done. */
export interface Asker {
  /** Aborts when he gave up; not made before somebody wants it. */
  readonly signal: () => AbortSignal;
  /** The same for whoever only looks. */
  readonly isGone: () => boolean;
  /** Whose turn it is where people take turns: a user, or an address; undefined where nobody knows. */
  readonly who?: string;
}

interface Current {
  readonly id: string;
  /** What was written before it, as whoever passed it on says (news/after.ts). */
  readonly after?: string;
  readonly wrote?: Wrote;
  readonly asker?: Asker;
  /** By the clock of `performance`. */
  readonly began: number;
}

const current = new AsyncLocalStorage<Current>();

/** Harmless in logs, headers and tables: what came from outside counts only where this holds. */
const SOUND = /^[\w.:-]{1,100}$/;

export const isRequestId = (given: unknown): given is string =>
  typeof given === 'string' && SOUND.test(given);

/** Runs `work` for the request of this id; an id that is none is left out. */
export const forRequest = <T>(
  id: unknown,
  work: () => T,
  { after, wrote, asker }: Pick<Current, 'after' | 'wrote' | 'asker'> = {},
): T => current.run({ id: isRequestId(id) ? id : '', after, wrote, asker, began: performance.now() }, work);

const never = new AbortController().signal;
const STAYING: Asker = { signal: () => never, isGone: () => false };

/**
 * Runs what others may join who wait for the same: it does not end when he gives up for whom it was begun. How long it may wait
 * is counted from his request all the same.
 */
export function forMany<T>(work: () => T): T {
  const own = current.getStore();
  return own?.asker ? current.run({ ...own, asker: STAYING }, work) : work();
}

/** Empty where nothing that runs here goes back to a request. */
export const requestId = (): string => current.getStore()?.id ?? '';

/** Empty where nothing was, or nobody said. */
export const writtenBefore = (): string => current.getStore()?.after ?? '';

/** Where to note what is written here; undefined where nobody asked. */
export const wroteHere = (): Wrote | undefined => current.getStore()?.wrote;

/** Who waits for what is done here, and for how long already; undefined where nobody does, as for jobs. */
export function waitedFor(): { readonly asker: Asker; readonly forMs: number } | undefined {
  const { asker, began } = current.getStore() ?? {};
  return asker && began !== undefined ? { asker, forMs: performance.now() - began } : undefined;
}
