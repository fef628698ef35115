/** Promises of mail. Whoever settles a submission marks its mails queued and promises a job for each, in one transaction. */
import { enqueueAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { closeFailed } from '@sevenfold/chassis/queue/failed-jobs';
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

export const promiseMail = (tx: Db, submission: number, mails: readonly MailName[]): Promise<void> =>
  promiseMails(
    tx,
    mails.map((mail) => ({ submission, mail })),
  );

/** Of any number of submissions, in a few statements. */
export async function promiseMails(tx: Db, promises: readonly SendMail[]): Promise<void> {
  for (const name of ['mail', 'mail_2'] as const) {
    const ids = promises.flatMap(({ submission, mail }) => (mail === name ? [submission] : []));
    if (ids.length > 0)
      await tx.run(`update submissions set ${name} = 'queued', ${name}_error = '' where id = any($1)`, [ids]);
  }
  await enqueueAll(tx, MAIL_QUEUE, SEND_MAIL, promises, { maxAttempts: MOST_TRIES });
}

/** In the place of jobs that failed, which nobody has to look at any more. */
export async function promiseMailAgain(
  tx: Db,
  submission: number,
  mails: readonly MailName[],
): Promise<void> {
  for (const mail of mails)
    await closeFailed(tx, MAIL_QUEUE, SEND_MAIL, { submission, mail } satisfies SendMail);
  await promiseMail(tx, submission, mails);
}
