/**
 * What refusals look like, for the answers that all documents share. Most are told by the gateway or come of what stands
 * here; a rule test compares them with the errors that are made.
 */
import {
  type ErrorBody,
  internalError,
  invalidParam,
  missingParams,
  noRoute,
  nothingDone,
  payloadTooLarge,
  preconditionFailed,
  unavailable,
} from '../errors';

const told = (code: string, status: number, message: string, data: object = {}): ErrorBody => ({
  code,
  message,
  data: { status, ...data },
});

const LIMIT_BYTES = 1_048_576;

const bodies: readonly ErrorBody[] = [
  invalidParam(
    'per_page',
    'per_page must be between 1 (inclusive) and 100 (inclusive)',
    'rest_out_of_bounds',
  ).body(),
  missingParams(['title']).body(),
  told('rest_invalid_credentials', 401, 'The user name and the application password do not fit together.'),
  told('rest_forbidden', 401, 'Log in to do this.'),
  told('rest_forbidden', 403, 'You may not do this.'),
  noRoute().body(),
  told('request_timeout', 408, 'The body of the request did not arrive in time.'),
  told('conflict', 409, 'Another request changed the same thing at the same time. Try again.'),
  told('rest_already_trashed', 410, 'This is in the trash already.'),
  told('length_required', 411, 'A body of this method must come with its Content-Length.'),
  preconditionFailed().body(),
  told('rest_upload_hash_mismatch', 412, 'The bytes that arrived do not have the hash of Content-MD5.'),
  payloadTooLarge(LIMIT_BYTES).body(),
  told(
    'unsupported_media_type',
    415,
    'The body must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
    { content_type: 'text/csv' },
  ),
  told(
    'contact_form_key_reused',
    422,
    'Another submission was sent with this Idempotency-Key. A new submission needs a new key.',
  ),
  told('rest_too_many_requests', 429, 'More than 600 requests came within a minute. Slow down.'),
  told('headers_too_large', 431, 'The address and the headers of the request are too large, or too many.'),
  internalError().body(),
  told(
    'rest_trash_not_supported',
    501,
    'A term cannot be moved to the trash. Send force=true to delete it for good.',
  ),
  told(
    'bad_gateway',
    502,
    'The content service gave no valid answer. Whether it did what was asked is not known.',
  ),
  nothingDone(unavailable('The content service')).body(),
  told('upstream_timeout', 504, 'The content service took too long to answer.'),
  told('insufficient_storage', 507, 'There is no room left to store this. Try again later.'),
];

const nameOf = ({ code, data: { status } }: ErrorBody): string => `error.${status}.${code}`;

/** As components, to which the answers of all documents refer. */
export const errorExamples: Readonly<Record<string, object>> = Object.fromEntries(
  bodies.map((body) => [nameOf(body), { summary: body.message, value: body }]),
);

/** Those of a status, by their codes; undefined where there is none. */
export function errorExamplesOf(status: number): Readonly<Record<string, object>> | undefined {
  const own = bodies.filter(({ data }) => data.status === status);
  if (own.length === 0) return undefined;
  return Object.fromEntries(
    own.map((body) => [body.code, { $ref: `#/components/examples/${nameOf(body)}` }]),
  );
}
