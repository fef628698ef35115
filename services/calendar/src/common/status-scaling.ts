/**
 * The status that a write leads to (REFERENCE.md 9.1, as BEHAVIOUR.md 10 and 11 change it): nobody is refused for
 * asking too much, the status is scaled down to what he may set.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Owned } from '@sevenfold/publishing/rights';
import { needsPublishRight } from '@sevenfold/publishing/statuses';
import { may } from './policy';

/**
 * `asked` is the status of the body; empty text counts as absent. `current` is undefined on create. Without the right
 * to publish, what is to be seen waits for review; what is seen already stays so.
 */
export function scaleStatus(actor: Actor, asked: string | undefined, current?: Owned): string {
  const publisher = may(actor, 'publish');
  if (!asked) return current?.status ?? (publisher ? 'publish' : 'draft');
  if (publisher || asked === current?.status || !needsPublishRight(asked)) return asked;
  return 'pending';
}
