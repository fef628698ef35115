/**
 * A body by what it says. Equal bytes have the same hash wherever it was made, so a service that gives an answer again says it
 * with the answer, and whoever keeps answers need not make it anew.
 */
import { hash } from 'node:crypto';

export const BODY_HEADER = 'x-sevenfold-body';

export const hashOf = (body: Buffer | string): string => hash('sha256', body, 'base64url');
