/** Arguments of a write as the handlers use them: texts made safe, names turned into ids. Nothing is written here. */
import { type Actor } from '@sevenfold/chassis/actor';
import { invalidParam } from '@sevenfold/chassis/errors';
import { readAuthor } from '../content/authors';
import { type Faults, openFaults } from '@sevenfold/chassis/faults';
import { type Written, given, written } from '../common/fields';
import { isFetched, resolveImage } from '../content/images';
import { type LinkRef, linkRefs } from '../common/inline';
import { isShown } from '../common/policy';
import type { Settled } from '@sevenfold/publishing/course';
import { type Rendered, readTitle } from '@sevenfold/publishing/texts';
import type { Sources } from '@sevenfold/text/rendering';
import { inTurns } from '@sevenfold/text/steps';
import { isLonger } from '@sevenfold/text/text';
import { readingBody } from '../common/bodies';
import { readWebsite } from '../common/urls';
import { CATEGORY, TAG, resolveTerms } from '../content/resolve-terms';
import type { Deps } from '../deps';
import { type NamedData, type Prepared, beginInline } from '../linked/actions';
import type { LinkedRow } from '../linked/fields';
import type { LinkedKind } from '../linked/kind';
import { organizerKind } from '../organizers/kind';
import { venueKind } from '../venues/kind';
import { type Cost, readCost } from './cost';
import { type EventRow, type FullEventRow, LONGEST, plainFields } from './fields';
import type { EventArgs } from './schema';
import type { EventChanges } from './store';
import type { When } from './when';

/** Fields of a body, checked by the argument table; absent ones are undefined. */
export type EventBody = Partial<EventArgs>;

export type Link = { readonly id: number } | { readonly data: NamedData };

export interface ReadEvent {
  /** Columns that follow from the body alone. */
  readonly columns: EventChanges;
  /** Undefined: not mentioned. Null: none. */
  readonly venue?: Link | null;
  readonly organizers?: readonly Link[];
}

/** What is the caller's, of a write. */
export interface Writing {
  /** More checks. */
  readonly check: () => unknown;
  /** The event as it is shown. */
  readonly current?: Pick<EventRow, 'author' | 'titleHtml' | 'excerptHtml' | 'imageId'>;
}

/**
 * All faults of the body are told together. What the content service must know comes last, the making of terms at the very end: a fault
 * found here leaves nothing behind, there or in the calendar.
 */
export async function readEvent(
  deps: Deps,
  said: EventBody,
  actor: Actor,
  { check, current }: Writing,
): Promise<ReadEvent> {
  const body = withoutLongAsShown(said, current);
  const { collect, refuse } = openFaults();
  await collect(check);
  await collect(() => refuseLong('excerpt', body.excerpt));
  const [title, cost, website, ownVenue, ownOrganizers, author] = await Promise.all([
    collect(() => titleOf(actor, body.title)),
    collect(() => costOf(body.cost)),
    collect(() => websiteOf(body.website)),
    collect(() => readVenue(deps, body.venue, actor)),
    collect(() => readOrganizers(deps, body.organizer, actor)),
    collect(() => readAuthor(deps, body.author, { actor, current: current?.author })),
  ]);
  const pictures = [
    {
      fetches: isFetched(body.image),
      finish: () => resolveImage(deps, body.image, { actor, before: current?.imageId }),
    },
    ...(ownVenue ? [ownVenue] : []),
    ...(ownOrganizers ?? []),
  ];
  const [imageFound, ...rest] = await finishAll(pictures, collect, refuse);
  const imageId = imageFound as number | undefined;
  const links = rest as Link[];
  const venue = ownVenue ? links.shift() : (ownVenue as null | undefined);
  const organizers = ownOrganizers && links;
  refuse();
  // One after the other: who may not make categories has made no tags either.
  const categoryIds = await resolveTerms(deps, CATEGORY, body.categories, actor);
  const tagIds = await resolveTerms(deps, TAG, body.tags, actor);
  const sources = await deps.known.sources();
  const description = await bodyOf(actor, body.description, sources);
  const excerpt = await bodyOf(actor, body.excerpt, sources);
  const columns: Written<ReadColumns> = {
    ...written(plainFields, body),
    titleRaw: title?.raw,
    titleHtml: title?.html,
    descriptionRaw: description?.raw,
    descriptionHtml: description?.html,
    excerptRaw: excerpt?.raw,
    excerptHtml: excerpt?.html,
    cost: cost?.text,
    costDetails: cost?.details,
    website,
    author,
    imageId,
    categoryIds,
    tagIds,
  };
  return { columns: given(columns), venue, organizers };
}

/** Columns that are settled with others, follow from links, or come with imports alone. All others are read here. */
type Elsewhere =
  'id' | keyof When | keyof Settled | 'venueId' | 'organizerIds' | 'parent' | 'globalId' | 'globalIdLineage';
type ReadColumns = Omit<FullEventRow, Elsewhere>;

/** Some came with imports and are longer than anybody may write; clients send back what they were given. */
function withoutLongAsShown(body: EventBody, current: Writing['current']): EventBody {
  const isAsShown = (text: string | undefined, shown: string | undefined, most: number): boolean =>
    text !== undefined && isLonger(text, most) && text.trim() === shown?.trim();
  return {
    ...body,
    title: isAsShown(body.title, current?.titleHtml, LONGEST.title) ? undefined : body.title,
    excerpt: isAsShown(body.excerpt, current?.excerptHtml, LONGEST.excerpt) ? undefined : body.excerpt,
  };
}

function refuseLong(name: 'title' | 'excerpt', text = ''): void {
  if (isLonger(text, LONGEST[name]))
    throw invalidParam(name, `${name} must be at most ${LONGEST[name]} characters long.`, 'rest_too_long');
}

function titleOf(actor: Actor, title: string | undefined): Rendered | undefined {
  if (title === undefined) return undefined;
  refuseLong('title', title);
  const text = readTitle(actor, title);
  if (text.raw === '') throw invalidParam('title', 'title has no text.');
  return text;
}

const bodyOf = async (
  actor: Actor,
  text: string | undefined,
  sources: Sources,
): Promise<Rendered | undefined> =>
  text === undefined ? undefined : inTurns(readingBody(actor, text, sources));

function costOf(value: unknown): Cost | undefined {
  if (value === undefined) return undefined;
  const cost = readCost(value ?? '');
  if (!cost) throw invalidParam('cost', 'cost is neither a text, a number nor a list of them.');
  return cost;
}

/** Empty text, false and null mean that there is none. */
function websiteOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === '' || value === null || value === false) return '';
  const website = typeof value === 'string' ? readWebsite(value.replaceAll('&amp;', '&')) : undefined;
  if (website === undefined) throw invalidParam('website', 'website is not the address of a website.');
  return website;
}

/**
 * Pictures that are there already are looked for first; one at an address is fetched and kept, only for a body that is right otherwise,
 * and one after the other: behind one that cannot be used none is fetched.
 */
async function finishAll(
  pictures: readonly Prepared<unknown>[],
  collect: Faults['collect'],
  refuse: () => void,
): Promise<unknown[]> {
  const found = await Promise.all(
    pictures.map(async ({ fetches, finish }) => (fetches ? undefined : collect(finish))),
  );
  for (const [index, { fetches, finish }] of pictures.entries()) {
    if (!fetches) continue;
    refuse();
    found[index] = await collect(finish);
  }
  return found;
}

/** What is named by its number is there. */
const known = (ref: { readonly id: number }): Prepared<Link> => ({
  fetches: false,
  finish: () => Promise.resolve(ref),
});

async function inline<R extends LinkedRow>(
  deps: Deps,
  kind: LinkedKind<R>,
  data: Record<string, unknown>,
  actor: Actor,
): Promise<Prepared<Link>> {
  const { fetches, finish } = await beginInline(deps, kind, data, { actor, param: kind.one });
  return { fetches, finish: async () => ({ data: await finish() }) };
}

async function readVenue(
  deps: Deps,
  value: unknown,
  actor: Actor,
): Promise<Prepared<Link> | null | undefined> {
  if (value === undefined) return undefined;
  const refs = linkRefs(value);
  if (!refs || refs.length > 1)
    throw invalidParam('venue', 'venue is neither the number of a venue nor the data of one.');
  const [ref] = refs;
  if (!ref) return null;
  if ('data' in ref) return inline(deps, venueKind, ref.data, actor);
  checkLinks('venue', [ref.id], await deps.linked.venues([ref.id]), actor);
  return known(ref);
}

async function readOrganizers(
  deps: Deps,
  value: unknown,
  actor: Actor,
): Promise<Prepared<Link>[] | undefined> {
  if (value === undefined) return undefined;
  const refs = linkRefs(value);
  if (!refs)
    throw invalidParam(
      'organizer',
      'organizer is neither numbers of organizers, nor the data of some, nor a list of both.',
    );
  const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []));
  checkLinks('organizer', ids, await deps.linked.organizers(ids), actor);
  return Promise.all(
    refs.map(async (ref: LinkRef) =>
      'id' in ref ? known(ref) : inline(deps, organizerKind, ref.data, actor),
    ),
  );
}

/** Nobody reads through an event what he may not read by itself. */
function checkLinks(
  param: string,
  ids: readonly number[],
  rows: ReadonlyMap<number, { readonly status: string; readonly author: number }>,
  actor: Actor,
): void {
  const bad = ids.filter((id) => {
    const row = rows.get(id);
    return !row || !isShown(actor, row);
  });
  if (bad.length > 0) throw invalidParam(param, `${param}: there is none with the number ${bad.join(', ')}.`);
}
