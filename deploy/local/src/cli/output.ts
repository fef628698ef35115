/** How commands print: lists as people or programs want them, JSON, and bars that people can watch. */
import { Presets, SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { csvRow } from '@sevenfold/text/csv';
import { exitOnSignals } from './signals';

export const formats = ['table', 'json', 'csv'] as const;

export interface ListOptions {
  readonly format: (typeof formats)[number];
}

type Cells = Readonly<Record<string, unknown>>;

const cellsOf = (row: object): Cells => ({ ...row });

/** Every command that lists things takes the same option, and prints by `printList`. */
export const listing = (command: Command): Command =>
  command.addOption(new Option('--format <kind>', 'how to print').choices(formats).default('table'));

/** Programs get all that is known of a row; `shown` says what of it fits on a line of a terminal. */
export function printList<R extends object>(
  rows: readonly R[],
  { format }: ListOptions,
  shown: (row: R) => Cells = cellsOf,
): void {
  if (format === 'json') printJson(rows);
  else if (format === 'csv') printCsv(rows.map(cellsOf));
  else printTable(rows.map(shown));
}

let isUnreadWork = false;
/** Said by a command that prints before it has done its work: that goes on though nobody reads any further. */
export const workUnread = (): void => void (isUnreadWork = true);
export const worksUnread = (): boolean => isUnreadWork;

/** A note for people, where it is in the way of no program. */
export const printNote = (text: string): void => console.error(text);

function printCsv(rows: readonly Cells[]): void {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return;
  const lines = [names, ...rows.map((row) => names.map((name) => text(row[name])))];
  process.stdout.write(lines.map(csvRow).join(''));
}

export const printTable = (rows: readonly Cells[]): void => console.log(tableOf(rows));

export function tableOf(rows: readonly Cells[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => plain(text(row[name]))));
  const widths = names.map((name, index) =>
    Math.max(name.length, ...cells.map((row) => (row[index] as string).length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] as number))
      .join('  ')
      .trimEnd();
  return rows.length === 0 ? 'none' : [line(names), ...cells.map(line)].join('\n');
}

/** One line, whatever was sent: no control character of a stranger reaches the terminal. */
const plain = (value: string): string => value.replace(/[\p{C}\s]+/gu, ' ');

function text(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

export interface Bar {
  /** More or less than was thought at first. */
  total(all: number): void;
  update(done: number): void;
  stop(): void;
}

/** A bar on a terminal, nothing elsewhere: logs are no place for one. */
export function progressBar(format: string, total: number): Bar {
  const bar = new SingleBar(
    { format, hideCursor: true, noTTYOutput: false, etaBuffer: 100 },
    Presets.shades_classic,
  );
  // Its cursor is hidden meanwhile: one that a signal ends would leave the terminal without.
  const restore = (): void => bar.stop();
  process.once('exit', restore);
  exitOnSignals();
  bar.start(total, 0);
  return {
    total: (all) => bar.setTotal(all),
    update: (done) => {
      if (done > bar.getTotal()) bar.setTotal(done);
      bar.update(done);
    },
    stop: () => {
      process.off('exit', restore);
      bar.stop();
    },
  };
}

/** For arguments that are an address of a site, or below it. */
export function webAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('must be an address, such as https://site.example.');
  return text;
}

/** For options that take a number. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return Number(text);
}
