/** The errors of this service. */
import { type ApiError, type CodeTable, makersFor } from '@sevenfold/chassis/errors';

/** Codes of errors that only this service answers with. */
export const codes = {
  contact_form_forbidden: 'The caller may not see or change contact forms.',
  contact_form_not_found: 'There is no such contact form.',
  contact_form_key_reused: 'Another submission was sent with the same Idempotency-Key.',
  contact_form_post_exists: 'A new contact form cannot be given an id.',
  submission_no_mail: 'None of the mails of the submission was sent or given up.',
  submission_not_found: 'There is no such submission.',
} as const satisfies CodeTable;
const { deny, apiError } = makersFor(codes);
export { deny };

export const errors = {
  notFound: (): ApiError => apiError('contact_form_not_found', 404, 'There is no such contact form.'),
  keyReused: (): ApiError =>
    apiError(
      'contact_form_key_reused',
      422,
      'Another submission was sent with this Idempotency-Key. A new submission needs a new key.',
    ),
  exists: (): ApiError =>
    apiError('contact_form_post_exists', 400, 'A new contact form gets its id from the service.'),
  submissionNotFound: (): ApiError => apiError('submission_not_found', 404, 'There is no such submission.'),
  nothingToResend: (): ApiError =>
    apiError(
      'submission_no_mail',
      409,
      'No mail of this submission was sent or given up: there is none to repeat.',
    ),
} as const;
