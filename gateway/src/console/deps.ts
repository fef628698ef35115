/** What the console's routes work with. */
import type { Neighbours } from '@sevenfold/chassis/grpc/neighbours';
import type { IdentityServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import type { SessionServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/sessions';
import type { WebhookServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import type { SubmissionServiceServer } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import type { ImportsServiceServer } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import type { OverrideServiceServer } from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import type { NoticeServiceServer } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/notices';
import type { Tokens } from '../identity/tokens';
import type { Accounts } from '../limits/accounts';
import type { Attempts } from '../limits/attempts';
import type { Surroundings } from '../site/address';

export interface ConsoleInterfaces {
  identity: IdentityServiceServer;
  imports: ImportsServiceServer;
  notices: NoticeServiceServer;
  overrides: OverrideServiceServer;
  sessions: SessionServiceServer;
  /** The same, with the room that checks of credentials have: what strangers fill is nobody else's. */
  signIn: SessionServiceServer;
  submissions: SubmissionServiceServer;
  webhooks: WebhookServiceServer;
}

export interface ConsoleDeps extends Neighbours<ConsoleInterfaces> {
  /** How often an address may be wrong. */
  readonly attempts: Attempts;
  /** The same of log-ins, and how often passwords for an account. */
  readonly accounts: Accounts;
  /** Whose the names are that were lately logged in with; 0: nobody's. */
  readonly accountNames: Names;
  readonly tokens: Tokens;
  /** What knows the pages of the site. */
  readonly site: Surroundings;
  /** Named where credentials are wanted. */
  readonly realm: string;
  /** Takes a place among those who follow an import, until what is answered is called; throws 503 where there is none. */
  readonly follow: () => () => void;
  /** Aborts when the gateway is asked to stop: an answer without an end of its own ends then. */
  readonly stopping: AbortSignal;
}

interface Names {
  readonly get: (name: string) => number | undefined;
  readonly set: (name: string, userId: number) => unknown;
}
