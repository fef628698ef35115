/** What the console's routes work with. */
import type { Neighbours } from '@sevenfold/chassis/grpc/neighbours';
import type { WebhookServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import type { SubmissionServiceServer } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import type { ImportsServiceServer } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import type { HeadServiceServer } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { OverrideServiceServer } from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import type { NoticeServiceServer } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/notices';
import type { Attempts } from '../limits/attempts';

export interface ConsoleInterfaces {
  heads: HeadServiceServer;
  imports: ImportsServiceServer;
  notices: NoticeServiceServer;
  overrides: OverrideServiceServer;
  submissions: SubmissionServiceServer;
  webhooks: WebhookServiceServer;
}

export interface ConsoleDeps extends Neighbours<ConsoleInterfaces> {
  /** How often an address may be wrong. */
  readonly attempts: Attempts;
  /** Aborts when the gateway is asked to stop: an answer without an end of its own ends then. */
  readonly stopping: AbortSignal;
}
