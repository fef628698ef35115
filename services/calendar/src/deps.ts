/** What the handlers, jobs and remote calls of the calendar service work with. */
import type { Database } from '@sevenfold/chassis/db/sql';
import type { Call } from '@sevenfold/chassis/http/route';
import type { Log } from '@sevenfold/chassis/log';
import type { Config } from './config';
import type { ContentClients } from './content/clients';

export interface Deps {
  readonly db: Database;
  readonly config: Config;
  readonly log: Log;
  /** Public address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** `<SITE_URL>/rest`: what links of this interface start with. */
  readonly root: string;
  readonly content: ContentClients;
}

export type CalendarCall<A = Record<string, unknown>, S = unknown> = Call<Deps, A, S>;
