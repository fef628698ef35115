/** Venues: where events take place. */
import { venueKind } from '../linked/kinds';
import { linkedResource } from '../linked/routes';

export const venues = linkedResource(venueKind);
