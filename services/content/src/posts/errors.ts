/** What writes of posts and pages are refused with. */
import { ApiError } from '@sevenfold/chassis/errors';

export const errors = {
  notFound: () => new ApiError('rest_post_invalid_id', 404, 'There is nothing of this type with this id.'),
  exists: () =>
    new ApiError(
      'rest_post_exists',
      400,
      'A new item cannot be given an id. Leave out id, or send the write to the item.',
    ),
  empty: () =>
    new ApiError(
      'empty_content',
      400,
      'Title, content and excerpt are all empty; one of them must have text.',
    ),
  invalidAuthor: () =>
    new ApiError('rest_invalid_author', 400, 'There is no user with the id that author names.'),
  invalidParent: () =>
    new ApiError('rest_post_invalid_id', 400, 'There is no page with the id that parent names.'),
  stickyWithPassword: () =>
    new ApiError('rest_invalid_field', 400, 'A post cannot be pinned and have a password at the same time.'),
  alreadyTrashed: () => new ApiError('rest_already_trashed', 410, 'This is in the trash already.'),
};
