/**
 * Imported by each program before anything else. V8 looks at what each place in the code lays out, and where most of that is still in use
 * in a moment that counts, it lays it out among what is old from then on. What a request brings is in use for as long as it
 * runs: decided in such a moment, all that requests bring stays until the next whole collection, for good. Before all
 * else, because modules that are kept compiled are good under the same flags only.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-allocation-site-pretenuring');
