/**
 * Things of the content service by id, in memory: fresh ones at once, older ones while a new copy is fetched, and what
 * the database remembers when nobody answers.
 */
import { unavailable } from '@sevenfold/chassis/errors';
import type { Log } from '@sevenfold/chassis/log';
import { logFault } from '@sevenfold/chassis/outages';
import { openLru } from '@sevenfold/chassis/lru';
import { forMany } from '@sevenfold/chassis/request-id';

/** How long a copy counts as fresh. Older ones still answer, while a new one is fetched. */
export const FRESH_MS = 10_000;
/** Older ones are not shown without asking, as long as the content service answers. */
const USABLE_MS = 60_000;

interface Copy<T> {
  /** Undefined: there is no such thing. */
  readonly value: T | undefined;
  /** When it was asked for. NEVER: the content service has not answered. DOUBTED: it may have changed since. */
  at: number;
  /** Number of the call that brought it: later ones know more. */
  readonly call: number;
}

interface Asking {
  readonly call: number;
  work: Promise<void>;
}

const NEVER = 0;
const DOUBTED = 1;
/** Before the first call. */
const NOTHING: Copy<never> = { value: undefined, at: NEVER, call: 0 };

export interface Kind<T> {
  readonly get: (ids: readonly number[], authority?: 'authoritative') => Promise<ReadonlyMap<number, T>>;
  /** What came another way, maybe from before a change that is known already: shown only where nobody answers. */
  put(values: readonly T[]): void;
  /**
   * The copies of these ids (of all, when absent) must be asked for anew, and what is being asked for is older than the doubt: answers
   * how many of either there were; more than none also where one may have been that made room lately.
   */
  doubt(ids?: readonly number[]): number;
}

/** Things by id: memory first, then the content service, then what the database remembers. */
export function openKind<T extends { id: number }>(source: {
  readonly most: number;
  /** Undefined when nobody answers. */
  readonly fetch: (ids: number[], insist: boolean) => Promise<readonly T[] | undefined>;
  /** Nobody answered, and what was known before is shown, though it may have changed. */
  readonly standIn: () => void;
  readonly load: (ids: readonly number[]) => Promise<readonly T[]>;
  readonly save: (found: readonly T[], missing: readonly number[]) => Promise<void>;
  readonly log: Log;
}): Kind<T> {
  /** When a copy last made room for others: for so long whatever was made of it may be remembered (events/ready.ts). */
  let evictedAt = -Infinity;
  const copies = openLru<number, Copy<T>>({
    most: source.most,
    disposeAfter: (_copy, _id, reason) => {
      if (reason === 'evict') evictedAt = performance.now();
    },
  });
  // One fetch of an id at a time, however many requests want it; after a doubt they want another one.
  const asking = new Map<number, Asking>();
  let calls = 0;

  const put = (values: readonly T[], ids: readonly number[], at: number, call: number): void => {
    const byId = new Map(values.map((value) => [value.id, value]));
    for (const id of ids) copies.set(id, { value: byId.get(id), at, call });
  };

  const refresh = async (ids: number[], insist: boolean, asked: Asking): Promise<void> => {
    const found = await source.fetch(ids, insist);
    if (found === undefined) {
      const isOld = (id: number): boolean => (copies.peek(id)?.at ?? NEVER) <= DOUBTED;
      const lost = ids.filter(isOld);
      if (lost.length === 0) return;
      source.standIn();
      // Another process may have been told of the change.
      for (const value of await source.load(lost))
        if (isOld(value.id)) put([value], [value.id], copies.peek(value.id)?.at ?? NEVER, asked.call);
      return;
    }
    const own = new Set(ids.filter((id) => asking.get(id) === asked));
    put(found, [...own], Date.now(), asked.call);
    // What was doubted meanwhile may be older than the doubt: it is better than what an earlier call brought, and no better than that.
    const isBehind = ({ at, call }: Copy<T>): boolean => at <= DOUBTED && call < asked.call;
    const late = ids.filter((id) => !own.has(id) && isBehind(copies.peek(id) ?? NOTHING));
    put(found, late, DOUBTED, asked.call);
    const here = new Set(found.map(({ id }) => id));
    await source.save(
      found.filter(({ id }) => own.has(id)),
      [...own].filter((id) => !here.has(id)),
    );
  };

  const ensure = async (ids: readonly number[], insist: boolean): Promise<void> => {
    const fresh = ids.filter((id) => !asking.has(id));
    if (fresh.length > 0) {
      const asked: Asking = { call: ++calls, work: Promise.resolve() };
      for (const id of fresh) asking.set(id, asked);
      asked.work = forMany(() => refresh(fresh, insist, asked)).finally(() => {
        for (const id of fresh) if (asking.get(id) === asked) asking.delete(id);
      });
    }
    await Promise.all([...new Set(ids.map((id) => asking.get(id)?.work))]);
  };

  return {
    get: async (ids, authority) => {
      const result = new Map<number, T>();
      const now = Date.now();
      const urgent = new Set<number>();
      const soon = new Set<number>();
      for (const id of ids) {
        const age = now - (copies.get(id)?.at ?? NEVER);
        if (age > USABLE_MS) urgent.add(id);
        else if (age > FRESH_MS && !asking.has(id)) soon.add(id);
      }
      if (soon.size > 0)
        ensure([...soon], false).catch((error: unknown) =>
          logFault(source.log, error, {}, 'known things could not be refreshed'),
        );
      if (urgent.size > 0) await ensure([...urgent], authority !== undefined);
      for (const id of ids) {
        const copy = copies.get(id);
        if (copy?.value !== undefined) result.set(id, copy.value);
        else if (authority && (copy?.at ?? NEVER) === NEVER) throw unavailable('The content service');
      }
      return result;
    },
    put: (values) => {
      put(
        values,
        values.map(({ id }) => id),
        DOUBTED,
        ++calls,
      );
    },
    doubt: (ids) => {
      const doubted = ids ? ids.flatMap((id) => copies.peek(id) ?? []) : [...copies.values()];
      doubted.forEach(mark);
      const overtaken = (ids ?? [...asking.keys()]).filter((id) => asking.delete(id));
      const isMissed = ids?.length !== 0 && performance.now() - evictedAt < FRESH_MS;
      return doubted.length + overtaken.length + Number(isMissed);
    },
  };
}

function mark<T>(copy: Copy<T>): void {
  if (copy.at !== NEVER) copy.at = DOUBTED;
}
