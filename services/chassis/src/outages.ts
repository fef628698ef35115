/**
 * One line for an outage, not one for each request that it fails: the first failure is logged with its cause, those
 * that follow are counted, and one line tells how many there were when they have ended. Whoever meets something that
 * is away (a database, Redis, another service) says so here instead of logging on its own. A line of waiting requests that
 * is full is told in the same way, as the warning that it is.
 */
import { isFullLane, isOurs, toApiError } from './errors';
import type { Log } from './log';

/** An outage is over when nobody has met it for this long. */
const QUIET_MS = 10_000;
/** What an outage is called comes from our own words; should it not, the names are no way to fill the memory. */
const MOST_AT_ONCE = 100;

/** What is away while a process has only just been started may be starting, too: any order of start is right. */
const STARTING_MS = 60_000;
let startingUntil = 0;

/** Called by the program of a process, once. Not by the time of day: it is often set soon after a machine has started. */
export const beginStart = (): void => {
  startingUntil = performance.now() + STARTING_MS;
};
export const isStarting = (): boolean => performance.now() < startingUntil;

interface Outage {
  readonly since: number;
  last: number;
  times: number;
  /** Met while this process started, and told of as no more than that so far. */
  early: boolean;
}

const current = new Map<string, Outage>();

/**
 * Logs a fault with its cause: that something is away (502 to 507) once an outage, anything else each time. What a client
 * did wrong (4xx and 501), also long ago and met by a job, is nobody's alarm.
 */
export function logFault(log: Log, error: unknown, fields: object, message?: string): void {
  const known = toApiError(error);
  const cause = { ...fields, err: known.cause ?? known };
  if (isFullLane(known)) logSpell(log, known.message, cause, FULL);
  else if (known.status > 501) logOutage(log, known.message, cause);
  else log[levelOf(known)](cause, message ?? known.message);
}

export const levelOf = (error: unknown): 'info' | 'error' => (isOurs(toApiError(error)) ? 'error' : 'info');

/** How the lines of a spell are worded. */
interface Wording {
  readonly level: 'error' | 'warn';
  readonly begins: string;
  /** Of what was met while the process started, where that is no alarm yet. */
  readonly goesOn?: string;
  readonly over: string;
}
const AWAY: Wording = {
  level: 'error',
  begins: 'an outage began; what else it fails is counted, not logged',
  goesOn: 'an outage since the start; what else it fails is counted, not logged',
  over: 'an outage is over',
};
const FULL: Wording = {
  level: 'warn',
  begins: 'more is asked than is allowed at once; what else is turned away is counted, not logged',
  over: 'nothing is turned away any more',
};

/** `what` is wrong, in the same words wherever it is met; `fields` tell how it was met first. */
export const logOutage = (log: Log, what: string, fields: object): void => logSpell(log, what, fields, AWAY);

function logSpell(log: Log, what: string, fields: object, wording: Wording): void {
  const { service } = log.bindings() as { service?: string };
  const known = `${service} ${what}`;
  const key = current.has(known) || current.size < MOST_AT_ONCE ? known : 'more';
  const now = performance.now();
  const outage = current.get(key);
  const told = { ...fields, outage: what };
  if (outage) {
    outage.last = now;
    outage.times++;
    if (!outage.early || isStarting()) return;
    outage.early = false;
    log.error(told, wording.goesOn);
    return;
  }
  const early = wording.goesOn !== undefined && isStarting();
  current.set(key, { since: now, last: now, times: 1, early });
  if (early) log.info(told, 'not there yet; what else this fails is counted, not logged');
  else log[wording.level](told, wording.begins);
  watch(log, what, key, wording);
}

function watch(log: Log, what: string, key: string, wording: Wording): void {
  const outage = current.get(key) as Outage;
  const quietAt = outage.last + QUIET_MS;
  setTimeout(() => {
    if (performance.now() < outage.last + QUIET_MS) return watch(log, what, key, wording);
    current.delete(key);
    log.info(
      { outage: what, times: outage.times, seconds: Math.round((outage.last - outage.since) / 1000) },
      wording.over,
    );
  }, quietAt - performance.now()).unref();
}
