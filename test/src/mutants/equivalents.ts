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
  { file: 'text/src/zones.ts', line: 'MAX_', reason: BOUND },
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
