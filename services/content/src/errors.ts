/** Errors that several resources of the content service answer with; what only one needs is beside it. */
import { ApiError } from '@sevenfold/chassis/errors';

export const errors = {
  postNotFound: () => new ApiError('rest_post_invalid_id', 404, 'There is no such post.'),
  trashNotSupported: (what: string) =>
    new ApiError(
      'rest_trash_not_supported',
      501,
      `A ${what} cannot be moved to the trash. Send force=true to delete it for good.`,
    ),
};
