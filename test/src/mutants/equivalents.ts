/**
 * Faults that nobody could see from outside, each with its reason: they count neither as killed nor as alive. Most are
 * bounds of memory and short cuts, which change what a thing costs and never what it says.
 */
import type { Mutant } from './operators';

export interface Equivalent {
  /** End of the path. */
  readonly file: string;
  /** Part of the line on which it stands. */
  readonly line: string;
  /** Of the line, only this change; all changes when absent. */
  readonly original?: string;
  readonly mutated?: string;
  readonly reason: string;
}

const BOUND = 'a bound of memory: what is forgotten is made anew';

export const equivalents: readonly Equivalent[] = [
  { file: 'text/src/dates.ts', line: 'abbreviations.size >= 2000', reason: BOUND },
  { file: 'text/src/dates.ts', line: 'abbreviations.set(key, found)', reason: 'only remembers' },
  {
    file: 'text/src/dates.ts',
    line: 'if (found === undefined)',
    mutated: 'true',
    reason: 'finds anew what was remembered',
  },
  {
    file: 'text/src/dates.ts',
    line: '/^[A-Z]{2,5}$/',
    reason: 'Intl writes an abbreviation or `GMT+…`, nothing else',
  },
  { file: 'text/src/zones.ts', line: 'MAX_', reason: BOUND },
  { file: 'text/src/zones.ts', line: 'zones.set(key, zone)', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'if (known) return known', mutated: 'false', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'dayTexts.set(day, text)', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'if (text === undefined)', mutated: 'true', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'days.set(key, day)', reason: 'only remembers' },
  { file: 'text/src/zones.ts', line: 'if (!day) {', mutated: 'true', reason: 'only remembers' },
  {
    file: 'text/src/zones.ts',
    line: 'if (offset === later)',
    mutated: 'false',
    reason: 'a short cut: the search for a change finds none on such a day',
  },
  {
    file: 'text/src/zones.ts',
    line: 'const EARLIEST_RULE',
    reason: 'any day before the first rule of any zone does as well',
  },
  {
    file: 'chassis/src/statement.ts',
    line: 'if (dot < 1)',
    reason: 'a short cut: without a payload no signature is right',
  },
  {
    file: 'chassis/src/statement.ts',
    line: "typeof value === 'object' && value !== null",
    reason: 'nobody who has the key signs anything but an object',
  },
  { file: 'chassis/src/statement.ts', line: 'if (!key)', mutated: 'true', reason: 'only remembers' },
  { file: 'chassis/src/statement.ts', line: 'keys.set(name, key)', reason: 'only remembers' },
];

export function isEquivalent(file: string, source: string, { line, original, mutated }: Mutant): boolean {
  const text = source.split('\n')[line - 1] ?? '';
  return equivalents.some(
    (row) =>
      file.endsWith(row.file) &&
      text.includes(row.line) &&
      (row.original ?? original) === original &&
      (row.mutated ?? mutated) === mutated,
  );
}
