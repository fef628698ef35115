/** A term as the interface shows it. */
import { type Link, embeddable } from '@sevenfold/chassis/http/present';
import { curies, namespaceRoot } from '../posts/links';
import type { TermRow } from './store';
import { taxonomies } from './taxonomies';

export interface Site {
  readonly siteUrl: string;
  readonly root: string;
}

export function presentTerm(row: TermRow, site: Site): Record<string, unknown> {
  const taxonomy = taxonomies[row.taxonomy];
  return {
    id: row.id,
    count: row.count,
    description: row.description,
    link: termLink(site.siteUrl, row),
    name: row.name,
    slug: row.slug,
    taxonomy: row.taxonomy,
    ...(taxonomy.hierarchical ? { parent: row.parent } : {}),
    meta: [],
    _links: termLinks(row, site),
  };
}

/** Page of the term on the site; below those of its ancestors. */
export function termLink(siteUrl: string, row: Pick<TermRow, 'taxonomy' | 'slug' | 'parentPath'>): string {
  const path = [taxonomies[row.taxonomy].linkBase, row.parentPath, row.slug].filter((part) => part !== '');
  return `${siteUrl}/${path.join('/')}/`;
}

function termLinks(row: TermRow, { siteUrl, root }: Site): Record<string, Link[]> {
  const { restBase, postsColumn } = taxonomies[row.taxonomy];
  const base = namespaceRoot(root);
  const collection = `${base}/${restBase}`;
  const links: Record<string, Link[]> = {
    self: [{ href: `${collection}/${row.id}` }],
    collection: [{ href: collection }],
    about: [{ href: `${base}/taxonomies/${row.taxonomy}` }],
  };
  if (row.parent !== 0) links.up = [embeddable(`${collection}/${row.parent}`, 'term', row.parent)];
  if (postsColumn) {
    links['core:post_type'] = [{ href: `${base}/posts?${postsColumn}=${row.id}` }];
    links.curies = curies(siteUrl);
  }
  return links;
}
