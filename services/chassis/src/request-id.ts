/**
 * Which request something is done for. Whatever a service does on behalf of one runs inside `forRequest`: its log lines,
 * calls of other services, jobs and domain events then carry the id by themselves, and so does what these cause in turn;
 * what it writes is noted for whoever asked (news/wrote.ts). Work that nobody asked for (sweeps, beats) runs outside and has none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Wrote } from './news/wrote';

interface Current {
  readonly id: string;
  readonly wrote?: Wrote;
}

const current = new AsyncLocalStorage<Current>();

/** Harmless in logs, headers and tables: what came from outside counts only where this holds. */
const SOUND = /^[\w.:-]{1,100}$/;

export const isRequestId = (given: unknown): given is string =>
  typeof given === 'string' && SOUND.test(given);

/** Runs `work` for the request of this id; an id that is none is left out. */
export const forRequest = <T>(id: unknown, work: () => T, wrote?: Wrote): T =>
  current.run({ id: isRequestId(id) ? id : '', wrote }, work);

/** Empty where nothing that runs here goes back to a request. */
export const requestId = (): string => current.getStore()?.id ?? '';

/** Where to note what is written here; undefined where nobody asked. */
export const wroteHere = (): Wrote | undefined => current.getStore()?.wrote;
