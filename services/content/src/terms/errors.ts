/** Errors of terms. */
import { ApiError } from '@sevenfold/chassis/errors';
import type { Taxonomy } from './taxonomies';

export const termErrors = {
  notFound: ({ one }: Taxonomy): ApiError =>
    new ApiError('rest_term_invalid', 404, `There is no such ${one}.`),
  parentNotFound: ({ one }: Taxonomy): ApiError =>
    new ApiError('rest_term_invalid', 400, `The parent is no ${one} of this site.`, {
      data: { params: { parent: `parent is no ${one}.` } },
    }),
  notHierarchical: ({ many }: Taxonomy): ApiError =>
    new ApiError('rest_taxonomy_not_hierarchical', 400, `A parent cannot be set: ${many} have no parents.`),
  emptyName: ({ one }: Taxonomy): ApiError =>
    new ApiError(
      'empty_term_name',
      400,
      `A name is needed for this ${one}, with more in it than tags and spaces.`,
    ),
  exists: (termId: number, { one, hierarchical }: Taxonomy): ApiError =>
    new ApiError(
      'term_exists',
      400,
      `There is ${one === 'event category' ? 'an' : 'a'} ${one} of this name already${hierarchical ? ' with this parent' : ''}.`,
      {
        data: { term_id: termId },
      },
    ),
  duplicateSlug: (slug: string, { one }: Taxonomy): ApiError =>
    new ApiError('duplicate_term_slug', 409, `The slug ${slug} is in use by another ${one}.`),
  busy: (): ApiError =>
    new ApiError('conflict', 409, 'Other requests keep taking the slugs of this name. Try again.'),
  unknownTaxonomy: (name: string): ApiError =>
    new ApiError('rest_taxonomy_invalid', 404, `There is no taxonomy ${name}.`),
};
