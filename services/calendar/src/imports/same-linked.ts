/**
 * Which row each venue or organizer of a group means, as if they came one after the other: it is known by its global id, or else by
 * its name. A row of the name that has no global id becomes that of the first one that brings one, and no other's; one that is known by
 * its global id has the name that its source calls it by. Pure.
 */
import { small } from './fields';
import type { Linked } from './parse-linked';

/** A row that is there. */
export interface Known {
  readonly id: number;
  readonly name: string;
  readonly globalId: string;
  readonly isPublic: boolean;
}

/** Those of one name. */
export interface Namesakes<T = Known> {
  /** Of all: one that everybody may read, with the lowest id. */
  first?: T;
  /** In the same order, as many as may be asked for. */
  readonly withoutGlobalId: T[];
}

export interface Found {
  /** The first one of each global id. */
  readonly byGlobalId: readonly Known[];
  /** By name in small letters. */
  readonly byName: ReadonlyMap<string, Namesakes>;
}

/** A row, and what is to be written to it; without `id` it is a new one. */
export interface Target {
  readonly id?: number;
  /** As it was written first; of one that is called otherwise now, the new one. */
  name: string;
  isRenamed: boolean;
  /** '' where nobody brings one. */
  globalId: string;
  columns: Readonly<Record<string, unknown>>;
}

interface Place extends Target {
  readonly isPublic: boolean;
}

export interface Meant {
  readonly targets: ReadonlyMap<Linked, Target>;
  /** How many of those wanted, from the first on: the next one hangs on names that are others once these are written. */
  readonly settled: number;
}

/** `isPublic` is what new ones are. */
export function targetsOf(wanted: readonly Linked[], found: Found, isPublic: boolean): Meant {
  const places = new Map<number, Place>();
  const byGlobalId = new Map<string, Place>();
  const byName = new Map<string, Namesakes<Place>>();
  const placeOf = ({ id, isPublic, name }: Known): Place => {
    const place = places.get(id) ?? { id, isPublic, name, isRenamed: false, globalId: '', columns: {} };
    places.set(id, place);
    return place;
  };
  for (const row of found.byGlobalId) byGlobalId.set(row.globalId, placeOf(row));
  for (const [name, { first, withoutGlobalId }] of found.byName)
    byName.set(name, {
      first: first && placeOf(first),
      withoutGlobalId: [...withoutGlobalId].sort(byOrder).map(placeOf),
    });

  const namesakesOf = (name: string): Namesakes<Place> => {
    const key = small(name);
    const namesakes = byName.get(key) ?? { withoutGlobalId: [] };
    byName.set(key, namesakes);
    return namesakes;
  };
  const add = ({ name, globalId }: Linked): Place => {
    const place: Place = { isPublic, name, isRenamed: false, globalId: '', columns: {} };
    const namesakes = namesakesOf(name);
    if (!namesakes.first || (isPublic && !namesakes.first.isPublic)) namesakes.first = place;
    if (globalId === '') namesakes.withoutGlobalId.push(place);
    return place;
  };
  const find = ({ name, globalId }: Linked): Place | undefined =>
    globalId === '' ? namesakesOf(name).first : namesakesOf(name).withoutGlobalId.shift();
  const targets = new Map<Linked, Target>();
  /** Names that something had, or has from now on. */
  const moved = new Set<string>();
  for (const [at, one] of wanted.entries()) {
    const [known, name] = [one.globalId === '' ? undefined : byGlobalId.get(one.globalId), small(one.name)];
    const isRenamed = known !== undefined && small(known.name) !== name;
    // What is new is there before it is renamed.
    if (known ? isRenamed && known.id === undefined : moved.has(name)) return { targets, settled: at };
    if (isRenamed) {
      moved.add(small(known.name)).add(name);
      Object.assign(known, { name: one.name, isRenamed });
    }
    const place = known ?? find(one) ?? add(one);
    if (one.globalId !== '') byGlobalId.set(one.globalId, place);
    place.globalId = one.globalId || place.globalId;
    place.columns = together(place.columns, one.columns);
    targets.set(one, place);
  }
  return { targets, settled: wanted.length };
}

const byOrder = (a: Known, b: Known): number => Number(b.isPublic) - Number(a.isPublic) || a.id - b.id;

/** What the later one says counts. Most events of a batch say nothing new of where they take place. */
function together(before: Target['columns'], after: Target['columns']): Target['columns'] {
  const isSame = Object.entries(after).every(([column, value]) => before[column] === value);
  return isSame ? before : { ...before, ...after };
}
