/**
 * Which row each event of a group means, as if they came one after the other: an event is known by its uid or by its global id,
 * and brings another global id for those behind it. Pure.
 */

export interface Named {
  readonly uid: string;
  readonly globalId: string;
}

/** A row that is there. */
export interface Known extends Named {
  readonly id: number;
  readonly status: string;
  readonly imageSource: string;
  /** What a person wrote of it since. */
  readonly edited: readonly string[];
  readonly hasImage: boolean;
}

/** A row, and the events that are to become of it, in order; without `known` it is a new one, named as the first of them. */
export interface Target<E> {
  readonly known?: Known;
  readonly events: E[];
}

/** Other sites of this kind name their events by global ids; everybody else by uids, and by global ids without one. */
const knowsByGlobalId = (origin: string): boolean => origin === 'url';

/** Whether rows are looked for by the global id of this one. */
export const isByGlobalId = ({ uid, globalId }: Named, origin: string): boolean =>
  globalId !== '' && (uid === '' || knowsByGlobalId(origin));

interface Place<E> extends Target<E> {
  /** Of rows with the same global id the first one counts. */
  readonly order: number;
  globalId: string;
}

/** `known` in the order of their ids: all with the uid of an event, and of each global id the first one besides. */
export function targetsOf<E extends Named>(
  events: readonly E[],
  known: readonly Known[],
  origin: string,
  isLeft: (row: Known) => boolean,
): Target<E>[] {
  const places: Place<E>[] = [];
  const byUid = new Map<string, Place<E>>();
  const byGlobalId = new Map<string, Place<E>[]>();
  const add = ({ uid, globalId }: Named, row?: Known): Place<E> => {
    const place: Place<E> = { order: places.length, known: row, events: [], globalId: '' };
    places.push(place);
    if (uid !== '') byUid.set(uid, place);
    name(place, globalId);
    return place;
  };
  const name = (place: Place<E>, globalId: string): void => {
    if (globalId === '' || globalId === place.globalId) return;
    const before = byGlobalId.get(place.globalId);
    before?.splice(before.indexOf(place), 1);
    const now = byGlobalId.get(globalId) ?? [];
    byGlobalId.set(globalId, now);
    // Nearly always it is the last one.
    const next =
      (now.at(-1)?.order ?? -1) < place.order ? -1 : now.findIndex(({ order }) => order > place.order);
    now.splice(next < 0 ? now.length : next, 0, place);
    place.globalId = globalId;
  };
  for (const row of known) add(row, row);
  for (const event of events) {
    const found =
      (isByGlobalId(event, origin) ? byGlobalId.get(event.globalId)?.[0] : undefined) ?? byUid.get(event.uid);
    const place = found ?? add(event);
    place.events.push(event);
    if (!place.known || !isLeft(place.known)) name(place, event.globalId);
  }
  return places.filter((place) => place.events.length > 0);
}
