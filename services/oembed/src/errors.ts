/** The errors of this service. */
import { type ApiError, type CodeTable, makersFor } from '@sevenfold/chassis/errors';

/** Codes of errors that only this service answers with. */
export const codes = {
  oembed_invalid_url: 'The address names nothing that can be embedded.',
} as const satisfies CodeTable;
const { apiError } = makersFor(codes);

export const errors = {
  invalidUrl: (): ApiError => apiError('oembed_invalid_url', 404, 'Nothing at this address can be embedded.'),
} as const;
