/** Errors of terms. */
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Taxonomy } from './taxonomies';
import { apiError, argumentError } from '../errors';

export const IS_DEFAULT = 'The default category of the site cannot be deleted.';

export const termErrors = {
  notFound: ({ one }: Taxonomy): ApiError => apiError('rest_term_invalid', 404, `There is no such ${one}.`),
  parentNotFound: ({ one }: Taxonomy): ApiError =>
    argumentError('parent', 'rest_term_invalid', 400, `The parent is no ${one} of this site.`),
  notHierarchical: ({ many }: Taxonomy): ApiError =>
    argumentError(
      'parent',
      'rest_taxonomy_not_hierarchical',
      400,
      `A parent cannot be set: ${many} have no parents.`,
    ),
  emptyName: ({ one }: Taxonomy): ApiError =>
    argumentError(
      'name',
      'empty_term_name',
      400,
      `A name is needed for this ${one}, with more in it than tags and spaces.`,
    ),
  exists: (termId: number, { one, article, hierarchical }: Taxonomy): ApiError =>
    argumentError(
      'name',
      'term_exists',
      400,
      `There is ${article} ${one} of this name already${hierarchical ? ' with this parent' : ''}.`,
      { data: { term_id: termId }, additionalData: [termId] },
    ),
  duplicateSlug: (slug: string, { one }: Taxonomy): ApiError =>
    argumentError('slug', 'duplicate_term_slug', 409, `The slug ${slug} is in use by another ${one}.`),
  isDefault: (): ApiError => apiError('rest_cannot_delete', 403, IS_DEFAULT),
  busy: (): ApiError =>
    apiError('conflict', 409, 'Other requests keep taking the slugs of this name. Try again.'),
  unknownTaxonomy: (name: string): ApiError =>
    apiError('rest_taxonomy_invalid', 404, `There is no taxonomy ${name}.`),
};
