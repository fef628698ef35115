/** What neighbours of a service saw while it was away, in one line for each fault. */
export interface Look {
  readonly path: string;
  /** Milliseconds, of the clock that `began` and `ended` have. */
  readonly at: number;
  readonly ms: number;
  readonly isUsual: boolean;
}

export interface Seen {
  readonly looks: readonly Look[];
  readonly began: number;
  readonly ended: number;
  /** Milliseconds from when its process was there until it answered as ever. */
  readonly recovered: number;
}

export const faultHeading = 'fault | others: success | p99 before, during (ratio) | back after';

export function faultRow(name: string, { looks, began, ended, recovered }: Seen): string {
  const before = looks.filter(({ at }) => at < began);
  const during = looks.filter(({ at }) => at >= began && at < ended);
  const [usual, now] = [p99(before), p99(during)];
  return [
    name,
    successes(during).join(', '),
    `${usual.toFixed(0)} ms, ${now.toFixed(0)} ms (${(now / usual).toFixed(2)})`,
    `${(recovered / 1000).toFixed(1)} s`,
  ].join(' | ');
}

function p99(looks: readonly Look[]): number {
  const times = looks.map(({ ms }) => ms).sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? NaN;
}

/** Up to its version. */
const namespaceOf = (path: string): string => /^\/rest\/(.*?\/v?\d[\d.]*)\//.exec(path)?.[1] ?? path;

function successes(looks: readonly Look[]): string[] {
  const namespaces = [...new Set(looks.map(({ path }) => namespaceOf(path)))];
  return namespaces.map((namespace) => {
    const own = looks.filter(({ path }) => namespaceOf(path) === namespace);
    const part = own.filter(({ isUsual }) => isUsual).length / own.length;
    return `${namespace} ${(100 * part).toFixed(part === 1 ? 0 : 2)} %`;
  });
}
