/** How commands print: tables that line up, JSON for programs, and bars that people can watch. */
import { Presets, SingleBar } from 'cli-progress';
import { InvalidArgumentError } from 'commander';

export function printTable(rows: readonly Record<string, unknown>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => text(row[name])));
  const widths = names.map((name, index) =>
    Math.max(name.length, ...cells.map((row) => (row[index] as string).length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] as number))
      .join('  ')
      .trimEnd();
  console.log(rows.length === 0 ? 'none' : [line(names), ...cells.map(line)].join('\n'));
}

const text = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : Array.isArray(value)
      ? value.join(',')
      : String(value as string | number | boolean);

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

export interface Bar {
  update(done: number): void;
  stop(): void;
}

/** A bar on a terminal, nothing elsewhere: logs are no place for one. */
export function progressBar(format: string, total: number): Bar {
  const bar = new SingleBar(
    { format, hideCursor: true, noTTYOutput: false, etaBuffer: 100 },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return {
    update: (done) => {
      if (done > bar.getTotal()) bar.setTotal(done);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

/** For options that take a number. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return Number(text);
}
