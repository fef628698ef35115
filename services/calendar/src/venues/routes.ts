/** Venues: where events take place. */
import { linkedResource } from '../linked/routes';
import { venueKind } from './kind';

export const venues = linkedResource(venueKind);
