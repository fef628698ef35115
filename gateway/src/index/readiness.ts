/**
 * When a gateway that starts may be sent requests: as soon as it knows the routes of every service, from it or from a copy,
 * since an index without a namespace would be taken for a site without it. A service that nobody has ever reached holds
 * that up for a time, not for ever: it may take only its own namespace with it.
 */
import type { Log } from '@sevenfold/chassis/log';
import type { Descriptions } from './descriptions';

export interface Readiness {
  /** Empty when ready; otherwise what is still missing. */
  missing(): string[];
  stop(): void;
}

const LOOK_MS = 100;

export function watchReadiness(
  descriptions: Pick<Descriptions, 'asked' | 'unknown'>,
  patienceMs: number,
  log: Log,
): Readiness {
  let isReady = false;
  let asked = false;
  const until = performance.now() + patienceMs;
  const look = (): void => {
    const unknown = asked ? descriptions.unknown() : [];
    if (!asked || (unknown.length > 0 && performance.now() < until)) return;
    isReady = true;
    clearInterval(looking);
    if (unknown.length === 0) log.info('ready: every namespace is known');
    else log.error({ unknown }, 'serving without what was never heard of: the indexes lack it until it is');
  };
  const looking = setInterval(look, LOOK_MS);
  void descriptions.asked.then(() => {
    asked = true;
    look();
    const unknown = descriptions.unknown();
    if (!isReady) log.info({ unknown }, 'not ready: neither heard of, nor kept as a copy');
  });
  return {
    missing: () => {
      if (isReady) return [];
      if (!asked) return ['asking the services for their descriptions'];
      return descriptions.unknown().map((one) => `${one}: neither heard of, nor kept as a copy`);
    },
    stop: () => clearInterval(looking),
  };
}
