/** Rows of venues. The statements are those of all linked things: linked/store.ts. */
import type { LinkedRow } from '../linked/rows';

export interface VenueRow extends LinkedRow {
  readonly address: string;
  readonly city: string;
  readonly country: string;
  readonly province: string;
  readonly state: string;
  readonly stateprovince: string;
  readonly zip: string;
  readonly showMap: boolean;
  readonly showMapLink: boolean;
  readonly geoLat: number | null;
  readonly geoLng: number | null;
}

// prettier-ignore
export const venueColumns: readonly (keyof VenueRow)[] = [
  'address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'showMap', 'showMapLink', 'geoLat',
  'geoLng',
];
