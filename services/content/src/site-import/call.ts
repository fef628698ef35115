import type { Deps } from '../deps';
import type { Report } from './report';

/** What the parts of an import share. */
export interface ImportCall {
  readonly deps: Deps;
  readonly report: Report;
  readonly timezone: string;
  /** Address of the other site; identities are told apart by it. */
  site: string;
  /** By login on the other site. */
  readonly authors: Map<string, number>;
  /** Writes what an unknown author wrote. */
  readonly fallbackAuthor: number;
  /** By `<taxonomy>/<slug>`. */
  readonly terms: Map<string, number>;
  /** Links to objects that may come later in the file: kept until its end. */
  readonly pendingTermParents: { id: number; taxonomy: string; parentSlug: string }[];
  readonly pendingParents: { id: number; parent: string }[];
  readonly pendingPictures: { id: number; picture: string }[];
}
