/** How far the mails of a submission are. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { MailName } from '../forms/properties';
import { MAIL_CHANNEL } from './queue';

export interface Delivery {
  /** Mailboxes that a server has taken it for already. */
  readonly accepted: readonly string[];
  /** Seconds since a server first said: later. */
  readonly refusedFor: number | null;
}

/**
 * Takes a mail that is still to be sent in hand, for so many seconds at most; undefined where it is in other hands, or not to be
 * sent any more. What a server has taken already is told by the same statement: nobody sends it between the two.
 */
export const claim = (
  db: Db,
  submission: number,
  mail: MailName,
  seconds: number,
): Promise<Delivery | undefined> =>
  db.first<Delivery>(
    `insert into deliveries (submission_id, mail, sending_until)
     select id, $2, now() + make_interval(secs => $3) from submissions where id = $1 and ${mail} = 'queued' for share
     on conflict (submission_id, mail) do update set sending_until = excluded.sending_until
       where coalesce(deliveries.sending_until <= now(), true)
     returning accepted, extract(epoch from now() - refused_since)::double precision as "refusedFor"`,
    [submission, mail, seconds],
  );

export interface Tried {
  /** Mailboxes that a server took it for. */
  readonly accepted: readonly string[];
  readonly said: string;
  /** It asks to come again for others. */
  readonly isRefused: boolean;
}

/** What came of a try, which ends the claim. Erased submissions are left alone. */
export const noteTried = (
  db: Db,
  submission: number,
  mail: MailName,
  { accepted, said, isRefused }: Tried,
): Promise<number> =>
  db.run(
    `insert into deliveries (submission_id, mail, accepted, refused_since, said)
     select id, $2, $3, case when $5 then now() end, $4 from submissions where id = $1 for key share
     on conflict (submission_id, mail) do update set
       accepted = array(select distinct unnest(deliveries.accepted || excluded.accepted)),
       refused_since = coalesce(deliveries.refused_since, excluded.refused_since),
       said = excluded.said, sending_until = null`,
    [submission, mail, accepted, said, isRefused],
  );

export interface Settled {
  readonly state: 'sent' | 'failed';
  /** Why it was given up, or for whom. */
  readonly error: string;
  readonly accepted: readonly string[];
  readonly said: string;
}

/** The end of a mail; the first one counts. */
export async function settle(tx: Db, submission: number, mail: MailName, settled: Settled): Promise<void> {
  const { state, error, accepted, said } = settled;
  const changed = await tx.run(
    `update submissions set ${mail} = $2, ${mail}_error = $3 where id = $1 and ${mail} = 'queued'`,
    [submission, state, error],
  );
  if (changed === 0) return;
  await tx.run(
    `insert into deliveries (submission_id, mail, accepted, said, sent_at)
     values ($1, $2, $3, $4, case when $5 = 'sent' then now() end)
     on conflict (submission_id, mail) do update set
       accepted = array(select distinct unnest(deliveries.accepted || excluded.accepted)),
       said = excluded.said, sent_at = excluded.sent_at`,
    [submission, mail, accepted, said, state],
  );
  await forgetPassing(tx, submission);
  await tx.run(`select pg_notify('${MAIL_CHANNEL}', $1)`, [String(submission)]);
}

/** A mail that was given up waits again, for whom no server has taken it yet; false where it is no such mail. */
export async function unsettle(tx: Db, submission: number, mail: MailName): Promise<boolean> {
  const changed = await tx.run(
    `update submissions set ${mail} = 'queued', ${mail}_error = '' where id = $1 and ${mail} = 'failed'`,
    [submission],
  );
  if (changed > 0)
    await tx.run('update deliveries set refused_since = null where submission_id = $1 and mail = $2', [
      submission,
      mail,
    ]);
  return changed > 0;
}

/**
 * What was not to be stored is emptied when its mails have gone, and so is what servers and the filter said of it; that it came
 * stays known for as long as its receipt. The filter's word on it is not waited for any more. One that could not be sent can
 * still be sent again.
 */
async function forgetPassing(tx: Db, submission: number): Promise<void> {
  const emptied = await tx.run(
    `update submissions set values = '{}', meta = '{}', mail_error = '', mail_2_error = '', spam_evidence = '[]',
            spam_unchecked = false
     where id = $1 and not keep and mail in ('none', 'sent') and mail_2 in ('none', 'sent')`,
    [submission],
  );
  if (emptied === 0) return;
  await tx.run('delete from deliveries where submission_id = $1', [submission]);
  await tx.run('delete from uploads where submission_id = $1', [submission]);
}
