/** What the handlers, jobs and remote calls of the content service work with. */
import type { Outlines } from '@sevenfold/chassis/db/list';
import type { Lane } from '@sevenfold/chassis/db/lanes';
import type { Database } from '@sevenfold/chassis/db/sql';
import type { Call } from '@sevenfold/chassis/http/route';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import type { Log } from '@sevenfold/chassis/log';
import type { Sealer } from '@sevenfold/chassis/seal';
import type { EventServiceServer } from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import type { EmbedServiceServer } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import type { SpamFilter } from './comments/filter';
import type { Config } from './config';
import type { Storage } from '@sevenfold/chassis/files/storage';
import type { ContentMemory } from './memory';
import type { GeneratedSlugs } from './posts/generated-slugs';
import type { SettingsCache } from './settings/cache';
import type { Sessions } from './sessions/sessions';
import type { Identity } from './users/identity';
import type { Sender } from './webhooks/send';
import type { Guesses } from './posts/guesses';
import type { Sources } from './webhooks/sources';

export interface Deps {
  readonly db: Database;
  /** Connections of their own for searches. */
  readonly searches: Lane;
  /** And for lists of strangers that may cost much. */
  readonly lists: Lane;
  readonly config: Config;
  readonly log: Log;
  /** Public address of the site, without a trailing slash. */
  readonly siteUrl: string;
  /** `<SITE_URL>/rest`: what links of this interface start with. */
  readonly root: string;
  /** Everything that this process remembers and that a commit makes old. */
  readonly memory: ContentMemory;
  /** The site's settings, in memory and fresh. */
  readonly settings: SettingsCache;
  /** Checks credentials; remembers them for seconds. */
  readonly identity: Identity;
  /** What log-ins have begun. */
  readonly sessions: Sessions;
  /** How often passwords of posts were wrong. */
  readonly guesses: Guesses;
  /** Totals of lists of posts, in memory. */
  readonly postOutlines: Outlines;
  /** Slugs that the titles of a list would give, in memory. */
  readonly generatedSlugs: GeneratedSlugs;
  /** Where media files are. */
  readonly storage: Storage;
  /** Knows the terms of events. */
  readonly calendar: Remote<EventServiceServer>;
  /** Knows what stands for addresses elsewhere. */
  readonly oembed: Remote<EmbedServiceServer>;
  /** Absent where comments are not checked. */
  readonly spamFilter?: SpamFilter;
  /** Secrets of webhooks are stored under it. */
  readonly webhookSealer: Sealer;
  /** What webhooks are told of, as its readers see it. */
  readonly webhookSources: Sources;
  readonly webhookSender: Sender;
}

export type ContentCall<A = Record<string, unknown>, S = unknown> = Call<Deps, A, S>;
