/** Taxonomies as the interface describes them; what they are and who may do what is in terms/taxonomies.ts. */
import { type Taxonomy, taxonomies } from '../terms/taxonomies';
import { shownCapabilities } from '../users/roles';
import { type Labels, taxonomyLabels } from './labels';

export interface TaxonomyEntry extends Taxonomy {
  readonly title: string;
  readonly labels: Labels;
  readonly capabilities: Readonly<Record<string, string>>;
  readonly showAdminColumn: boolean;
}

const shownName = (capability: string): string => shownCapabilities(capability)[0] as string;

const entry = (taxonomy: Taxonomy, one: string, many: string, manage: string): TaxonomyEntry => ({
  ...taxonomy,
  title: many,
  labels: {
    ...taxonomyLabels(one, many, taxonomy.hierarchical),
    // Clients find it on taxonomies that others than the core brought.
    ...(taxonomy.postsColumn === undefined && { archives: `All ${many.toLowerCase()}` }),
  },
  capabilities: {
    manage_terms: shownName(manage),
    edit_terms: shownName(taxonomy.rights.create),
    delete_terms: shownName(taxonomy.rights.delete),
    assign_terms: shownName(taxonomy.rights.assign),
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
