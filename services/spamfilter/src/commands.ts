/** What the command line does with the spam filter, on the database itself; printing is the caller's business. */
import { invalidParam } from '@sevenfold/chassis/errors';
import { patternOf } from './blocked/match';
import * as blocked from './blocked/store';
import type { Deps } from './deps';
import { errors } from './errors';
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

/** Counts again what the events that are kept say. */
export const rebuildStatistics = (deps: Deps): ReturnType<typeof verdicts.rebuild> =>
  verdicts.rebuild(deps.db);

export const reseal = (deps: Deps): Promise<Resealed> => resealKey(deps);

export const blockedFields = blocked.fields;

export const listBlocked = (deps: Deps): Promise<blocked.Blocked[]> => blocked.list(deps.db);

/** Throws where the text can match nothing, and where the list is full. */
export async function block(
  deps: Deps,
  { field, text, note }: { field: blocked.Field; text: string; note: string },
): Promise<blocked.Blocked> {
  const pattern = patternOf(field, text);
  if (pattern === undefined)
    throw invalidParam(
      'text',
      field === 'address'
        ? 'This is neither an address nor a network such as 192.0.2.0/24.'
        : 'Without a letter or a digit nothing can be found.',
    );
  const entry = await deps.db.transaction((tx) => blocked.insert(tx, { field, pattern, note }));
  if (!entry) throw errors.blockedListFull(blocked.MOST_BLOCKED);
  return entry;
}

export async function unblock(deps: Deps, id: number): Promise<void> {
  if (!(await deps.db.transaction((tx) => blocked.remove(tx, id)))) throw errors.nothingBlocked();
}
