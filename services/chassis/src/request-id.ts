/**
 * Which request something is done for. Whatever a service does on behalf of one runs inside `forRequest`: its log lines,
 * calls of other services, jobs and domain events then carry the id by themselves, and so does what these cause in turn.
 * Work that nobody asked for (sweeps, beats) runs outside and has none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Harmless in logs, headers and tables: what came from outside counts only where this holds. */
const SOUND = /^[\w.:-]{1,100}$/;

export const isRequestId = (given: unknown): given is string =>
  typeof given === 'string' && SOUND.test(given);

/** Runs `work` for the request of this id; an id that is none is left out. */
export const forRequest = <T>(id: unknown, work: () => T): T => current.run(isRequestId(id) ? id : '', work);

/** Empty where nothing that runs here goes back to a request. */
export const requestId = (): string => current.getStore() ?? '';
