/** What the handlers, jobs and remote calls of the forms service work with. */
import type { Database } from '@sevenfold/chassis/db/sql';
import type { Storage } from '@sevenfold/chassis/files/storage';
import type { Call } from '@sevenfold/chassis/http/route';
import type { Log } from '@sevenfold/chassis/log';
import type { Config } from './config';
import type { SpamFilter } from './feedback/filter';
import type { MailWatch } from './feedback/mail-watch';
import type { Parsed } from './forms/parsed';
import type { Site } from './mail/site';
import type { Transport } from './mail/transport';

export interface Deps {
  readonly db: Database;
  readonly config: Config;
  readonly log: Log;
  /** Public address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** `<SITE_URL>/rest`: what links of this interface start with. */
  readonly root: string;
  /** What visitors uploaded; served to nobody. */
  readonly files: Storage;
  /** The way out for mail. */
  readonly transport: Transport;
  /** What mail tells of the site. */
  readonly site: Site;
  /** Of questions and receipts: the first one signs, all of them are believed. */
  readonly signingKeys: readonly Buffer[];
  /** What the texts of forms mean. */
  readonly parsed: Parsed;
  readonly spam: SpamFilter;
  readonly mailWatch: MailWatch;
}

export type FormsCall<A = Record<string, unknown>, S = undefined> = Call<Deps, A, S>;
