/**
 * The public item that an address of this site names. The services that may know it are asked at once, as strangers:
 * what is shown to other sites is what everybody may see.
 */
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import { decodeEntities, escapeHtml, stripTags } from '@sevenfold/text/html';
import { textOf } from '@sevenfold/text/markup';
import { shorten, truncateWords } from '@sevenfold/text/text';
import { MOST_INDEXED_EXCERPT } from '@sevenfold/text/told';
import type { CalendarObject } from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import type { Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import type { Deps } from '../deps';
import { withoutEmbed } from './address';

export interface Picture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly altText: string;
}

export interface Item {
  readonly link: string;
  /** Without tags; characters that mean something in HTML are entities. */
  readonly title: string;
  /** Text, not HTML; empty where a password hides it. */
  readonly excerpt: string;
  /** Empty where it is not known. */
  readonly authorName: string;
  readonly authorLink: string;
  readonly picture?: Picture;
}

const EXCERPT_WORDS = 35;
/** Parameters that name an item by its number. */
const NUMBERED = ['p', 'page_id', 'attachment_id', 'post_type'];

/** `address` is one of the site's own. Throws 503 where nobody can say, as who might know it is away. */
export async function findItem(deps: Deps, address: URL, call: CallOptions): Promise<Item | undefined> {
  const page = withoutEmbed(address);
  return (page && (await findExactly(deps, page, call))) ?? findExactly(deps, address, call);
}

async function findExactly(deps: Deps, address: URL, call: CallOptions): Promise<Item | undefined> {
  const item = await ask(deps, address.href, call);
  // A number that leads on to a permalink is none.
  const isNumbered = (link: string): boolean => {
    const { searchParams } = new URL(link);
    return NUMBERED.some((name) => searchParams.has(name));
  };
  return item && isNumbered(address.href) && !isNumbered(item.link) ? undefined : item;
}

async function ask(deps: Deps, url: string, call: CallOptions): Promise<Item | undefined> {
  const { posts, events } = deps.neighbours;
  const [post, event] = [posts.findPostByUrl({ url }, call), events.findByUrl({ url }, call)];
  // Whichever is not waited for may fail on its own.
  event.catch(() => undefined);
  try {
    const found = (await post).post;
    if (found) return ofPost(found);
  } catch (error) {
    const object = (await event).object;
    if (!object) throw error;
    return ofObject(deps, object, call);
  }
  const object = (await event).object;
  return object && ofObject(deps, object, call);
}

function ofPost(post: Post): Item {
  return {
    link: post.link,
    title: `${post.hasPassword ? 'Protected: ' : ''}${stripTags(post.title)}`,
    excerpt: shortText(post.excerpt),
    authorName: post.authorName,
    authorLink: post.authorLink,
    picture: shown(post.picture),
  };
}

/** Its owner and its picture belong to another service; where that is away, it is shown without them. */
async function ofObject(deps: Deps, object: CalendarObject, call: CallOptions): Promise<Item> {
  const { identity, media } = deps.neighbours;
  const [users, pictures] = await Promise.all([
    object.author === 0
      ? undefined
      : identity.getUsers({ ids: [object.author] }, call).catch(() => undefined),
    object.imageId === 0 ? undefined : media.getMedia({ ids: [object.imageId] }, call).catch(() => undefined),
  ]);
  const author = users?.users[0];
  return {
    link: object.link,
    // Names of places and organizers are text.
    title: object.type === 'event' ? stripTags(object.title) : escapeHtml(object.title),
    excerpt: shortText(object.excerpt || object.description),
    authorName: author?.name ?? '',
    // Who has written events alone has no page of posts.
    authorLink: author?.published ? author.link : '',
    picture: shown(pictures?.media.find(({ isImage, access }) => isImage && access?.public)),
  };
}

/** Only what has a size: it is scaled to what the other site has room for. */
function shown(picture: Picture | undefined): Picture | undefined {
  if (!picture || picture.width <= 0 || picture.height <= 0) return undefined;
  const { url, width, height, altText } = picture;
  return { url, width, height, altText };
}

const shortText = (html: string): string =>
  truncateWords(
    decodeEntities(textOf(shorten(html, MOST_INDEXED_EXCERPT), ' '))
      .replace(/\s+/g, ' ')
      .trim(),
    EXCERPT_WORDS,
  );
