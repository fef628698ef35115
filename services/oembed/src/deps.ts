/** What the handlers and remote calls of the oembed service work with. */
import type { Log } from '@sevenfold/chassis/log';
import type { RedisClient } from '@sevenfold/chassis/queue/redis';
import type { Config } from './config';
import type { Resolve } from './proxy/resolve';
import type { Neighbours } from './site/neighbours';
import type { AskSite } from './site/site';

export interface Deps {
  readonly config: Config;
  readonly log: Log;
  /** Public address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** `<SITE_URL>/rest`: what links of this interface start with. */
  readonly root: string;
  /** The services that know what the site shows. */
  readonly neighbours: Neighbours;
  /** What the site says of itself. */
  readonly site: AskSite;
  /** What stands for addresses of other sites. */
  readonly resolve: Resolve;
  readonly redis: RedisClient;
}
