/*
 * How much one text shows of what is kept elsewhere: files and embeds. A megabyte of text names the same gallery a hundred
 * thousand times, and what becomes of it must not grow with that. What is beyond stays a link or text, as its author wrote it.
 */
import type { FindFiles } from './players';

// Ten galleries of the largest kind, or fifty of the longest embeds.
const MOST_FILES = 1_000;
const MOST_CHARACTERS = 1_000_000;

/** What is left of it. */
export interface Allowance {
  files: number;
  /** Of HTML. */
  characters: number;
}

export const newAllowance = (): Allowance => ({ files: MOST_FILES, characters: MOST_CHARACTERS });

/** Takes the HTML out of the allowance, where it fits in. */
export function takes(allowance: Allowance, html: string): boolean {
  if (html.length > allowance.characters) return false;
  allowance.characters -= html.length;
  return true;
}

/**
 * Undefined where no more files may be asked for. Files count as they are named, found or not: whoever reads a text for the files
 * that it names, to find them all at once, hears of each that is asked for when it is shown.
 */
export function within(allowance: Allowance, find: FindFiles | undefined): FindFiles | undefined {
  if (!find || allowance.files <= 0) return undefined;
  return (wanted) => {
    const found = find(wanted);
    allowance.files -= Math.max(1, wanted.ids.length, found.length);
    return found;
  };
}
