/** Organizers: who holds events. */
import { linkedResource } from '../linked/routes';
import { organizerKind } from './kind';

export const organizers = linkedResource(organizerKind);
