/** Organizers named by their data inside events. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Deps } from '../deps';
import { type Asker, type NamedData, findOrCreate, prepareInline } from '../linked/actions';
import { organizerKind } from '../linked/kinds';
import { lockNames } from '../linked/store';

export type OrganizerData = NamedData;

/** Reads the data, and asks for the picture; outside of any transaction. Faults are told of `param`. */
export const prepareOrganizer = (
  deps: Deps,
  raw: Readonly<Record<string, unknown>>,
  asker: Asker & { readonly param: string },
): Promise<OrganizerData> => prepareInline(deps, organizerKind, raw, asker);

/** Id of the organizer that the data mean, made if there is none of the name. */
export const findOrCreateOrganizer = (
  tx: Db,
  deps: Deps,
  data: OrganizerData,
  actor: Actor,
): Promise<number> => findOrCreate(tx, deps, organizerKind, data, actor);

/** Before several are found or made in one transaction. */
export const lockOrganizers = (tx: Db, data: readonly OrganizerData[]): Promise<number> =>
  lockNames(
    tx,
    organizerKind,
    data.map(({ name }) => name),
  );
