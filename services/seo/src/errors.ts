/** The errors of this service. */
import { type ApiError, type CodeTable, makersFor } from '@sevenfold/chassis/errors';

/** Codes of errors that only this service answers with. */
export const codes = {
  seo_object_not_found: 'Nothing of the site has this type and number.',
} as const satisfies CodeTable;
const { apiError } = makersFor(codes);

export const errors = {
  objectNotFound: (): ApiError =>
    apiError('seo_object_not_found', 404, 'Nothing of the site has this type and number.'),
} as const;
