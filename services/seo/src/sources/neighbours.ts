/** What objects of the site show of others: authors, terms, pictures and what they are below, asked for once for many. */
import type { User } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import type { Media } from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import type { Term } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { decodeEntities, stripTags } from '@sevenfold/text/html';
import { MOST_NAMED } from '@sevenfold/text/told';
import type { Crumb, ItemTerm, ObjectType, Overrides, Site } from '../analysis/shape';
import { type Owners, PATIENT } from './clients';

/** What all items of a site have in common. */
export interface Surroundings {
  readonly owners: Owners;
  readonly site: Site;
  /** Chosen for single objects. */
  overridesOf(type: ObjectType, ids: readonly number[]): Promise<ReadonlyMap<number, Overrides>>;
}

// Enough for a site's deepest branch; a circle ends here too.
const MOST_LEVELS = 20;

export const plain = (html: string): string => decodeEntities(stripTags(html)).trim();
export const byId = <T extends { readonly id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id, row]));
/** What of its terms and organizers is shown of a thing. */
export const few = (ids: readonly number[]): readonly number[] => ids.slice(0, MOST_NAMED);

export const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].filter((id) => id !== 0);
interface Above {
  readonly id: number;
  readonly parent: number;
}

/** Those above the given ones, level by level, each asked for once. */
export async function withAbove<T extends Above>(
  given: readonly Above[],
  ask: (ids: number[]) => Promise<readonly T[]>,
): Promise<ReadonlyMap<number, T>> {
  const known = new Map<number, T>();
  let wanted = distinct(given.map(({ parent }) => parent));
  for (let level = 0; level < MOST_LEVELS && wanted.length > 0; level++) {
    const found = await ask(wanted);
    for (const one of found) known.set(one.id, one);
    wanted = distinct(found.map(({ parent }) => parent)).filter((id) => !known.has(id));
  }
  return known;
}

/** Outermost first. */
export function chain<T extends Above>(start: Above, above: ReadonlyMap<number, T>): T[] {
  const found: T[] = [];
  for (let at = above.get(start.parent); at && found.length < MOST_LEVELS; at = above.get(at.parent)) {
    if (found.includes(at)) break;
    found.unshift(at);
  }
  return found;
}

export const termCrumb = ({ name, link }: Term): Crumb => ({ name: plain(name), url: link });

interface Neighbours {
  readonly users: ReadonlyMap<number, User>;
  readonly terms: ReadonlyMap<number, Term>;
  readonly media: ReadonlyMap<number, Media>;
}

interface Wanted {
  readonly users: readonly number[];
  readonly terms: readonly number[];
  readonly media: readonly number[];
}

export async function neighbours({ owners }: Surroundings, wanted: Wanted): Promise<Neighbours> {
  const [users, media, terms] = await Promise.all([
    askUsers(owners, distinct(wanted.users)),
    askMedia(owners, distinct(wanted.media)),
    askTerms(owners, distinct(wanted.terms)),
  ]);
  return { users: byId(users), media: byId(media), terms };
}

export const askUsers = async (owners: Owners, ids: number[]): Promise<User[]> =>
  ids.length === 0 ? [] : (await owners.identity.getUsers({ ids }, PATIENT)).users;
const askMedia = async (owners: Owners, ids: number[]): Promise<Media[]> =>
  ids.length === 0 ? [] : (await owners.media.getMedia({ ids }, PATIENT)).media;

// Under the longest names, with what describes them, they fit into one message.
const TERMS_AT_ONCE = 1_000;

/** With those above them. */
export async function askTerms(owners: Owners, ids: number[]): Promise<ReadonlyMap<number, Term>> {
  if (ids.length === 0) return new Map();
  const ask = async (all: number[]): Promise<Term[]> => {
    const found: Term[] = [];
    for (let start = 0; start < all.length; start += TERMS_AT_ONCE) {
      const some = all.slice(start, start + TERMS_AT_ONCE);
      found.push(...(await owners.terms.getTerms({ ids: some }, PATIENT)).terms);
    }
    return found;
  };
  const terms = await ask(ids);
  return new Map([...byId(terms), ...(await withAbove(terms, ask))]);
}

export const itemTerms = (ids: readonly number[], { terms }: Neighbours): ItemTerm[] =>
  few(ids).flatMap((id) => {
    const term = terms.get(id);
    if (!term) return [];
    const { taxonomy } = term;
    return [{ id, taxonomy, ...termCrumb(term), ancestors: chain(term, terms).map(termCrumb) }];
  });

/** With the terms above them: a breadcrumb shows these, too. */
export const shownTerms = (ids: readonly number[], { terms }: Neighbours): number[] =>
  distinct(
    ids.flatMap((id) => {
      const term = terms.get(id);
      return term ? [id, ...chain(term, terms).map((one) => one.id)] : [id];
    }),
  );
