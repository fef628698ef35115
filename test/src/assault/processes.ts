/** The memory of processes, as the system counts it. Where there is no /proc nothing is known, and nothing is asserted. */
import { readFileSync } from 'node:fs';

export type Memory = Readonly<Record<string, number>>;

/** Resident megabytes by name. */
export function memoryOf(pids: Readonly<Record<string, number>>): Memory {
  return Object.fromEntries(
    Object.entries(pids).flatMap(([name, pid]) => {
      const megabytes = residentMegabytes(pid);
      return megabytes === undefined ? [] : [[name, megabytes]];
    }),
  );
}

function residentMegabytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

export interface Watch {
  /** The most that each was seen to hold. */
  readonly peak: Record<string, number>;
  stop(): void;
}

export function watchMemory(pids: Readonly<Record<string, number>>): Watch {
  const peak: Record<string, number> = {};
  const look = (): void => {
    for (const [name, megabytes] of Object.entries(memoryOf(pids)))
      peak[name] = Math.max(peak[name] ?? 0, megabytes);
  };
  look();
  const timer = setInterval(look, 200);
  return { peak, stop: () => clearInterval(timer) };
}

/** Waits until every process is back within `growth` of what it held before; false when the time is over first. */
export async function settles(
  pids: Readonly<Record<string, number>>,
  before: Memory,
  growth: number,
  ms: number,
): Promise<boolean> {
  const until = Date.now() + ms;
  while (grown(before, memoryOf(pids), growth).length > 0) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return true;
}

/** `name: before → after` of those that hold more than `growth` megabytes more. */
export const grown = (before: Memory, after: Memory, growth: number): string[] =>
  Object.entries(after)
    .filter(([name, megabytes]) => megabytes > (before[name] ?? 0) + growth)
    .map(([name, megabytes]) => `${name}: ${before[name] ?? 0} → ${megabytes} MB`);
