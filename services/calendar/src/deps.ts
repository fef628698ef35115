/** What the handlers, jobs and remote calls of the calendar service work with. */
import type { Remembered } from '@sevenfold/chassis/db/memory';
import type { Lane } from '@sevenfold/chassis/db/lanes';
import type { Database } from '@sevenfold/chassis/db/sql';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import type { Call } from '@sevenfold/chassis/http/route';
import type { Log } from '@sevenfold/chassis/log';
import type { EmbedServiceServer } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import type { Config } from './config';
import type { ContentClients } from './content/clients';
import type { Known } from './content/known';
import type { FollowedNews } from '@sevenfold/chassis/news/follow';
import type { EventOutlines } from './events/outline';
import type { LateText, ReadyText } from './events/ready-text';
import type { SlowHosts } from './imports/slow-hosts';
import type { FindRows } from './linked/fields';
import type { CalendarMemory } from './memory';
import type { OrganizerRow } from './organizers/fields';
import type { VenueRow } from './venues/fields';

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
  /** The content service itself, for writes that need an answer of it. */
  readonly content: ContentClients;
  /** What stands for addresses of other sites in texts. */
  readonly oembed: Remote<EmbedServiceServer>;
  /** What is known of the content service's terms, media and settings, whether it answers or not. */
  readonly known: Known;
  /** Its news. */
  readonly contentNews: FollowedNews;
  /** Rows of venues and organizers, in memory. */
  readonly linked: { readonly venues: FindRows<VenueRow>; readonly organizers: FindRows<OrganizerRow> };
  /** What lists of events look like, in memory. */
  readonly outlines: EventOutlines;
  /** Events as JSON text, in memory (events/ready.ts). */
  readonly ready: Remembered<ReadyText | LateText | undefined>;
  /** Which venues and organizers have events, in memory (linked/list.ts). */
  readonly linksOfEvents: Remembered<readonly number[]>;
  /** Where pictures of imports are long in coming. */
  readonly slowHosts: SlowHosts;
  /** Everything that this process remembers and that a commit makes old. */
  readonly memory: CalendarMemory;
}

export type CalendarCall<A = Record<string, unknown>, S = unknown> = Call<Deps, A, S>;
