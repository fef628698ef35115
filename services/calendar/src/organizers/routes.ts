/** Organizers: who holds events. */
import { organizerKind } from '../linked/kinds';
import { linkedResource } from '../linked/routes';

export const organizers = linkedResource(organizerKind);
