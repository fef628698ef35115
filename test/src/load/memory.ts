/**
 * Memory of the processes of a stack, as Linux counts it: of what several share, each has its part (PSS), so that the sum is
 * what the machine is short of. Whoever started the stack is not one of them.
 */
import { readFileSync } from 'node:fs';
import { familyOf } from './cpu';
import { verdictOf } from './report';

const MOST_MEGABYTES = 900;

/** Megabytes by the name of the process, its children with it; the largest first. */
export type MemoryByProcess = Readonly<Record<string, number>>;

export function memoryOf(processes: Readonly<Record<string, number>>): MemoryByProcess {
  const all = Object.entries(processes).map(([name, pid]) => {
    const kilobytes = familyOf([pid]).reduce((sum, one) => sum + kilobytesOf(one), 0);
    return [name, kilobytes / 1024] as const;
  });
  return Object.fromEntries(all.sort(([, a], [, b]) => b - a));
}

const totalOf = (memory: MemoryByProcess): number => Object.values(memory).reduce((sum, one) => sum + one, 0);

/** Of the run's last moment, and once the processes have given back what it took. */
export function linesOf(last: MemoryByProcess, calm: MemoryByProcess): string[] {
  const rows = Object.entries(calm).map(
    ([name, one]) =>
      `  ${name.padEnd(22)}${one.toFixed(0).padStart(6)}${(last[name] ?? 0).toFixed(0).padStart(8)}`,
  );
  const total = totalOf(calm);
  return [
    `\nmemory after the run, MB: ${total.toFixed(0)} (target ${MOST_MEGABYTES}: ${verdictOf(total <= MOST_MEGABYTES)}); ` +
      `${totalOf(last).toFixed(0)} in its last moment`,
    ...rows,
  ];
}

/** 0 for what has ended, and where the system does not tell. */
function kilobytesOf(pid: number): number {
  try {
    return Number(/^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
