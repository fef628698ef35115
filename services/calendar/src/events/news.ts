/** What other services hear when events change: one message for all events of a statement. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { publicLink } from '../common/links';
import { emitTogether } from '../common/told-together';

export interface ChangedEvent {
  readonly id: number;
  readonly status: string;
  readonly slug: string;
  /** '' for a new one. */
  readonly statusBefore: string;
  readonly categoryIds: readonly number[];
  readonly tagIds: readonly number[];
}

export const announce = (
  tx: Db,
  topic: 'calendar.event.changed' | 'calendar.event.deleted',
  events: readonly ChangedEvent[],
): Promise<void> => emitTogether(tx, topic, 'events', events.map(onWire));

const onWire = (event: ChangedEvent): object => ({
  id: event.id,
  status: event.status,
  before_status: event.statusBefore,
  category_ids: event.categoryIds,
  tag_ids: event.tagIds,
  // Below the site. Whoever reads the event later may find it elsewhere already.
  link: publicLink('', 'event', event),
});
