/** Rows of submissions, for all but the one who makes them. */
import type { Db } from '@sevenfold/chassis/db/sql';

export type Status = 'pending' | 'received' | 'spam' | 'trash';
export type MailState = 'none' | 'queued' | 'sent' | 'failed';

export interface SubmissionRow {
  readonly id: number;
  readonly formId: number;
  readonly status: Status;
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly mail: MailState;
  readonly mail_2: MailState;
  readonly mailError: string;
  readonly mail2Error: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly spamVerdict: string | null;
  readonly spamScore: number | null;
  readonly spamEvidence: unknown;
  readonly spamUnchecked: boolean;
  readonly spamRevision: number;
  readonly keep: boolean;
  readonly createdAt: string;
}

export const COLUMNS = `s.id, s.form_id as "formId", s.status, s.values, s.mail, s.mail_2, s.mail_error as "mailError",
  s.mail_2_error as "mail2Error", s.meta, s.spam_verdict as "spamVerdict", s.spam_score as "spamScore",
  s.spam_evidence as "spamEvidence", s.spam_unchecked as "spamUnchecked", s.spam_revision as "spamRevision",
  s.keep, s.created_at as "createdAt"`;

/** Whatever its state, passing ones too: for its mail. */
export const findAny = (db: Db, id: number): Promise<SubmissionRow | undefined> =>
  db.first<SubmissionRow>(`select ${COLUMNS} from submissions s where s.id = $1`, [id]);
