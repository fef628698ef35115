/**
 * Where slugs of posts are unique: posts among posts, pages below one parent (together with attachments there),
 * attachments among everything.
 */
import type { SlugSpace } from '@sevenfold/publishing/slugs';
import type { PostTypeName } from './types';

// Addresses of feeds and embeds hang below a post's own; pages must not look like page numbers or ids.
const FEEDS: ReadonlySet<string> = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);

/**
 * What the site has at its root besides pages: the interface and its documents, files, frames of forms, probes. A page or a file of
 * such a name would have an address at which something else is shown, and so would all that is below it.
 */
const ROOMS: ReadonlySet<string> = new Set([
  'rest',
  'openapi',
  'docs',
  'uploads',
  'forms',
  'healthz',
  'readyz',
]);

const among: Readonly<Record<PostTypeName, (parent: string) => string>> = {
  post: () => `type = 'post'`,
  page: (parent) => `type in ('page', 'attachment') and parent = ${parent}`,
  attachment: () => 'true',
};

export const spaceOf = ({
  id,
  type,
  parent,
}: {
  readonly id: number;
  readonly type: PostTypeName;
  readonly parent: number;
}): SlugSpace => ({
  lock: 'slug',
  table: 'posts',
  id,
  among: among[type],
  amongValue: parent,
  // Posts and pages stay without a slug while they are drafts.
  fromTheStart: type === 'attachment',
  isReserved: (slug) =>
    FEEDS.has(slug) ||
    (type === 'page' && /^(page)?\d+$/.test(slug)) ||
    (type !== 'post' && parent === 0 && ROOMS.has(slug)),
});
