/**
 * The client of Redis, which is loaded for the first connection: it has five hundred modules, two fifths of all that a gateway loads, and
 * what opens a connection only where there is an address for it is to cost nothing without.
 */
import { createRequire } from 'node:module';
import type * as Library from '@redis/client';

const load = createRequire(__filename);

export const redisLibrary = (): typeof Library => load('@redis/client') as typeof Library;
