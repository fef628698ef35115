/** Arguments of a write as the handlers use them: texts made safe, names turned into ids. Nothing is written here. */
import { type Actor } from '@sevenfold/chassis/actor';
import { invalidParam } from '@sevenfold/chassis/errors';
import { readAuthor } from '../common/authors';
import { openFaults } from '../common/faults';
import { written } from '../common/fields';
import { isNumeric, resolveImage } from '../content/images';
import { type LinkRef, linkRefs } from '../common/inline';
import { canRead } from '../common/policy';
import { readBody, readTitle } from '@sevenfold/publishing/texts';
import { readWebsite } from '../common/urls';
import { CATEGORY, TAG, resolveTerms } from '../content/resolve-terms';
import type { Deps } from '../deps';
import { type OrganizerData, prepareOrganizer } from '../organizers/actions';
import { type VenueData, prepareVenue } from '../venues/actions';
import { readCost } from './cost';
import { plainFields } from './fields';
import type { EventArgs } from './schema';
import type { EventChanges } from './store';

/** Fields of a body, checked by the argument table; absent ones are undefined. */
export type EventBody = Partial<EventArgs>;

export interface Asker {
  readonly actor: Actor;
  readonly requestId: string;
}

type Link<D> = { readonly id: number } | { readonly data: D };

export interface ReadEvent {
  /** Columns that follow from the body alone. */
  readonly columns: EventChanges;
  /** Undefined: not mentioned. Null: none. */
  readonly venue?: Link<VenueData> | null;
  readonly organizers?: readonly Link<OrganizerData>[];
}

/**
 * All faults of the body are told together; `more` are checks of the caller. What the content service must know comes
 * last, the making of terms at the very end: a fault found here leaves nothing behind, there or in the calendar.
 */
export async function readEvent(
  deps: Deps,
  body: EventBody,
  asker: Asker,
  more: () => unknown = () => undefined,
): Promise<ReadEvent> {
  const { collect, refuse } = openFaults();
  await collect(more);
  const [title, cost, website, venue, organizers, author] = await Promise.all([
    collect(() => titleColumns(asker.actor, body)),
    collect(() => costColumns(body.cost)),
    collect(() => websiteOf(body.website)),
    collect(() => readVenue(deps, body.venue, asker)),
    collect(() => readOrganizers(deps, body.organizer, asker)),
    collect(() => readAuthor(deps, body.author, asker)),
  ]);
  // A picture at an address is fetched and kept: only for a body that is right otherwise.
  if (typeof body.image === 'string' && !isNumeric(body.image)) refuse();
  const imageId = await collect(() => resolveImage(deps, body.image, asker));
  refuse();
  // One after the other: who may not make categories has made no tags either.
  const categoryIds = await resolveTerms(deps, CATEGORY, body.categories, asker);
  const tagIds = await resolveTerms(deps, TAG, body.tags, asker);
  const columns: Record<string, unknown> = {
    ...title,
    ...bodyColumns(asker.actor, body),
    ...written(plainFields, body),
    ...cost,
  };
  for (const [name, value] of Object.entries({ website, author, imageId, categoryIds, tagIds }))
    if (value !== undefined) columns[name] = value;
  return { columns, venue, organizers };
}

function titleColumns(actor: Actor, { title }: EventBody): EventChanges {
  if (title === undefined) return {};
  const { raw, html } = readTitle(actor, title);
  if (raw === '') throw invalidParam('title', 'title has no text.');
  return { titleRaw: raw, titleHtml: html };
}

function bodyColumns(actor: Actor, body: EventBody): EventChanges {
  const columns: Record<string, string> = {};
  if (body.description !== undefined) {
    const { raw, html } = readBody(actor, body.description);
    Object.assign(columns, { descriptionRaw: raw, descriptionHtml: html });
  }
  if (body.excerpt !== undefined) {
    const { raw, html } = readBody(actor, body.excerpt);
    Object.assign(columns, { excerptRaw: raw, excerptHtml: html });
  }
  return columns;
}

function costColumns(value: unknown): EventChanges {
  if (value === undefined) return {};
  const cost = readCost(value);
  if (!cost) throw invalidParam('cost', 'cost is neither a text, a number nor a list of them.');
  return { cost: cost.text, costDetails: cost.details };
}

/** Empty text, false and null mean that there is none. */
function websiteOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === '' || value === null || value === false) return '';
  const website = typeof value === 'string' ? readWebsite(value.replaceAll('&amp;', '&')) : undefined;
  if (website === undefined) throw invalidParam('website', 'website is not the address of a website.');
  return website;
}

async function readVenue(deps: Deps, value: unknown, asker: Asker): Promise<ReadEvent['venue']> {
  if (value === undefined) return undefined;
  const refs = linkRefs(value);
  if (!refs || refs.length > 1)
    throw invalidParam('venue', 'venue is neither the number of a venue nor the data of one.');
  const [ref] = refs;
  if (!ref) return null;
  if ('data' in ref) return { data: await prepareVenue(deps, ref.data, { ...asker, param: 'venue' }) };
  checkLinks('venue', [ref.id], await deps.linked.venues([ref.id]), asker.actor);
  return ref;
}

async function readOrganizers(deps: Deps, value: unknown, asker: Asker): Promise<ReadEvent['organizers']> {
  if (value === undefined) return undefined;
  const refs = linkRefs(value);
  if (!refs)
    throw invalidParam(
      'organizer',
      'organizer is neither numbers of organizers, nor the data of some, nor a list of both.',
    );
  const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []));
  checkLinks('organizer', ids, await deps.linked.organizers(ids), asker.actor);
  return Promise.all(
    refs.map(async (ref: LinkRef) =>
      'id' in ref ? ref : { data: await prepareOrganizer(deps, ref.data, { ...asker, param: 'organizer' }) },
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
