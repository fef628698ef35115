/** The venues and organizers that events are linked to, by their ids. */
import type { OrganizerRow } from '../organizers/store';
import type { VenueRow } from '../venues/store';

export interface Linked {
  /** Those that exist among the ids, in the trash or not. */
  venues(ids: readonly number[]): Promise<ReadonlyMap<number, VenueRow>>;
  organizers(ids: readonly number[]): Promise<ReadonlyMap<number, OrganizerRow>>;
}
