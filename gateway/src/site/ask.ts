/**
 * What stands at a public address of the site: its owners and the index are asked at once, as strangers. The owners decide
 * what there is; the index knows the head, and what became of addresses that nobody has any more.
 */
import { ApiError } from '@sevenfold/chassis/errors';
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import { type Seen, openSeen } from '@sevenfold/chassis/news/seen';
import type { CalendarObject } from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import type { Media } from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import type {
  Archive,
  FindAtAddressResponse,
  SiteFacts,
} from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import type { Term } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import type { User } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import type { Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import type { HeadForResponse, ResolveUrlResponse } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import { errors } from '../edge/errors';
import type { Surroundings } from './address';

/** The text of a page cannot do without its owner; its head and what surrounds it can. */
export const OWNER_MS = 5_000;
export const DETAIL_MS = 2_000;

export interface PostFound {
  readonly kind: 'post';
  readonly post: Post;
  readonly terms: readonly Term[];
  readonly file?: { readonly url: string; readonly type: string };
}

/** What surrounds an object of the calendar; empty where nobody could say. */
export interface CalendarFound {
  readonly kind: 'calendar';
  readonly object: CalendarObject;
  /** Its place and its organizers. */
  readonly related: readonly CalendarObject[];
  readonly terms: readonly Term[];
  readonly author?: User;
  readonly picture?: Media;
  /** What is to come at a place or of an organizer. */
  readonly upcoming: readonly CalendarObject[];
}

export interface ArchiveFound {
  readonly kind: 'archive';
  readonly archive: Archive;
  /** Of event categories; of tags what is to come. */
  readonly events: readonly CalendarObject[];
}

export type Found = PostFound | CalendarFound | ArchiveFound;

export interface Asked {
  readonly found?: Found;
  readonly head: { readonly html: Promise<HeadForResponse | undefined>; readonly seen: Seen };
  /** Of the site, as they were told with it. */
  readonly facts: SiteFacts;
  /** Rejects with 503 where the index is away, or an owner of whose it knows nothing. */
  readonly resolved: Promise<ResolveUrlResponse>;
}

const OF_THE_CALENDAR = /^\/+(?:event|venue|organizer)\/|^\/*$/;

/** Throws 503 where an owner that may have it is away. `seen` notes what the owners told of what was found. */
export async function ask(
  address: URL,
  path: string,
  id: string,
  surroundings: Surroundings,
  seen: Seen,
): Promise<Asked> {
  const { seo, pages, events } = surroundings.clients;
  const request = { url: address.href };
  const call: CallOptions = { requestId: id, deadlineMs: OWNER_MS, repeatable: true };
  const soon = { ...call, deadlineMs: DETAIL_MS };
  const resolved = seo.resolveUrl(request, soon).catch((error: unknown) => {
    // Perhaps it moved: who says that there is nothing takes it out of every search.
    throw errors.serviceDown('seo', error);
  });
  // Whichever is not waited for may fail on its own.
  resolved.catch(() => undefined);
  const headSeen = openSeen();
  const head = {
    html: seo.headFor(request, { ...soon, seen: headSeen }).catch(() => undefined),
    seen: headSeen,
  };
  const isCalendars =
    OF_THE_CALENDAR.test(path) && (!/^\/*$/.test(path) || address.searchParams.has('post_type'));
  const contentSeen = openSeen();
  const [ofContent, ofCalendar] = await Promise.allSettled([
    pages.findAtAddress(request, { ...call, seen: contentSeen }),
    isCalendars ? events.findByUrl(request, { ...call, seen }) : undefined,
  ]);
  const object = ofCalendar.status === 'fulfilled' ? ofCalendar.value?.object : undefined;
  const facts = surroundings.facts.learn(ofContent.status === 'fulfilled' ? ofContent.value.site : undefined);
  if (object) {
    // Of what else the content service might have there nothing is shown.
    seen.addSettings(contentSeen);
    return {
      found: await withDetails(object, surroundings, facts, { ...soon, seen }),
      head,
      facts,
      resolved,
    };
  }
  seen.add(contentSeen);
  const found =
    ofContent.status === 'fulfilled'
      ? await foundIn(ofContent.value, surroundings, facts, { ...call, seen })
      : undefined;
  if (!found && ofContent.status === 'rejected')
    return { head, facts, resolved: known(resolved, 'content', ofContent.reason) };
  if (!found && ofCalendar.status === 'rejected')
    return { head, facts, resolved: known(resolved, 'calendar', ofCalendar.reason) };
  return { found, head, facts, resolved };
}

/** While an owner is away, what the index says of something that is there helps nobody. */
async function known(
  resolved: Promise<ResolveUrlResponse>,
  service: string,
  reason: unknown,
): Promise<ResolveUrlResponse> {
  const answer = await resolved.catch(() => undefined);
  if (answer?.status === 301 || answer?.status === 410) return answer;
  throw errors.serviceDown(service, reason);
}

async function foundIn(
  { item, terms, fileUrl, fileType, archive }: FindAtAddressResponse,
  { clients }: Surroundings,
  { perPage }: SiteFacts,
  call: CallOptions,
): Promise<Found | undefined> {
  if (item)
    return {
      kind: 'post',
      post: item,
      terms,
      file: fileUrl === '' ? undefined : { url: fileUrl, type: fileType },
    };
  if (!archive) return undefined;
  const { kind, page, id } = archive;
  if (kind === 'post_tag' && page === 1) {
    // Events carry the tags of posts.
    const scope = { categoryId: 0, tagId: id, venueId: 0, organizerId: 0 };
    const soon = { ...call, deadlineMs: DETAIL_MS };
    const upcoming = await given(clients.events.listUpcoming({ ...scope, page, perPage }, soon));
    return { kind: 'archive', archive, events: upcoming?.objects ?? [] };
  }
  if (kind !== 'calendar_events_cat') return { kind: 'archive', archive, events: [] };
  try {
    const { objects, pages } = await clients.events.listUpcoming(
      { categoryId: id, tagId: 0, venueId: 0, organizerId: 0, page, perPage },
      call,
    );
    return { kind: 'archive', archive: { ...archive, pages: Math.max(1, pages) }, events: objects };
  } catch (error) {
    // Beyond the last page.
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw errors.serviceDown('calendar', error);
  }
}

async function withDetails(
  object: CalendarObject,
  { clients }: Surroundings,
  { perPage }: SiteFacts,
  call: CallOptions,
): Promise<CalendarFound> {
  const { events, terms, identity, media } = clients;
  const { event, author, imageId, type, id } = object;
  const relatedIds = event ? [event.venueId, ...event.organizerIds].filter((one) => one !== 0) : [];
  const termIds = event ? [...event.categoryIds, ...event.tagIds] : [];
  const scope = {
    categoryId: 0,
    tagId: 0,
    venueId: type === 'venue' ? id : 0,
    organizerId: type === 'organizer' ? id : 0,
  };
  const [related, named, users, pictures, upcoming] = await Promise.all([
    relatedIds.length > 0 ? given(events.getEvents({ ids: relatedIds }, call)) : undefined,
    termIds.length > 0 ? given(terms.getTerms({ ids: termIds }, call)) : undefined,
    author !== 0 ? given(identity.getUsers({ ids: [author] }, call)) : undefined,
    imageId !== 0 ? given(media.getMedia({ ids: [imageId] }, call)) : undefined,
    event ? undefined : given(events.listUpcoming({ ...scope, page: 1, perPage }, call)),
  ]);
  return {
    kind: 'calendar',
    object,
    related: related?.objects ?? [],
    terms: named?.terms ?? [],
    author: users?.users[0],
    picture: pictures?.media.find(({ isImage, access }) => isImage && access?.public),
    upcoming: upcoming?.objects ?? [],
  };
}

const given = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);
