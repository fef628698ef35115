/** The errors of this service. */
import { ApiError, invalidParam, invalidParams } from '@sevenfold/chassis/errors';

const NO_IMPORT = 'There is no import of this name that waits for anything.';

export const errors = {
  /** No such import, or one that takes nothing more: the sender cannot tell which argument is to blame. */
  notWaiting: () =>
    invalidParams([
      { param: 'import_id', code: 'rest_invalid_param', message: NO_IMPORT },
      { param: 'batch_hash', code: 'rest_invalid_param', message: NO_IMPORT },
    ]),
  wrongHash: () => invalidParam('batch_hash', 'This is not the hash that the import expects next.'),
  batchConflict: () =>
    new ApiError(
      'import_batch_conflict',
      409,
      'Another batch was accepted under this hash. Continue with the hash that its answer gave.',
    ),
  importNotFound: () => new ApiError('import_not_found', 404, 'There is no import of this name.'),
  importExists: () => new ApiError('import_exists', 409, 'An import of this name exists.'),
  batchNotFailed: () =>
    new ApiError('import_batch_not_failed', 409, 'This batch has not failed: there is nothing to retry.'),
  notResumable: (state: string) =>
    new ApiError(
      'import_not_resumable',
      409,
      `Only stalled and failed imports can be resumed; this one is ${state}.`,
    ),
} as const;
