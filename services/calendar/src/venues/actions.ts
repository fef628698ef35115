/** Venues named by their data inside events. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Deps } from '../deps';
import { type Asker, type NamedData, findOrCreate, prepareInline } from '../linked/actions';
import { venueKind } from '../linked/kinds';

export type VenueData = NamedData;

/** Reads the data, and asks for the picture; outside of any transaction. Faults are told of `param`. */
export const prepareVenue = (
  deps: Deps,
  raw: Readonly<Record<string, unknown>>,
  asker: Asker & { readonly param: string },
): Promise<VenueData> => prepareInline(deps, venueKind, raw, asker);

/** Id of the venue that the data mean, made if there is none of the name. */
export const findOrCreateVenue = (tx: Db, deps: Deps, data: VenueData, actor: Actor): Promise<number> =>
  findOrCreate(tx, deps, venueKind, data, actor);
