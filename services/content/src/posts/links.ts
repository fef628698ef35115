/** Addresses of posts: the permalink for people, and the `_links` of the interface. */
import type { Actor } from '@sevenfold/chassis/actor';
import { can } from '@sevenfold/chassis/actor';
import { type Link, embeddable } from '@sevenfold/chassis/http/present';
import { hasPermalink, permalinkStatuses, sqlWords } from '@sevenfold/publishing/statuses';
import { may } from './policy';
import { type PostTypeName, postTypes } from './types';

/** What addresses are made of. */
export interface Linkable {
  readonly id: number;
  readonly type: PostTypeName;
  readonly status: string;
  readonly slug: string;
  readonly path: string;
}

/** Whether its status gives it a readable address: files have one in their usual status, too. */
export const isAddressed = ({ type, status }: Pick<Linkable, 'type' | 'status'>): boolean =>
  hasPermalink(status) || (type === 'attachment' && status === 'inherit');

/** isAddressed in SQL. */
export const addressedSql = (alias: string): string =>
  `(${alias}.status in ${sqlWords(permalinkStatuses)} or (${alias}.type = 'attachment' and ${alias}.status = 'inherit'))`;

/** Address of the post on the site: the permalink, or the form with the id where it has none yet (or no more). */
export function postLink(siteUrl: string, post: Linkable): string {
  if (isAddressed(post) && post.slug !== '' && post.path !== '') return `${siteUrl}/${post.path}/`;
  return plainLink(siteUrl, post);
}

/** `/?p=12`: works in every status. */
export const plainLink = (siteUrl: string, post: Pick<Linkable, 'id' | 'type'>): string =>
  `${siteUrl}/?${postTypes[post.type].idVariable}=${post.id}`;

/** Path of a post below the site; empty without slug. `dateLocal` is `YYYY-MM-DD …`. */
export const pathOfPost = (dateLocal: string, slug: string): string =>
  slug === '' ? '' : `${dateLocal.slice(0, 10).replaceAll('-', '/')}/${slug}`;

/** Path of something below a parent: ancestors that have no slug yet leave no trace. */
export const pathBelow = (parentPath: string, slug: string): string =>
  [parentPath, slug].filter((part) => part !== '').join('/');

/** Path of what a page hangs on. */
export const pathAbove = ({ path, slug }: Pick<Linkable, 'path' | 'slug'>): string =>
  slug === '' ? path : path.slice(0, Math.max(0, path.length - slug.length - 1));

export const namespaceRoot = (root: string): string => `${root}/core/v2`;

export const curies = (siteUrl: string): Link[] => [
  { name: 'core', href: `${siteUrl}/relations/{rel}`, templated: true } as Link,
];

/** Links that posts, pages and media have in common: self, collection, about, author, replies. */
export function commonLinks(
  root: string,
  post: { id: number; type: PostTypeName; author: number },
): Record<string, Link[]> {
  const base = namespaceRoot(root);
  const { restBase } = postTypes[post.type];
  const links: Record<string, Link[]> = {
    self: [{ href: `${base}/${restBase}/${post.id}` }],
    collection: [{ href: `${base}/${restBase}` }],
    about: [{ href: `${base}/types/${post.type}` }],
  };
  if (post.author !== 0) links.author = [embeddable(`${base}/users/${post.author}`, 'user', post.author)];
  links.replies = [embeddable(`${base}/comments?post=${post.id}`, 'comments', post.id)];
  return links;
}

export interface LinkedPost {
  readonly id: number;
  readonly type: PostTypeName;
  readonly author: number;
  readonly parent: number;
  readonly parentType: PostTypeName | null;
  readonly featuredMedia: number;
  readonly revisionCount: number;
  readonly lastRevision: number;
}

/** `_links` of a post or page. `actor` is given in edit context, which also shows what the caller may do. */
export function postLinks(
  root: string,
  siteUrl: string,
  post: LinkedPost,
  actor?: Actor,
): Record<string, Link[]> {
  const base = namespaceRoot(root);
  const type = postTypes[post.type];
  const self = `${base}/${type.restBase}/${post.id}`;
  const links = commonLinks(root, post);
  links['version-history'] = [{ count: post.revisionCount, href: `${self}/revisions` } as Link];
  if (post.lastRevision !== 0)
    links['predecessor-version'] = [
      { id: post.lastRevision, href: `${self}/revisions/${post.lastRevision}` } as Link,
    ];
  if (type.hierarchical && post.parent !== 0)
    links.up = [
      embeddable(
        `${base}/${postTypes[post.parentType ?? post.type].restBase}/${post.parent}`,
        'post',
        post.parent,
      ),
    ];
  if (post.featuredMedia !== 0)
    links['core:featuredmedia'] = [
      embeddable(`${base}/media/${post.featuredMedia}`, 'media', post.featuredMedia),
    ];
  links['core:attachment'] = [{ href: `${base}/media?parent=${post.id}` }];
  if (type.blog) {
    links['core:term'] = [
      embeddable(`${base}/categories?post=${post.id}`, 'terms', `category:${post.id}`, {
        taxonomy: 'category',
      }),
      embeddable(`${base}/tags?post=${post.id}`, 'terms', `post_tag:${post.id}`, { taxonomy: 'post_tag' }),
    ];
  }
  if (actor)
    for (const action of actionsOf(actor, post.type)) links[`core:action-${action}`] = [{ href: self }];
  links.curies = curies(siteUrl);
  return links;
}

/** What the caller may do with posts of the type, as clients are told by links. */
export function actionsOf(actor: Actor, type: PostTypeName): string[] {
  const actions: [string, boolean][] = [
    ['publish', may(actor, type, 'publish')],
    ['unfiltered-html', can(actor, 'unfiltered_html')],
    ['sticky', postTypes[type].blog && may(actor, type, 'edit_others') && may(actor, type, 'publish')],
    ['assign-author', may(actor, type, 'edit_others')],
    ['create-categories', postTypes[type].blog && can(actor, 'edit_categories')],
    ['assign-categories', postTypes[type].blog && can(actor, 'assign_categories')],
    ['create-tags', postTypes[type].blog && can(actor, 'edit_post_tags')],
    ['assign-tags', postTypes[type].blog && can(actor, 'assign_post_tags')],
  ];
  return actions.filter(([, allowed]) => allowed).map(([name]) => name);
}
