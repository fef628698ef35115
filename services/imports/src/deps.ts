/** What the handlers of the imports service work with. */
import type { Log } from '@sevenfold/chassis/log';
import type { Config } from './config';

export interface Deps {
  readonly config: Config;
  readonly log: Log;
  /** `<SITE_URL>/rest`: what links of this interface start with. */
  readonly root: string;
}
