/** Reads objects from their owners and makes rows of them, by key or from an id on, in pieces of bounded size. */
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import type { Log } from '@sevenfold/chassis/log';
import { type Built, type Key, build, tombstone } from '../indexables/build';
import { type Current, read as readSettings } from '../settings/read';
import type { ObjectType } from '../analysis/shape';
import type { Deps } from '../deps';
import { findMany } from '../overrides/store';
import { PATIENT } from './clients';
import { type Read, readHome, readObjects, readPosts, readTerms, readUsers } from './items';
import type { Surroundings } from './neighbours';
import { together } from './together';

/** In memory at once: so many things, or as many characters. */
const PIECE = 100;
const PIECE_CHARACTERS = 4_000_000;

export interface Reading {
  readonly around: Surroundings;
  readonly current: Current;
  readonly readNo: number;
  readonly log: Log;
}

/** `readNo` was drawn before; settings are read now, whatever this process remembers of them. */
export async function openReading(deps: Deps, readNo: number): Promise<Reading> {
  const current = await readSettings(deps.db, deps.config);
  const around: Surroundings = {
    owners: deps.owners,
    site: current.settings.site,
    overridesOf: (type, ids) => findMany(deps.db, type, ids),
  };
  return { around, current, readNo, log: deps.log };
}

const made = (reading: Reading, reads: readonly Read[]): Built[] =>
  reads.flatMap((one) => build(one, reading.current, reading.readNo, reading.log) ?? []);

/** What may be long, under the names of either owner. */
interface Texts {
  readonly excerpt: string;
  readonly content?: string;
  readonly description?: string;
}

const lengthOf = ({ excerpt, content = '', description = '' }: Texts): number =>
  excerpt.length + content.length + description.length;

async function* pieces<T extends Texts>(all: AsyncIterable<T>): AsyncGenerator<T[]> {
  let piece: T[] = [];
  let characters = 0;
  for await (const one of all) {
    piece.push(one);
    characters += lengthOf(one);
    if (piece.length < PIECE && characters < PIECE_CHARACTERS) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}

/** Rows, and the ids of all that was seen: what could not be analysed is there all the same. */
export interface Pieces {
  readonly built: Built[];
  readonly seen: number[];
}

const NONE: Pieces = { built: [], seen: [] };

async function collect<T extends { readonly id: number } & Texts>(
  reading: Reading,
  all: AsyncIterable<T>,
  reads: (around: Surroundings, piece: readonly T[]) => Promise<Read[]>,
): Promise<Pieces> {
  const found: Pieces = { built: [], seen: [] };
  for await (const piece of pieces(all)) {
    found.built.push(...made(reading, await reads(reading.around, piece)));
    found.seen.push(...piece.map(({ id }) => id));
  }
  return found;
}

interface Range {
  readonly afterId: number;
  /** 0: all. */
  readonly limit: number;
  /** Empty: whatever their id. */
  readonly ids: number[];
}

const postsOf = (reading: Reading, range: Range, call?: CallOptions): Promise<Pieces> => {
  const { posts } = reading.around.owners;
  return collect(reading, posts.streamPosts({ ...range, types: [], statuses: [] }, call), readPosts);
};

const objectsOf = (reading: Reading, range: Range, call?: CallOptions): Promise<Pieces> =>
  collect(reading, reading.around.owners.events.streamObjects(range, call), readObjects);

async function byIds(
  reading: Reading,
  ids: readonly number[],
  reads: (around: Surroundings, ids: readonly number[]) => Promise<Read[]>,
): Promise<Pieces> {
  if (ids.length === 0) return NONE;
  const found = await reads(reading.around, ids);
  return { built: made(reading, found), seen: found.map(({ item }) => item.id) };
}

/** Rows of the keys; what no owner has any more is marked as gone. */
export async function readKeys(reading: Reading, keys: readonly Key[]): Promise<Built[]> {
  const idsOf = (type: ObjectType): number[] => [
    ...new Set(keys.filter(({ objectType }) => objectType === type).map(({ objectId }) => objectId)),
  ];
  const posts = idsOf('post');
  const some = { afterId: 0, limit: 0, ids: posts };
  const [inContent, inCalendar, terms, users] = await together<[Pieces, Pieces, Pieces, Pieces]>((signal) => [
    posts.length === 0 ? Promise.resolve(NONE) : postsOf(reading, some, { signal }),
    posts.length === 0 ? Promise.resolve(NONE) : objectsOf(reading, some, { signal }),
    byIds(reading, idsOf('term'), readTerms),
    byIds(reading, idsOf('user'), readUsers),
  ]);
  const home = idsOf('home').length > 0 ? made(reading, [await readHome(reading.around)]) : [];
  const gone = (type: ObjectType, seen: readonly number[]): Built[] => {
    const there = new Set(seen);
    return idsOf(type)
      .filter((id) => !there.has(id))
      .map((objectId) => goneOf({ objectType: type, objectId }, reading.readNo));
  };
  return [
    ...home,
    ...[inContent, inCalendar, terms, users].flatMap(({ built }) => built),
    ...gone('post', [...inContent.seen, ...inCalendar.seen]),
    ...gone('term', terms.seen),
    ...gone('user', users.seen),
  ];
}

export const goneOf = (key: Key, readNo: number): Built => ({
  row: tombstone(key, readNo),
  paths: [],
  links: [],
});

export interface Versions {
  readonly ids: number[];
  readonly versions: string[];
}

/** One of the tables that things are kept in, and how it is gone through by id. */
export interface Source {
  readonly name: SourceName;
  readonly objectType: ObjectType;
  /** Undefined: all of the type. */
  readonly subtypes: readonly string[] | undefined;
  readonly versions: (deps: Deps, afterId: number, limit: number) => Promise<Versions>;
  readonly read: (reading: Reading, ids: number[]) => Promise<Pieces>;
}

export type SourceName = 'posts' | 'objects' | 'terms' | 'users';

/** What others show comes before them: whoever begins with nothing reads little twice. */
export const sources: readonly Source[] = [
  {
    name: 'users',
    objectType: 'user',
    subtypes: undefined,
    versions: ({ owners }, afterId, limit) => owners.identity.listUserVersions({ afterId, limit }, PATIENT),
    read: (reading, ids) => byIds(reading, ids, readUsers),
  },
  {
    name: 'terms',
    objectType: 'term',
    subtypes: undefined,
    versions: ({ owners }, afterId, limit) => owners.terms.listTermVersions({ afterId, limit }, PATIENT),
    read: (reading, ids) => byIds(reading, ids, readTerms),
  },
  {
    name: 'posts',
    objectType: 'post',
    subtypes: ['post', 'page', 'attachment'],
    versions: ({ owners }, afterId, limit) => owners.posts.listPostVersions({ afterId, limit }, PATIENT),
    read: (reading, ids) => postsOf(reading, { afterId: 0, limit: 0, ids }),
  },
  {
    name: 'objects',
    objectType: 'post',
    subtypes: ['event', 'venue', 'organizer'],
    versions: ({ owners }, afterId, limit) => owners.events.listVersions({ afterId, limit }, PATIENT),
    read: (reading, ids) => objectsOf(reading, { afterId: 0, limit: 0, ids }),
  },
];
