/** Where a site moves in from: a file that it exported, or the site itself (@sevenfold/local/live-site). */
import type { ExportedRecord } from './exported';
import { readExport } from './read-export';
import { type Survey, survey } from './survey';

export interface Source {
  /** A first look, before anything is written; tells how many records it has seen. */
  survey(progress: (records: number) => void): Promise<Survey>;
  /** From the beginning each time it is asked. */
  records(): AsyncIterable<ExportedRecord>;
  /** What changed there since it moved in is changed here, too. */
  readonly isLive: boolean;
}

/** `named`: whose it is, where it does not say so itself. */
export const exportFile = (file: string, named?: string): Source => ({
  survey: (progress) => survey(file, named, progress),
  records: () => readExport(file),
  isLive: false,
});
