import type { Remote } from '@sevenfold/chassis/grpc/dial';
import type { SiteImportServiceServer } from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import type { Deps } from '../deps';
import type { Report } from './report';

/** The calendar, as far as it takes part. */
export type Calendar = Remote<SiteImportServiceServer>;

/** What the parts of an import share. */
export interface ImportCall {
  readonly deps: Deps;
  readonly report: Report;
  readonly timezone: string;
  /** Identity of the other site; those of its things are told apart by it. */
  readonly site: string;
  /** Addresses of the other site, as its texts write them. */
  readonly addresses: readonly string[];
  /** Without it there are no events, and even numbers are not kept. */
  readonly calendar?: Calendar;
  /** Logins of the other site, in small letters, and whose here they are. */
  readonly mapAuthors: ReadonlyMap<string, string>;
  /** By login on the other site, in small letters. */
  readonly authors: Map<string, number>;
  /** By number on the other site. */
  readonly authorNumbers: Map<string, number>;
  /** What the other site says of things that moved in before is brought over them, unless they changed here. */
  readonly isLive: boolean;
  /**
   * What of this run everybody may read there and is no post here, by its identity: things of the calendar and of unknown kinds. A file
   * that hangs on one hangs on nothing here, and is everybody's.
   */
  readonly open: Set<string>;
  /** Posts that had been deleted here and came again in this run: so do their comments, which went with them. */
  readonly anew: Set<number>;
  /** What is new has numbers above this one; it rises where a site that is read has greater ones. */
  raised: number;
  /** Writes what nobody wrote. */
  readonly fallbackAuthor: number;
  /** By `<taxonomy>/<slug>`, and by `#<number there>` where things name them so. */
  readonly terms: Map<string, number>;
  /** Ends what is waited for, where others take their time. */
  readonly signal?: AbortSignal;
}

/** How long a call of the calendar may take. */
export const DEADLINE_MS = 30_000;
