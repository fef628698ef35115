/** What the sender of a form is told, as data. */
import type { Deps } from '../deps';
import type { FormRow } from '../forms/store';
import { type Questions, freshQuestions } from '../tags/quiz';
import type { Outcome } from './submit';

/** Fresh questions, since the old ones are answered now. */
export const questionsOf = (deps: Deps, form: FormRow): Questions =>
  freshQuestions(deps.parsed(form), { formId: form.id, keys: deps.signingKeys, now: new Date() });

export const answerOf = (deps: Deps, form: FormRow, outcome: Outcome): object => ({
  into: outcome.unitTag === '' ? '' : `#${outcome.unitTag}`,
  status: outcome.status,
  message: outcome.message,
  invalid_fields: outcome.invalid,
  invalidFields: outcome.invalid.map(({ field, message, idref }) => ({
    // A colon would begin another part of the selector, and scripts end where one cannot be read.
    into: `span.contact-form-form-control-wrap.${field.replaceAll(':', '\\:')}`,
    message,
    idref,
  })),
  posted_data_hash: outcome.hash,
  ...questionsOf(deps, form),
});
