/** Processor time of processes, as the system counts it, their children with them. */
import { readFileSync, readdirSync } from 'node:fs';

const statOf = (pid: number): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
};

/** The processes and their children. */
export function familyOf(pids: readonly number[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pids.includes(pid) || pids.includes(Number(statOf(pid)[1])));
}

/** Hundredths of a second, of the process alone. */
export function ticksOf(pid: number): number {
  const stat = statOf(pid);
  return Number(stat[11] ?? 0) + Number(stat[12] ?? 0);
}

/** Milliseconds, of the process alone: for what takes less than hundredths tell. Counted are the threads that still run. */
export function millisecondsOf(pid: number): number {
  try {
    const threads = `/proc/${pid}/task`;
    const spent = readdirSync(threads).map((thread) =>
      Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    return 0;
  }
}

/** Hundredths of a second. */
export const cpuOf = (pids: readonly number[]): number =>
  familyOf(pids).reduce((sum, pid) => sum + ticksOf(pid), 0);
