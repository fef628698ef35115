/**
 * What other services hear when events change: one message for all events of a statement, since an import changes
 * hundreds at once and nobody gains from hundreds of messages.
 */
import { emitAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { publicLink } from '../common/links';

export interface ChangedEvent {
  readonly id: number;
  readonly status: string;
  readonly slug: string;
  /** '' for a new one. */
  readonly statusBefore: string;
  readonly categoryIds: readonly number[];
  readonly tagIds: readonly number[];
}

// Keeps a message to some ten kilobytes. Each costs several transactions, whatever it holds: one of whoever hears it.
const MOST = 500;

export async function announce(
  tx: Db,
  topic: 'calendar.event.changed' | 'calendar.event.deleted',
  events: readonly ChangedEvent[],
): Promise<void> {
  const messages: object[] = [];
  for (let start = 0; start < events.length; start += MOST)
    messages.push({ events: events.slice(start, start + MOST).map(onWire) });
  await emitAll(tx, topic, messages);
}

const onWire = (event: ChangedEvent): object => ({
  id: event.id,
  status: event.status,
  before_status: event.statusBefore,
  category_ids: event.categoryIds,
  tag_ids: event.tagIds,
  // Below the site. Whoever reads the event later may find it elsewhere already.
  link: publicLink('', 'event', event),
});
