/**
 * Room for the bytes of what is kept, laid side by side on shelves that the system hands out and takes back as wholes. In
 * pieces of their own they leave holes that the next ones do not fit into: a process then has twice what it keeps. Nothing is
 * ever written over, as it may be on its way to a client: a shelf goes when nobody has anything of it any more.
 */

import { makePlank } from './plank';

/** What lies somewhere, as one or more pieces. */
export interface Laid {
  /** Asked for since it was laid there, or since that was last looked at. */
  wasAsked: boolean;
  /** Of all its pieces. */
  readonly length: number;
  shelf?: Shelf<this>;
}

interface Shelf<E> {
  readonly room: Buffer;
  used: number;
  /** Of what still lies there. */
  live: number;
  readonly entries: Set<E>;
}

export interface Shelves<E extends Laid> {
  /** Copies of its pieces; it lies where they are from now on. */
  lay(entry: E, pieces: readonly Buffer[]): Buffer[];
  take(entry: E): void;
  /** Makes room: what is to be laid anew, and what is to be forgotten. All of it has been taken. */
  clear(): { readonly moves: readonly E[]; readonly goes: readonly E[] };
  /** Of all shelves, with what is free on them. */
  readonly bytes: number;
}

/** Many, since the oldest is cleared as a whole; few enough to look at all. What is moved at a time takes a millisecond. */
const SHELVES = 64;
const SHORTEST_SHELF = 64 * 1024;
const LONGEST_SHELF = 8 * 1024 * 1024;
/** Of a shelf. What is larger has one of its own. */
const LARGE = 1 / 4;

export function openShelves<E extends Laid>(mostBytes: number): Shelves<E> {
  const shortest = Math.min(SHORTEST_SHELF, mostBytes / 16);
  const length = Math.ceil(Math.min(LONGEST_SHELF, Math.max(shortest, mostBytes / SHELVES)));
  /** The oldest first. */
  const shelves = new Set<Shelf<E>>();
  let current: Shelf<E> | undefined;
  let bytes = 0;

  const build = (room: Buffer): Shelf<E> => {
    const shelf = { room, used: 0, live: 0, entries: new Set<E>() };
    shelves.add(shelf);
    bytes += room.length;
    return shelf;
  };
  const shelfFor = (size: number): Shelf<E> => {
    if (size > length * LARGE) return build(Buffer.allocUnsafeSlow(size));
    if (!current || current.used + size > current.room.length) current = build(makePlank(length));
    return current;
  };
  const drop = (shelf: Shelf<E>): void => {
    if (!shelves.delete(shelf)) return;
    bytes -= shelf.room.length;
    if (current === shelf) current = undefined;
  };
  const take = (entry: E): void => {
    const { shelf } = entry;
    if (!shelf?.entries.delete(entry)) return;
    entry.shelf = undefined;
    shelf.live -= entry.length;
    if (shelf.entries.size === 0) drop(shelf);
  };
  /** The one that is filled now is only half full because it is not full yet. */
  const isSparse = (shelf: Shelf<E>): boolean => shelf !== current && 2 * shelf.live < shelf.room.length;
  /** What was taken away leaves room that only this gives back; else it is the turn of the oldest. */
  const next = (): Shelf<E> | undefined => {
    let found: Shelf<E> | undefined;
    for (const shelf of shelves) {
      if (shelf === current) continue;
      if (!found || (isSparse(shelf) && shelf.live < found.live)) found = shelf;
    }
    return found ?? current;
  };
  return {
    lay: (entry, pieces) => {
      const shelf = shelfFor(entry.length);
      entry.shelf = shelf;
      shelf.entries.add(entry);
      shelf.live += entry.length;
      return pieces.map((piece) => {
        const at = shelf.used;
        shelf.used += piece.copy(shelf.room, at);
        return shelf.room.subarray(at, shelf.used);
      });
    },
    take,
    clear: () => {
      const shelf = next();
      if (!shelf) return NOTHING;
      const entries = [...shelf.entries];
      const asked = entries.filter(({ wasAsked }) => wasAsked);
      const others = entries.filter(({ wasAsked }) => !wasAsked);
      for (const entry of asked) entry.wasAsked = false;
      // Most of it is wanted: it stays as it is, for another round.
      if (2 * sum(asked) > shelf.room.length) {
        shelves.delete(shelf);
        shelves.add(shelf);
        return NOTHING;
      }
      const outcome = isSparse(shelf) ? { moves: entries, goes: [] } : { moves: asked, goes: others };
      entries.forEach(take);
      return outcome;
    },
    get bytes() {
      return bytes;
    },
  };
}

const NOTHING = { moves: [], goes: [] };
const sum = (entries: readonly Laid[]): number => entries.reduce((all, { length }) => all + length, 0);
