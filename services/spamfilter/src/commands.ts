/** What the command line does with the spam filter, on the database itself; printing is the caller's business. */
import type { Deps } from './deps';
import { type Resealed, resealKey } from './keys/actions';
import { intervalNamed } from './statistics/intervals';
import { type Statistics, present } from './statistics/presenter';
import * as statistics from './statistics/store';
import * as verdicts from './verdicts/store';

/** 60-days, 6-months or all; as the route answers them. */
export async function readStatistics(deps: Deps, interval: string): Promise<Record<string, Statistics>> {
  const name = intervalNamed(interval);
  return present(name, await statistics.read(deps.db, name));
}

export type { Mended } from './verdicts/store';

/** Counts again what the events that are kept say. */
export const rebuildStatistics = (deps: Deps): ReturnType<typeof verdicts.rebuild> =>
  verdicts.rebuild(deps.db);

export const reseal = (deps: Deps): Promise<Resealed> => resealKey(deps);
