/**
 * One row beside its ceilings. They take turns in short slices, so that what else the machine does meanwhile slows all
 * of them alike, and a ratio is the median of those of the turns.
 */
import { type LoadOptions, load } from './load';

const TURNS = 5;
const WARM_UP_SECONDS = 1;

export interface Measured {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly kilobytes: number;
  readonly failures: number;
  /** Requests a second divided by those of a ceiling, by the ceiling's name. */
  readonly ratios: Record<string, number>;
  readonly target?: number;
  /** The least ratio to a ceiling, by its name. */
  readonly least?: Readonly<Record<string, number>>;
}

/** `seconds` of load on the row, and half of it on each ceiling, after a short warming of all. */
export async function measure(
  row: Pick<Measured, 'name' | 'target' | 'least'>,
  options: LoadOptions,
  ceilings: Readonly<Record<string, Pick<LoadOptions, 'origin' | 'path' | 'headers' | 'wantedStatus'>>>,
): Promise<Measured> {
  const { connections, seconds } = options;
  const warmUp = Math.min(WARM_UP_SECONDS, seconds);
  await load({ ...options, seconds: warmUp });
  for (const bare of Object.values(ceilings)) await load({ ...bare, connections, seconds: warmUp / 4 });
  const own: Awaited<ReturnType<typeof load>>[] = [];
  const ratios: Record<string, number[]> = {};
  for (let turn = 0; turn < TURNS; turn++) {
    const result = await load({ ...options, seconds: seconds / TURNS });
    own.push(result);
    for (const [name, bare] of Object.entries(ceilings)) {
      const ceiling = await load({ ...bare, connections, seconds: seconds / TURNS / 2 });
      if (ceiling.failures > 0) throw new Error(`The ceiling ${name} of ${row.name} fails.`);
      (ratios[name] ??= []).push(result.requestsPerSecond / ceiling.requestsPerSecond);
    }
  }
  return {
    ...row,
    requestsPerSecond: median(own.map((one) => one.requestsPerSecond)),
    p50: median(own.map((one) => one.p50)),
    p99: Math.max(...own.map((one) => one.p99)),
    kilobytes: median(own.map((one) => one.bytesPerAnswer)) / 1024,
    failures: own.reduce((sum, one) => sum + one.failures, 0),
    ratios: Object.fromEntries(Object.entries(ratios).map(([name, all]) => [name, median(all)])),
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return NaN;
  return Number.isInteger(middle)
    ? ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
    : (sorted[Math.floor(middle)] as number);
}
