/**
 * Hosts of pictures that this process has found slow. Their pictures wait in a line of their own: who answers late, or never, holds up
 * his own. As many are fetched at once there, so whoever is taken for slow by mistake loses nothing.
 */
import { openLru } from '@sevenfold/chassis/lru';

/** Most pictures are there within one. */
const SLOW_MS = 3_000;
const KNOWN_MS = 10 * 60_000;
const MOST = 1_000;

export interface SlowHosts {
  has(url: string): boolean;
  /** How long fetching took, whatever came of it. */
  note(url: string, ms: number): void;
}

export function openSlowHosts(): SlowHosts {
  const known = openLru<string, true>({ most: MOST, ttl: KNOWN_MS });
  return {
    has: (url) => known.has(hostOf(url)),
    note: (url, ms) => {
      if (ms < SLOW_MS) known.delete(hostOf(url));
      else known.set(hostOf(url), true);
    },
  };
}

const hostOf = (url: string): string => new URL(url).host;
