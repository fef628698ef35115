/** A submission in the words of the console, the command line and JSON lines. */
import type { Submission } from '../gen/sevenfold/forms/v1/submission';

export const shownSubmission = (one: Submission): Record<string, unknown> => ({
  id: one.id,
  form: { id: one.formId, title: one.formTitle },
  status: one.status,
  submitted_at: one.submittedAt,
  fields: Object.fromEntries(
    one.fields.map(({ name, values }) => [name, values.length === 1 ? values[0] : values]),
  ),
  files: one.files,
  mail: { state: one.mail, error: one.mailError },
  mail_2: { state: one.mail2, error: one.mail2Error },
  spam: {
    verdict: one.spamVerdict === '' ? null : one.spamVerdict,
    score: one.spamVerdict === '' ? null : one.spamScore,
    evidence: JSON.parse(one.spamEvidence) as unknown,
  },
  address: one.address,
  user_agent: one.userAgent,
  referrer: one.referrer,
  url: one.url,
});
