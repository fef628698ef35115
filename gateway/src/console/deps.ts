/** What the console's routes work with. */
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import type { NoticeServiceServer } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/notices';
import type { SubmissionServiceServer } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import type { HeadServiceServer } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { OverrideServiceServer } from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import type { ImportsServiceServer } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';

export interface ConsoleDeps {
  readonly heads: Remote<HeadServiceServer>;
  readonly imports: Remote<ImportsServiceServer>;
  readonly notices: Remote<NoticeServiceServer>;
  readonly overrides: Remote<OverrideServiceServer>;
  readonly submissions: Remote<SubmissionServiceServer>;
  /** Aborts when the gateway is asked to stop: an answer without an end of its own ends then. */
  readonly stopping: AbortSignal;
}
