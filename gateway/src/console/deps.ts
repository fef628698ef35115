/** What the console's routes work with. */
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import type { ImportsServiceServer } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';

export interface ConsoleDeps {
  readonly imports: Remote<ImportsServiceServer>;
}
