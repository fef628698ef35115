/** From terms of the content service to event categories and event tags. */
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

type Links = Record<string, { href: string; name?: string; templated?: true }[]>;

function coreLinks(term: Term, kind: TermKind, { siteUrl, root }: Site): Links {
  const core = `${root}/core/v2`;
  const collection = `${core}/${kind.coreBase}`;
  const up: Links =
    kind.hierarchical && term.parent !== 0 ? { up: [{ href: `${collection}/${term.parent}` }] } : {};
  const posts: Links = kind.corePosts
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
