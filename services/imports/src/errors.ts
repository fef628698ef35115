/** The errors of this service. */
import { type CodeTable, invalidParam, invalidParams, makersFor } from '@sevenfold/chassis/errors';

/** Codes of errors that only this service answers with. */
export const codes = {
  import_backlog_full:
    'So much of the import waits for the calendar that nothing more of it is taken for now.',
  import_batch_conflict: 'Another batch was accepted under this hash.',
  import_batch_not_failed: 'The batch has not failed.',
  import_exists: 'An import of this name exists.',
  import_not_found: 'There is no import of this name.',
  import_not_resumable: 'The import is neither stalled nor failed.',
} as const satisfies CodeTable;
const { apiError, argumentError } = makersFor(codes);

const NO_IMPORT = 'There is no import of this name that waits for anything.';

export const errors = {
  /** No such import, or one that takes nothing more: the sender cannot tell which argument is to blame. */
  notWaiting: () =>
    invalidParams([
      { param: 'import_id', code: 'rest_invalid_param', message: NO_IMPORT },
      { param: 'batch_hash', code: 'rest_invalid_param', message: NO_IMPORT },
    ]),
  wrongHash: () => invalidParam('batch_hash', 'This is not the hash that the import expects next.'),
  backlogFull: () =>
    apiError(
      'import_backlog_full',
      429,
      'So much of this import waits for the calendar that nothing more is taken for now. Send the batch again later, under the same hash.',
      { data: { done: false }, headers: { 'Retry-After': '60' } },
    ),
  batchConflict: () =>
    apiError(
      'import_batch_conflict',
      409,
      'Another batch was accepted under this hash. Continue with the hash that its answer gave.',
    ),
  importNotFound: () => apiError('import_not_found', 404, 'There is no import of this name.'),
  importExists: () => argumentError('import_id', 'import_exists', 409, 'An import of this name exists.'),
  batchNotFailed: () =>
    apiError('import_batch_not_failed', 409, 'This batch has not failed: there is nothing to retry.'),
  notResumable: (state: string) =>
    apiError(
      'import_not_resumable',
      409,
      `Only stalled and failed imports can be resumed; this one is ${state}.`,
    ),
} as const;
