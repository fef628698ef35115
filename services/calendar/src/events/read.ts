/** Arguments of a write as the handlers use them: texts made safe, names turned into ids. Nothing is written here. */
import { type Actor } from '@sevenfold/chassis/actor';
import { invalidParam } from '@sevenfold/chassis/errors';
import { readAuthor } from '../content/authors';
import { openFaults } from './faults';
import { type Written, given, written } from '../common/fields';
import { isNumeric, resolveImage } from '../content/images';
import { type LinkRef, linkRefs } from '../common/inline';
import { canRead } from '../common/policy';
import type { Settled } from '@sevenfold/publishing/course';
import { readBody, readTitle } from '@sevenfold/publishing/texts';
import type { Sources } from '@sevenfold/text/render';
import { readWebsite } from '../common/urls';
import { CATEGORY, TAG, resolveTerms } from '../content/resolve-terms';
import type { Deps } from '../deps';
import { type NamedData, prepareInline } from '../linked/actions';
import { organizerKind } from '../organizers/kind';
import { venueKind } from '../venues/kind';
import { type Cost, readCost } from './cost';
import { type FullEventRow, plainFields } from './fields';
import type { EventArgs } from './schema';
import type { EventChanges } from './store';
import type { When } from './when';

/** Fields of a body, checked by the argument table; absent ones are undefined. */
export type EventBody = Partial<EventArgs>;

type Link = { readonly id: number } | { readonly data: NamedData };

export interface ReadEvent {
  /** Columns that follow from the body alone. */
  readonly columns: EventChanges;
  /** Undefined: not mentioned. Null: none. */
  readonly venue?: Link | null;
  readonly organizers?: readonly Link[];
}

/**
 * All faults of the body are told together; `more` are checks of the caller. What the content service must know comes
 * last, the making of terms at the very end: a fault found here leaves nothing behind, there or in the calendar.
 */
export async function readEvent(
  deps: Deps,
  body: EventBody,
  actor: Actor,
  more: () => unknown = () => undefined,
): Promise<ReadEvent> {
  const { collect, refuse } = openFaults();
  await collect(more);
  const [title, cost, website, venue, organizers, author] = await Promise.all([
    collect(() => titleOf(actor, body.title)),
    collect(() => costOf(body.cost)),
    collect(() => websiteOf(body.website)),
    collect(() => readVenue(deps, body.venue, actor)),
    collect(() => readOrganizers(deps, body.organizer, actor)),
    collect(() => readAuthor(deps, body.author, { actor })),
  ]);
  // A picture at an address is fetched and kept: only for a body that is right otherwise.
  if (typeof body.image === 'string' && !isNumeric(body.image)) refuse();
  const imageId = await collect(() => resolveImage(deps, body.image, { actor }));
  refuse();
  // One after the other: who may not make categories has made no tags either.
  const categoryIds = await resolveTerms(deps, CATEGORY, body.categories, actor);
  const tagIds = await resolveTerms(deps, TAG, body.tags, actor);
  const sources = await deps.known.sources();
  const description = bodyOf(actor, body.description, sources);
  const excerpt = bodyOf(actor, body.excerpt, sources);
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

type Text = ReturnType<typeof readBody>;

function titleOf(actor: Actor, title: string | undefined): Text | undefined {
  if (title === undefined) return undefined;
  const text = readTitle(actor, title);
  if (text.raw === '') throw invalidParam('title', 'title has no text.');
  return text;
}

const bodyOf = (actor: Actor, text: string | undefined, sources: Sources): Text | undefined =>
  text === undefined ? undefined : readBody(actor, text, sources);

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

async function readVenue(deps: Deps, value: unknown, actor: Actor): Promise<ReadEvent['venue']> {
  if (value === undefined) return undefined;
  const refs = linkRefs(value);
  if (!refs || refs.length > 1)
    throw invalidParam('venue', 'venue is neither the number of a venue nor the data of one.');
  const [ref] = refs;
  if (!ref) return null;
  if ('data' in ref)
    return { data: await prepareInline(deps, venueKind, ref.data, { actor, param: 'venue' }) };
  checkLinks('venue', [ref.id], await deps.linked.venues([ref.id]), actor);
  return ref;
}

async function readOrganizers(deps: Deps, value: unknown, actor: Actor): Promise<ReadEvent['organizers']> {
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
      'id' in ref
        ? ref
        : { data: await prepareInline(deps, organizerKind, ref.data, { actor, param: 'organizer' }) },
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
    return !row || row.status === 'trash' || !canRead(actor, row);
  });
  if (bad.length > 0) throw invalidParam(param, `${param}: there is none with the number ${bad.join(', ')}.`);
}
