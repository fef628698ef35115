/** Promises of mail. Whoever settles a submission marks its mails queued and promises a job for each, in one transaction. */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { MailName } from '../forms/properties';

export const MAIL_QUEUE = 'forms.mail';
export const SEND_MAIL = 'send-mail';
/** Hears the number of a submission when one of its mails is sent or given up. */
export const MAIL_CHANNEL = 'forms_mail';
/** Outages and refusals for now do not count: what fails five times is a fault that waiting does not mend. */
export const MOST_TRIES = 5;

export interface SendMail {
  readonly submission: number;
  readonly mail: MailName;
}

export async function promiseMail(tx: Db, submission: number, mails: readonly MailName[]): Promise<void> {
  for (const mail of mails) {
    await tx.run(`update submissions set ${mail} = 'queued', ${mail}_error = '' where id = $1`, [submission]);
    const payload: SendMail = { submission, mail };
    await enqueue(tx, MAIL_QUEUE, SEND_MAIL, payload, { maxAttempts: MOST_TRIES });
  }
}
