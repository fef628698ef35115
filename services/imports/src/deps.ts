/** What the handlers, jobs and remote calls of the imports service work with. */
import type { Database } from '@sevenfold/chassis/db/sql';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import type { Log } from '@sevenfold/chassis/log';
import type { ImportServiceServer } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Activities } from './batches/activity';
import type { Turn } from '@sevenfold/chassis/turn';
import type { Config } from './config';
import type { Watch } from './imports/watch';

export interface Deps {
  readonly db: Database;
  readonly config: Config;
  readonly log: Log;
  /** `<SITE_URL>/rest`: what links of this interface start with. */
  readonly root: string;
  readonly calendar: Pick<Remote<ImportServiceServer>, 'applyBatches'> & { close(): Promise<void> };
  /** For calls to the calendar that write. */
  readonly turn: Turn;
  /** What imports have done so far, remembered. */
  readonly activities: Activities;
  /** Tells when an import has changed. */
  readonly watch: Watch;
}
