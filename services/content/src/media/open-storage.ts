/** Picks the store that configuration names. */
import type { Config } from '../config';
import type { Storage } from './storage';

export function openStorage(_config: Config): Storage {
  throw new Error('not built yet');
}
