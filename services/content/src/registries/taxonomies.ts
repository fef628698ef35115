/** Taxonomies as the interface describes them; what they are and who may do what is in terms/taxonomies.ts. */
import { type Taxonomy, taxonomies } from '../terms/taxonomies';
import { type Labels, taxonomyLabels } from './labels';

export interface TaxonomyEntry extends Taxonomy {
  readonly title: string;
  readonly labels: Labels;
  readonly capabilities: Readonly<Record<string, string>>;
  readonly showAdminColumn: boolean;
}

const entry = (taxonomy: Taxonomy, one: string, many: string, manage: string): TaxonomyEntry => ({
  ...taxonomy,
  title: many,
  labels: taxonomyLabels(one, many, taxonomy.hierarchical),
  capabilities: {
    manage_terms: manage,
    edit_terms: taxonomy.rights.create,
    delete_terms: taxonomy.rights.delete,
    assign_terms: taxonomy.rights.assign,
  },
  showAdminColumn: taxonomy.postsColumn !== undefined,
});

export const shownTaxonomies: readonly TaxonomyEntry[] = [
  entry(taxonomies.category, 'Category', 'Categories', 'manage_categories'),
  entry(taxonomies.post_tag, 'Tag', 'Tags', 'manage_post_tags'),
  entry(taxonomies.calendar_events_cat, 'Event Category', 'Event Categories', 'publish_events'),
];

/** Taxonomies that exist and are not shown. */
export const hiddenTaxonomies: ReadonlySet<string> = new Set(['post_format']);
