/** The errors of this service. */
import { type ApiError, type CodeTable, makersFor } from '@sevenfold/chassis/errors';

/** Codes of errors that only this service answers with. */
export const codes = {
  contact_form_cannot_delete: 'The contact form could not be deleted: what keeps it is away or full.',
  contact_form_cannot_save: 'The contact form could not be stored: what keeps it is away or full.',
  contact_form_forbidden: 'The caller may not see or change contact forms.',
  contact_form_not_found: 'There is no such contact form.',
  contact_form_key_reused: 'Another submission was sent with the same Idempotency-Key.',
  contact_form_too_much: 'So much came from the address within an hour that nothing more of it is kept.',
  contact_form_post_exists: 'A new contact form cannot be given an id.',
  submission_no_mail: 'No mail of the submission has failed, and not all of them were sent.',
  submission_not_found: 'There is no such submission.',
} as const satisfies CodeTable;
const { deny, apiError, argumentError } = makersFor(codes);
export { deny };

/** Clients know these as 500 (BEHAVIOUR 5); what else the fault tells, such as when to come again, stays. */
const ofFault = (
  code: 'contact_form_cannot_delete' | 'contact_form_cannot_save',
  message: string,
  fault: ApiError,
): ApiError =>
  apiError(code, 500, message, { headers: fault.headers, data: fault.data, cause: fault.cause ?? fault });

export const errors = {
  cannotDelete: (fault: ApiError): ApiError =>
    ofFault('contact_form_cannot_delete', 'The contact form could not be deleted. Try again later.', fault),
  cannotSave: (fault: ApiError): ApiError =>
    ofFault('contact_form_cannot_save', 'The contact form could not be stored. Try again later.', fault),
  notFound: (): ApiError => apiError('contact_form_not_found', 404, 'There is no such contact form.'),
  keyReused: (): ApiError =>
    apiError(
      'contact_form_key_reused',
      422,
      'Another submission was sent with this Idempotency-Key. A new submission needs a new key.',
    ),
  tooMuch: (seconds: number): ApiError =>
    apiError(
      'contact_form_too_much',
      429,
      'Too much has been sent from your address within this hour. Please send it again later.',
      { data: { done: false }, headers: { 'Retry-After': String(seconds) } },
    ),
  exists: (): ApiError =>
    argumentError('id', 'contact_form_post_exists', 400, 'A new contact form gets its id from the service.'),
  submissionNotFound: (): ApiError => apiError('submission_not_found', 404, 'There is no such submission.'),
  nothingToResend: (): ApiError =>
    apiError(
      'submission_no_mail',
      409,
      'No mail of this submission has failed, and not all of them were sent: there is none to repeat.',
    ),
} as const;
