/**
 * The client of Redis, which is loaded for the first connection: it has five hundred modules, two fifths of all that a gateway loads, and
 * what opens a connection only where there is an address for it is to cost nothing without.
 */
import type * as Library from '@redis/client';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a part of the program, and run late
export const redisLibrary = (): typeof Library => require('@redis/client') as typeof Library;

export const SILENT_WITH_TLS = 'does not answer with TLS, as a port that speaks none does not, either';

/** A server without TLS waits for the end of a line, where it is asked to begin with it. */
export const silentWithTls = (error: Error): Error =>
  error instanceof redisLibrary().ConnectionTimeoutError
    ? new Error(`It ${SILENT_WITH_TLS}.`, { cause: error })
    : error;
