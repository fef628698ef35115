/**
 * undici, which is loaded for the first request: most processes never ask anybody that way, and are spared 2 MB. Not by `import`: Node
 * keeps the failure of one, such as while the process may open no more files, and nobody could be asked ever after.
 */
import { createRequire } from 'node:module';
import type * as Library from 'undici';
import { mendEnds } from './undici-ends';

const load = createRequire(__filename);

export function undiciLibrary(): typeof Library {
  mendEnds();
  return load('undici') as typeof Library;
}
