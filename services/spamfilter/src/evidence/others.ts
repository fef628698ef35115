/* What else was sent of late: the same text again, and how much from one address and the network around it. */
import type { Evidence } from './evidence';

export interface Traces {
  /** Digests: who sent is not to be read from this table. */
  readonly address: Buffer | null;
  readonly network: Buffer | null;
  readonly likeness: string | null;
}

/** Rows looked at for each question: beyond it a count says no more. */
const MOST = 60;
const NEAR_BITS = 3;

export interface Alike {
  copies: number;
  spam: number;
  ham: number;
}

/** Of texts like one: its likeness, and the key that does not count, as parameters of the statement. */
export function copiesSql(likeness: string, key: string): string {
  const quarter = (shift: number): string =>
    `(select key, likeness, decision from messages
      where (likeness${shift ? ` >> ${shift}` : ''} & 65535) = (${likeness}::bigint${shift ? ` >> ${shift}` : ''} & 65535)
        and likeness is not null and first_at > now() - interval '30 days'
      order by first_at desc limit ${MOST})`;
  return `select count(*)::int as copies, count(*) filter (where decision = 'spam')::int as spam,
       count(*) filter (where decision = 'ham')::int as ham
     from (${[0, 16, 32, 48].map(quarter).join(' union ')}) near
     where key <> ${key} and bit_count((likeness # ${likeness}::bigint)::bit(64)) <= ${NEAR_BITS}`;
}

export function judgeCopies({ copies, spam, ham }: Alike): Evidence[] {
  // What moderators have let pass more than once may be a template that people fill in.
  if (copies === 0 || ham > spam) return [];
  const weight = Math.min(3, 0.8 * Math.log2(copies + 1)) + Math.min(4, spam * 2);
  const decided = spam > 0 ? `, ${spam} of them spam by decision` : '';
  const often = copies >= MOST ? `${MOST} times or more` : copies === 1 ? 'once' : `${copies} times`;
  return [{ name: 'repeated', weight, detail: `Nearly the same text came ${often} before${decided}.` }];
}

interface Window {
  readonly of: 'address' | 'network';
  readonly minutes: number;
  /** How many are nothing unusual. */
  readonly usual: number;
}

const WINDOWS: readonly Window[] = [
  { of: 'address', minutes: 10, usual: 3 },
  { of: 'address', minutes: 24 * 60, usual: 12 },
  { of: 'network', minutes: 10, usual: 10 },
];

/** One number for each window. Messages are counted once, at their first check: editing one is not sending another. */
export function ratesSql(address: string, network: string, key: string): string {
  const counts = WINDOWS.map(
    ({ of, minutes }) =>
      `(select count(*) from (select from messages where ${of} = ${of === 'address' ? address : network} and key <> ${key}
        and first_at > now() - interval '${minutes} minutes' limit ${MOST}) sent)`,
  );
  return `select array[${counts.join(', ')}]::int[]`;
}

export function judgeRates(counts: readonly number[]): Evidence[] {
  const excess = WINDOWS.map((window, index) => {
    const count = counts[index] ?? 0;
    return {
      ...window,
      count,
      weight: Math.min(3, Math.max(0, Math.log2((count + 1) / (window.usual + 1)) * 1.2)),
    };
  });
  const worst = excess.reduce((most, one) => (one.weight > most.weight ? one : most));
  if (worst.weight === 0) return [];
  const span = worst.minutes >= 1440 ? 'a day' : `${worst.minutes} minutes`;
  const detail = `${worst.count} others from the same ${worst.of} within ${span}.`;
  return [{ name: 'rate', weight: worst.weight, detail }];
}
