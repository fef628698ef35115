/** What is found in a file that people have: events as a batch report carries them, and what is wrong or was left out. */

/** One event of a batch, by the names of the interface. */
export type FoundEvent = Readonly<Record<string, unknown>>;

export interface Fault {
  /** Of the file, from 1; where it begins, if it has several. */
  readonly line: number;
  readonly title: string;
  readonly reason: string;
}

export interface Found {
  readonly events: readonly FoundEvent[];
  /** What could not be read. */
  readonly faults: readonly Fault[];
  /** What is not for a public calendar, and why. */
  readonly leftOut: readonly Fault[];
}

/** What of a file is wanted. */
export interface Wanted {
  /** Days, both included. */
  readonly from?: string;
  readonly to?: string;
  /** Of times that name none. */
  readonly timezone?: string;
  readonly now: Date;
  /** How long a rule of recurrence may be thought about. */
  readonly patienceMs?: number;
}

/** The service takes no longer names. */
const LONGEST_NAME = 400;

/** A name that is the same each time the file is read, and that nothing on the way changes. */
export const nameFor = (text: string, digest: (text: string) => string): string =>
  text.length <= LONGEST_NAME && /^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(text) ? text : digest(text);
