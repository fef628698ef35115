/**
 * What the benchmark says: a table as it goes, a file of runs for machines (each run is added to those that are there),
 * and the comparison of two such files by the medians of their ratios.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Measured, median } from './measure';

export interface ReportedRow extends Omit<Measured, 'name'> {
  /** With the size of the tables, where that is not the first one. */
  readonly name: string;
}

export interface Run {
  readonly at: string;
  readonly node: string;
  readonly posts: number;
  readonly connections: number;
  readonly seconds: number;
  readonly rows: readonly ReportedRow[];
  /** Megabytes of each process after the rows, where the system tells. */
  readonly memory?: Readonly<Record<string, number>>;
}

const CEILINGS = {
  node: 'of node:http',
  express: 'of Express',
  proxy: 'of proxy',
  service: 'proxied',
  ours: 'of ours',
} as const;

export const heading = (): string =>
  line('row', 'req/s', 'p50 ms', 'p99 ms', 'KB', ...Object.values(CEILINGS), 'target', '');

export function rowOf(row: Measured): string {
  const least = Object.entries(row.least ?? {});
  const met =
    row.requestsPerSecond >= (row.target ?? 0) && least.every(([name, of]) => (row.ratios[name] ?? 0) >= of);
  const isHeld = row.target !== undefined || least.length > 0;
  const failed = row.failures > 0 ? ` ${row.failures} FAILED` : '';
  return line(
    row.name,
    row.requestsPerSecond.toFixed(0),
    row.p50.toFixed(1),
    row.p99.toFixed(1),
    row.kilobytes.toFixed(1),
    ...Object.keys(CEILINGS).map((name) => ratio(row.ratios[name])),
    row.target?.toFixed(0) ?? least.map(([, of]) => of.toFixed(2)).join(' '),
    (isHeld ? verdictOf(met) : '') + failed,
  );
}

export const ratio = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(3));
export const verdictOf = (met: boolean): string => (met ? 'met' : 'MISSED');

function line(name: string, ...cells: string[]): string {
  return name.padEnd(44) + cells.map((cell) => cell.padStart(13)).join('');
}

const readRuns = (file: string): Run[] => JSON.parse(readFileSync(file, 'utf8')) as Run[];

export function addRun(file: string, run: Run): void {
  const runs = existsSync(file) ? readRuns(file) : [];
  writeFileSync(file, `${JSON.stringify([...runs, run], null, 1)}\n`);
}

/** One line for each ratio of each row that both files hold: before, after, and how the second stands to the first. */
export function compareRuns(before: string, after: string): string[] {
  const [old, young] = [ratiosOf(readRuns(before)), ratiosOf(readRuns(after))];
  const lines = [line('row', 'ceiling', 'before', 'after', 'change')];
  for (const [key, olds] of old) {
    const youngs = young.get(key);
    if (!youngs) continue;
    const [name, ceiling] = key.split('\n') as [string, string];
    const [was, is] = [median(olds), median(youngs)];
    const change = `${is >= was ? '+' : ''}${((is / was - 1) * 100).toFixed(1)} %`;
    lines.push(line(name, ceiling, ratio(was), ratio(is), change));
  }
  const missing = [...old.keys()].filter((key) => !young.has(key)).length;
  const added = [...young.keys()].filter((key) => !old.has(key)).length;
  if (missing + added > 0) lines.push(`${missing} only before, ${added} only after`);
  return lines;
}

function ratiosOf(runs: readonly Run[]): Map<string, number[]> {
  const all = new Map<string, number[]>();
  for (const row of runs.flatMap((run) => run.rows))
    for (const [ceiling, value] of Object.entries(row.ratios)) {
      const key = `${row.name}\n${ceiling}`;
      all.set(key, [...(all.get(key) ?? []), value]);
    }
  return all;
}
