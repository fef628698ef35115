/**
 * Objects of the site as analysis takes them, read from their owners: many at once, a few at a time, so that long texts never
 * lie in memory together. What an object shows of others (author, terms, pictures, venues, what it is below) is asked for
 * once for all of a few.
 */
import type { CalendarObject } from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import type { User } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import type { Media } from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import type { Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import { decodeEntities, escapeHtml } from '@sevenfold/text/html';
import type { Crumb, Image, Item, Organizer, Place } from '../analysis/shape';
import {
  type Surroundings,
  askTerms,
  askUsers,
  byId,
  chain,
  distinct,
  few,
  itemTerms,
  neighbours,
  plain,
  shownTerms,
  termCrumb,
  withAbove,
} from './neighbours';

/** An object as it was read, and what the index has to know of it beside what analysis makes. */
export interface Read {
  readonly item: Item;
  /** Of the owner's row. */
  readonly version: string;
  readonly author: number;
  readonly terms: readonly number[];
  /** Posts, files, venues and organizers that it shows something of. */
  readonly objects: readonly number[];
  /** Those of them that its head tells something of: what everybody may read. */
  readonly named: readonly number[];
}

const utc = (text: string): string => (text === '' ? '' : `${text.slice(0, 19)}Z`);

const postCrumb = ({ title, link }: Post): Crumb => ({ name: plain(title), url: link });

function imageOf(media: Media | undefined): Image | undefined {
  if (!media?.isImage || !media.access?.public) return undefined;
  const { url, width, height, altText: alt, mimeType } = media;
  return { url, width, height, alt, mimeType };
}

/** Whoever has published no post has no page to name: of events, files and drafts. */
const authorOf = (user: User | undefined): Item['author'] =>
  user && {
    id: user.id,
    name: decodeEntities(user.name),
    url: user.published ? user.link : '',
    website: user.url,
  };

const NOTHING_MORE = { hasPassword: false, terms: [], ancestors: [], excerptHtml: '' } as const;

export async function readPosts(around: Surroundings, posts: readonly Post[]): Promise<Read[]> {
  const { owners, site } = around;
  const ask = async (ids: number[]): Promise<Post[]> => {
    const found: Post[] = [];
    for await (const post of owners.posts.streamPosts({ afterId: 0, types: [], statuses: [], limit: 0, ids }))
      found.push({ ...post, content: '', excerpt: '' });
    return found;
  };
  const [near, above, chosen] = await Promise.all([
    neighbours(around, {
      users: posts.map(({ author }) => author),
      terms: posts.flatMap(({ categories, tags }) => few([...categories, ...tags])),
      media: posts.flatMap(({ id, type, featuredMedia }) => [featuredMedia, type === 'attachment' ? id : 0]),
    }),
    withAbove(
      posts.filter(({ parent }) => parent !== 0),
      ask,
    ),
    around.overridesOf(
      'post',
      posts.map(({ id }) => id),
    ),
  ]);
  return posts.map((post) => {
    const file = post.type === 'attachment' ? near.media.get(post.id) : undefined;
    const terms = [...post.categories, ...post.tags];
    const ancestors = chain(post, above);
    // What not everybody may read is named nowhere else.
    const told = ancestors.filter((one) => one.public);
    const image = imageOf(file ?? near.media.get(post.featuredMedia));
    const own = chosen.get(post.id) ?? {};
    const item: Item = {
      objectType: 'post',
      objectSubtype: post.type,
      id: post.id,
      status: post.status,
      isPublic: post.public,
      hasPassword: post.hasPassword,
      permalink: post.link,
      slug: post.slug,
      titleHtml: post.title,
      // What a password protects is for nobody's head, and no search engine's.
      contentHtml: post.hasPassword ? '' : post.content,
      excerptHtml: post.hasPassword ? '' : post.excerpt,
      language: site.language,
      publishedUtc: utc(post.dateGmt),
      modifiedUtc: utc(post.modifiedGmt),
      author: authorOf(near.users.get(post.author)),
      image,
      file: file && { url: file.url, mimeType: file.mimeType },
      terms: itemTerms(terms, near),
      ancestors: told.map(postCrumb),
      // Whatever was chosen before it got a password: its page says so, too.
      own: post.hasPassword ? { ...own, noindex: true } : own,
    };
    const objects = distinct([post.featuredMedia, ...ancestors.map(({ id }) => id), post.parent]);
    const { version, author, featuredMedia } = post;
    const named = distinct([image && !file ? featuredMedia : 0, ...told.map(({ id }) => id)]);
    return { item, version, author, terms: shownTerms(terms, near), objects, named };
  });
}

export async function readObjects(around: Surroundings, objects: readonly CalendarObject[]): Promise<Read[]> {
  const { owners, site } = around;
  const linkedIds = distinct(
    objects.flatMap(({ event }) => (event ? [event.venueId, ...few(event.organizerIds)] : [])),
  );
  const linked: CalendarObject[] = [];
  if (linkedIds.length > 0)
    for await (const one of owners.events.streamObjects({ afterId: 0, limit: 0, ids: linkedIds }))
      linked.push({ ...one, description: '' });
  const linkedById = byId(linked);
  const [near, chosen] = await Promise.all([
    neighbours(around, {
      users: objects.map(({ author }) => author),
      terms: objects.flatMap(({ event }) => few([...(event?.categoryIds ?? []), ...(event?.tagIds ?? [])])),
      media: objects.map(({ imageId }) => imageId),
    }),
    around.overridesOf(
      'post',
      objects.map(({ id }) => id),
    ),
  ]);
  return objects.map((object) => {
    const { event } = object;
    const terms = [...(event?.categoryIds ?? []), ...(event?.tagIds ?? [])];
    const linkedTo = (ids: readonly number[]): CalendarObject[] =>
      ids.flatMap((id) => {
        const one = linkedById.get(id);
        return one?.public ? [one] : [];
      });
    const image = imageOf(near.media.get(object.imageId));
    const places = event ? linkedTo([event.venueId]) : [];
    const organizers = event ? linkedTo(few(event.organizerIds)) : [];
    const item: Item = {
      ...NOTHING_MORE,
      objectType: 'post',
      objectSubtype: object.type,
      id: object.id,
      status: object.status,
      isPublic: object.public,
      permalink: object.link,
      slug: object.slug,
      // Names of places and organizers are text.
      titleHtml: event ? object.title : escapeHtml(object.title),
      contentHtml: object.description,
      excerptHtml: object.excerpt,
      language: site.language,
      publishedUtc: utc(object.dateUtc),
      modifiedUtc: utc(object.modifiedUtc),
      author: authorOf(near.users.get(object.author)),
      image,
      terms: itemTerms(terms, near),
      event: event && {
        startUtc: event.startUtc,
        endUtc: event.endUtc,
        timezone: event.timezone,
        allDay: event.allDay,
        cost: costOf(event.costValues),
        currency: /^[A-Z]{3}$/.test(event.currency) ? event.currency : '',
        website: object.website,
        places: places.flatMap((one) => placeOf(one) ?? []),
        organizers: organizers.map(organizerOf),
      },
      place: placeOf(object),
      organization: object.type === 'organizer' ? organizerOf(object) : undefined,
      own: chosen.get(object.id) ?? {},
    };
    const shows = distinct([object.imageId, ...(event ? [event.venueId, ...event.organizerIds] : [])]);
    return {
      item,
      version: object.version,
      author: object.author,
      terms: shownTerms(terms, near),
      objects: shows,
      named: distinct([image ? object.imageId : 0, ...[...places, ...organizers].map(({ id }) => id)]),
    };
  });
}

function placeOf({ title, link, phone, website, place }: CalendarObject): Place | undefined {
  return place && { name: title.trim(), url: link, phone, website, ...place };
}

/** Of all the numbers that it names, ascending, the least and the greatest, as the calendar shows it. */
const costOf = (values: readonly string[]): string =>
  [...new Set([...values.slice(0, 1), ...values.slice(-1)])].join(' – ');

const organizerOf = ({ title, link, phone, website }: CalendarObject): Organizer => ({
  name: title.trim(),
  url: link,
  phone,
  website,
  // Heads are read by whoever collects addresses of mail.
  email: '',
});

export async function readTerms(around: Surroundings, ids: readonly number[]): Promise<Read[]> {
  const terms = await askTerms(around.owners, [...ids]);
  const chosen = await around.overridesOf('term', ids);
  return ids.flatMap((id) => {
    const term = terms.get(id);
    if (!term) return [];
    const above = chain(term, terms);
    const item: Item = {
      ...NOTHING_MORE,
      objectType: 'term',
      objectSubtype: term.taxonomy,
      id,
      status: 'publish',
      isPublic: true,
      permalink: term.link,
      slug: term.slug,
      titleHtml: term.name,
      contentHtml: term.description,
      language: around.site.language,
      publishedUtc: '',
      modifiedUtc: '',
      ancestors: above.map(termCrumb),
      count: term.count,
      own: chosen.get(id) ?? {},
    };
    return [
      { item, version: term.version, author: 0, terms: above.map((one) => one.id), objects: [], named: [] },
    ];
  });
}

export async function readUsers(around: Surroundings, ids: readonly number[]): Promise<Read[]> {
  const users = await askUsers(around.owners, [...ids]);
  const chosen = await around.overridesOf('user', ids);
  return users.map((user) => ({
    item: {
      ...NOTHING_MORE,
      objectType: 'user',
      objectSubtype: 'user',
      id: user.id,
      status: user.published ? 'publish' : 'private',
      isPublic: user.published,
      permalink: user.link,
      slug: user.slug,
      // Entities in it stand for characters, as on the pages of the site; what looks like a tag is none.
      titleHtml: escapeHtml(decodeEntities(user.name)),
      contentHtml: user.description,
      language: around.site.language,
      publishedUtc: '',
      modifiedUtc: '',
      author: authorOf(user),
      own: chosen.get(user.id) ?? {},
    },
    version: user.version,
    author: 0,
    terms: [],
    objects: [],
    named: [],
  }));
}

/** The front page, which is made of the site's settings alone. */
export async function readHome(around: Surroundings): Promise<Read> {
  const { site } = around;
  const chosen = await around.overridesOf('home', [0]);
  const item: Item = {
    ...NOTHING_MORE,
    objectType: 'home',
    objectSubtype: 'home',
    id: 0,
    status: 'publish',
    isPublic: true,
    permalink: `${site.url}/`,
    slug: '',
    titleHtml: escapeHtml(site.title),
    contentHtml: '',
    language: site.language,
    publishedUtc: '',
    modifiedUtc: '',
    own: chosen.get(0) ?? {},
  };
  return { item, version: 'home', author: 0, terms: [], objects: [], named: [] };
}
