/**
 * What somebody has written he reads, whichever process he meets next. Whoever passes requests on says with each what the writes
 * before it told (wrote.ts); a process that has not heard of it yet, and may remember what was before, hears first. Where its line
 * does not tell it soon, it forgets what it remembers.
 */
export const AFTER_HEADER = 'x-sevenfold-after';

/** Nothing that processes remember of their database lives longer. */
export const AFTER_MS = 60_000;

/** Stands for ids that nobody knows, or too many. */
export const UNKNOWN = '*';

export interface Hears {
  /** Whether this message, and all before it, have been heard. */
  knows(id: string): boolean;
  /** Whether all that was committed before the call has been heard. */
  caughtUp(): Promise<boolean>;
  /** What is remembered of it may be old. */
  doubt(): void;
}

/** `content=<id>,<id> calendar=*`; empty for nothing. */
export const afterText = (of: Iterable<readonly [service: string, ids: readonly string[]]>): string =>
  Array.from(of)
    .filter(([, ids]) => ids.length > 0)
    .map(([service, ids]) => `${service}=${ids.join(',')}`)
    .join(' ');

/** Undefined where nothing is to be waited for, as for an empty text. */
export type Wait = (text: string) => Promise<unknown> | undefined;

/** `sources` by service; of others nothing is remembered. */
export function openAfter(sources: ReadonlyMap<string, Hears>): Wait {
  const hear = async (source: Hears): Promise<void> => {
    if (!(await source.caughtUp())) source.doubt();
  };
  return (text) => {
    if (text === '') return undefined;
    const waits: Promise<void>[] = [];
    for (const part of text.split(' ')) {
      const sign = part.indexOf('=');
      const source = sources.get(part.slice(0, sign));
      const ids = part.slice(sign + 1).split(',');
      if (source && !ids.every((id) => source.knows(id))) waits.push(hear(source));
    }
    return waits.length === 0 ? undefined : Promise.all(waits);
  };
}
