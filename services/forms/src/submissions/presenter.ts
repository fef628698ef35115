/** Rows as messages. */
import type { Submission } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import type { UploadRow } from '../uploads/store';
import type { Status, SubmissionRow } from './store';

/** Folders as people know them. */
export const FOLDERS = { inbox: 'received', spam: 'spam', trash: 'trash' } as const satisfies Record<
  string,
  Status
>;
export type Folder = keyof typeof FOLDERS;
export const isFolder = (word: string): word is Folder => Object.hasOwn(FOLDERS, word);
const folderOf = (status: Status): string => (status === 'received' ? 'inbox' : status);

export function present(row: SubmissionRow, uploads: readonly UploadRow[]): Submission {
  const meta = (name: string): string => {
    const value = row.meta[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    id: row.id,
    formId: row.formId,
    formTitle: row.formTitle,
    status: folderOf(row.status),
    fields: Object.entries(row.values).map(([name, value]) => ({
      name,
      values: typeof value === 'string' ? [value] : [...value],
    })),
    files: uploads
      .filter(({ submissionId }) => submissionId === row.id)
      .map(({ field, name, type, bytes }) => ({ field, name, type, bytes })),
    mail: row.mail,
    mail2: row.mail_2,
    mailError: row.mailError,
    mail2Error: row.mail2Error,
    spamVerdict: row.spamVerdict ?? '',
    spamScore: row.spamScore ?? 0,
    spamEvidence: JSON.stringify(row.spamEvidence ?? []),
    address: meta('address'),
    userAgent: meta('agent'),
    referrer: meta('referrer'),
    url: meta('url'),
    submittedAt: `${row.createdAt.replace(' ', 'T')}Z`,
  };
}
