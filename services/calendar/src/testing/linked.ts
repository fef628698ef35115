/** The two kinds of linked things, for tests of what they share: `describe.each(linkedKinds)('$many', …)`. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { makeOrganizer, makeVenue } from './factories';

export const linkedKinds = [
  { one: 'venue', many: 'venues', make: makeVenue, linkOf: (id: number) => ({ venue_id: id }) },
  {
    one: 'organizer',
    many: 'organizers',
    make: makeOrganizer,
    linkOf: (id: number) => ({ organizer_ids: [id] }),
  },
] as const;

/** Ids of a list answer. */
export const idsIn = (answer: { body: Record<string, { id: number }[]> }, many: string): number[] =>
  (answer.body[many] ?? []).map(({ id }) => id);

/** Row by row, as the service does it: what is counted of them goes with them. */
export async function removeAll(db: Db): Promise<void> {
  for (const table of ['events', 'venues', 'organizers']) await db.run(`delete from ${table}`);
}
