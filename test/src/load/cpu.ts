/** Processor time of processes, as the system counts it, their children with them. */
import { readFileSync, readdirSync } from 'node:fs';

const statOf = (pid: string | number): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
};

/** Hundredths of a second. */
export function cpuOf(pids: readonly number[]): number {
  const isOurs = (pid: string): boolean =>
    pids.includes(Number(pid)) || pids.includes(Number(statOf(pid)[1]));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .reduce((sum, pid) => sum + Number(statOf(pid)[11] ?? 0) + Number(statOf(pid)[12] ?? 0), 0);
}
