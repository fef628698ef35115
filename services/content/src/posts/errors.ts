/** What writes of posts and pages are refused with. */
import { apiError, argumentError } from '../errors';

export const errors = {
  notFound: () => apiError('rest_post_invalid_id', 404, 'There is nothing of this type with this id.'),
  exists: () =>
    argumentError(
      'id',
      'rest_post_exists',
      400,
      'A new item cannot be given an id. Leave out id, or send the write to the item.',
    ),
  empty: () =>
    argumentError(
      ['title', 'content', 'excerpt'],
      'empty_content',
      400,
      'Title, content and excerpt are all empty; one of them must have text.',
    ),
  invalidAuthor: () =>
    argumentError('author', 'rest_invalid_author', 400, 'There is no user with the id that author names.'),
  invalidParent: () =>
    argumentError('parent', 'rest_post_invalid_id', 400, 'There is no page with the id that parent names.'),
  stickyWithPassword: () =>
    argumentError(
      ['sticky', 'password'],
      'rest_invalid_field',
      400,
      'A post cannot be pinned and have a password at the same time.',
    ),
  alreadyTrashed: () => apiError('rest_already_trashed', 410, 'This is in the trash already.'),
};
