/** From terms of the content service to event categories and event tags. */
import { type Link, embeddable } from '@sevenfold/chassis/http/present';
import { namespaceRoot } from '../common/links';
import type { Term } from '../content/known';
import type { TermKind } from './kinds';

interface Site {
  readonly siteUrl: string;
  readonly root: string;
}

/** As lists show it. */
export function presentTerm(term: Term, kind: TermKind, { root }: Site): Record<string, unknown> {
  const collection = `${namespaceRoot(root)}/${kind.name}`;
  return {
    id: term.id,
    count: term.count,
    description: term.description,
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(kind.hierarchical ? { parent: term.parent } : {}),
    meta: [],
    url: term.link,
    urls: {
      self: `${collection}/${term.id}`,
      collection,
      ...(kind.hierarchical && term.parent !== 0 ? { up: `${collection}/${term.parent}` } : {}),
    },
  };
}

/** Alone it also carries its links in core/v2. */
export const presentSingle = (term: Term, kind: TermKind, site: Site): Record<string, unknown> => ({
  ...presentTerm(term, kind, site),
  _links: coreLinks(term, kind, site),
});

export const coreAddress = (term: Term, { coreBase }: TermKind, root: string): string =>
  `${root}/core/v2/${coreBase}/${term.id}`;

function coreLinks(term: Term, kind: TermKind, { siteUrl, root }: Site): Record<string, Link[]> {
  const core = `${root}/core/v2`;
  const collection = `${core}/${kind.coreBase}`;
  const up: Record<string, Link[]> =
    kind.hierarchical && term.parent !== 0
      ? { up: [embeddable(`${collection}/${term.parent}`, 'category', term.parent)] }
      : {};
  const posts: Record<string, Link[]> = kind.corePosts
    ? {
        'core:post_type': [{ href: `${core}/${kind.corePosts}${term.id}` }],
        curies: [{ name: 'core', href: `${siteUrl}/relations/{rel}`, templated: true }],
      }
    : {};
  return {
    self: [{ href: coreAddress(term, kind, root) }],
    collection: [{ href: collection }],
    about: [{ href: `${core}/taxonomies/${kind.taxonomy}` }],
    ...up,
    ...posts,
  };
}

/** As core/v2 shows it inside other answers, which is where its links lead. */
export const presentEmbedded = (term: Term, kind: TermKind, site: Site): Record<string, unknown> => ({
  id: term.id,
  link: term.link,
  name: term.name,
  slug: term.slug,
  taxonomy: term.taxonomy,
  _links: coreLinks(term, kind, site),
});
