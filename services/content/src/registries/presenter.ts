/** Entries of the registries as the interface shows them. */
import type { Link } from '@sevenfold/chassis/http/present';
import { curies, namespaceRoot } from '../posts/links';
import type { StatusEntry } from './statuses';
import type { TaxonomyEntry } from './taxonomies';
import type { TypeEntry } from './types';

interface Site {
  readonly siteUrl: string;
  readonly root: string;
}

const NAMESPACE = 'core/v2';

const links = ({ siteUrl, root }: Site, collection: string, items: string): Record<string, Link[]> => ({
  collection: [{ href: `${namespaceRoot(root)}/${collection}` }],
  'core:items': [{ href: `${namespaceRoot(root)}/${items}` }],
  curies: curies(siteUrl),
});

export const presentType = (type: TypeEntry, site: Site): Record<string, unknown> => ({
  capabilities: type.capabilities,
  description: type.description,
  hierarchical: type.hierarchical,
  has_archive: false,
  visibility: { show_in_nav_menus: type.slug !== 'attachment', show_ui: true },
  viewable: true,
  labels: type.labels,
  name: type.name,
  slug: type.slug,
  supports: Object.fromEntries(type.supports.map((feature) => [feature, true])),
  taxonomies: type.taxonomies,
  rest_base: type.restBase,
  rest_namespace: NAMESPACE,
  _links: links(site, 'types', type.restBase),
});

export const presentStatus = (status: StatusEntry, { root }: Site): Record<string, unknown> => ({
  name: status.name,
  private: status.private,
  protected: status.protected,
  public: status.public,
  queryable: status.public,
  show_in_list: status.showInList,
  slug: status.slug,
  date_floating: status.dateFloating,
  _links: {
    archives: [
      { href: `${namespaceRoot(root)}/posts${status.slug === 'publish' ? '' : `?status=${status.slug}`}` },
    ],
  },
});

export const presentTaxonomy = (taxonomy: TaxonomyEntry, site: Site): Record<string, unknown> => ({
  name: taxonomy.title,
  slug: taxonomy.name,
  capabilities: taxonomy.capabilities,
  description: '',
  labels: taxonomy.labels,
  types: taxonomy.types,
  show_cloud: true,
  hierarchical: taxonomy.hierarchical,
  rest_base: taxonomy.restBase,
  rest_namespace: NAMESPACE,
  visibility: {
    public: true,
    publicly_queryable: true,
    show_admin_column: taxonomy.showAdminColumn,
    show_in_nav_menus: true,
    show_in_quick_edit: true,
    show_ui: true,
  },
  _links: links(site, 'taxonomies', taxonomy.restBase),
});
