/** What others are told of venues and organizers. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { publicLink } from '../common/links';
import { emitTogether } from '../common/told-together';
import type { LinkedRow } from './fields';
import type { LinkedKind } from './kind';

const TOPICS = {
  venue: { changed: 'calendar.venue.changed', deleted: 'calendar.venue.deleted' },
  organizer: { changed: 'calendar.organizer.changed', deleted: 'calendar.organizer.deleted' },
} as const;

export type Told = Pick<LinkedRow, 'id' | 'status' | 'slug'>;

export const tell = (
  tx: Db,
  one: LinkedKind['one'],
  what: 'changed' | 'deleted',
  { id, status, slug }: Told,
  before: string,
): Promise<void> => emit(tx, TOPICS[one][what], onWire(one, { id, status, slug }, before));

/** Of several, in few messages; `before` is the status that each had, '' for new ones. */
export function tellAll(
  tx: Db,
  one: LinkedKind['one'],
  changed: readonly Told[],
  before: (told: Told) => string,
): Promise<void> {
  const [only, another] = changed;
  if (only && !another) return tell(tx, one, 'changed', only, before(only));
  const items = changed.map((told) => onWire(one, told, before(told)));
  return emitTogether(tx, TOPICS[one].changed, 'items', items);
}

const onWire = (one: LinkedKind['one'], { id, status, slug }: Told, before: string): object => ({
  id,
  status,
  before_status: before,
  link: publicLink('', one, { id, status, slug }),
});
