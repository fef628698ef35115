/**
 * Everything that came with somebody's mail address: submissions in any state, their files, mail in the local mailbox, and
 * what the spam filter remembers of them. It is removed in parts that each leave their trace, so that an erasure that was cut short can be taken up again.
 */
import { createHmac } from 'node:crypto';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { isEmail } from '@sevenfold/chassis/http/coerce';
import { secretsOf } from '@sevenfold/chassis/secrets';
import type { Deps } from '../deps';
import * as mailbox from '../mail/mailbox';
import { mailboxFolder } from '../mail/open';
import { wordsOf } from '../mail/words';
import { MOST_TRIES, SUBMISSIONS_QUEUE } from './actions';
import * as store from './store';

type Given = Pick<Deps, 'db' | 'config'>;

const PART = 500;
export const FORGET_MAIL = 'forget-mail';
export const FORGET_VERDICTS = 'forget-verdicts';
/** Longer than a mail that is on its way stays there. */
const ON_ITS_WAY_SECONDS = 15 * 60;

export interface PersonalData {
  readonly submissions: number;
  readonly files: number;
  readonly mails: number;
}

/** Who asks; 0 and nothing on the command line. */
export interface Eraser {
  readonly id: number;
  readonly username: string;
}

function addressOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (!isEmail(email)) throw invalidParam('email', 'email is a mail address.', 'rest_invalid_email');
  return email;
}

export async function findData({ db, config }: Given, email: string): Promise<PersonalData> {
  const address = addressOf(email);
  const counts = (await db.first<{ submissions: number; files: number; ids: number[] | null }>(
    `select count(*)::int as submissions, array_agg(s.id) as ids,
            (select count(*)::int from uploads u join submissions o on o.id = u.submission_id
              where o.emails @> $1) as files
     from submissions s where s.emails @> $1`,
    [[address]],
  )) as { submissions: number; files: number; ids: number[] | null };
  const mails = await mailsOf(config, counts.ids ?? []);
  const left = await mailsLeft({ db, config }, address);
  return {
    submissions: counts.submissions,
    files: counts.files,
    mails: mails.length + left.length,
  };
}

export async function erase({ db, config }: Given, email: string, by: Eraser): Promise<PersonalData> {
  const address = addressOf(email);
  let erased: PersonalData = { submissions: 0, files: 0, mails: 0 };
  const { id } = (await db.first<{ id: number }>(
    `insert into erasures (email_hash, submissions, uploads, mails, user_id, user_name)
     values ($1, 0, 0, 0, $2, $3) returning id`,
    [hashOf(config, address), by.id, by.username],
  )) as { id: number };
  const noteMails = (mails: number): Promise<number> =>
    db.run('update erasures set mails = mails + $2 where id = $1', [id, mails]);
  for (;;) {
    const part = await db.transaction((tx) => erasePart(tx, address, id));
    if (part.ids.length === 0) break;
    const mails = await forgetMail(config, part.ids);
    await noteMails(mails);
    erased = {
      submissions: erased.submissions + part.ids.length,
      files: erased.files + part.files,
      mails: erased.mails + mails,
    };
  }
  const left = await mailsLeft({ db, config }, address);
  await mailbox.remove(mailboxFolder(config), left);
  await noteMails(left.length);
  return { ...erased, mails: erased.mails + left.length };
}

/** Noted with what goes: nobody could tell later what one that is cut short had erased. */
async function erasePart(
  tx: Db,
  address: string,
  erasure: number,
): Promise<{ ids: number[]; files: number }> {
  const ids = await store.lockOfEmail(tx, address, PART);
  if (ids.length === 0) return { ids, files: 0 };
  const { files } = (await tx.first<{ files: number }>(
    'select count(*)::int as files from uploads where submission_id = any($1)',
    [ids],
  )) as { files: number };
  await store.removeAny(tx, ids);
  await tx.run('update erasures set submissions = submissions + $2, uploads = uploads + $3 where id = $1', [
    erasure,
    ids.length,
    files,
  ]);
  const submissions = { submissions: ids };
  await enqueue(tx, SUBMISSIONS_QUEUE, FORGET_VERDICTS, submissions, { maxAttempts: MOST_TRIES });
  // One that was being judged or sent meanwhile may be noted after that, and land in the mailbox after it was looked through.
  const late = { maxAttempts: MOST_TRIES, inSeconds: ON_ITS_WAY_SECONDS };
  await enqueue(tx, SUBMISSIONS_QUEUE, FORGET_VERDICTS, submissions, late);
  await enqueue(tx, SUBMISSIONS_QUEUE, FORGET_MAIL, submissions, late);
  return { ids, files };
}

/** Removes mail of submissions from the local mailbox; answers how many there were. */
export async function forgetMail(config: Deps['config'], ids: readonly number[]): Promise<number> {
  const found = await mailsOf(config, ids);
  await mailbox.remove(mailboxFolder(config), found);
  return found.length;
}

async function mailsOf(config: Deps['config'], ids: readonly number[]): Promise<string[]> {
  const wanted = new Set(ids);
  return (await mailbox.list(mailboxFolder(config)))
    .map(({ id }) => id)
    .filter((id) => wanted.has(submissionOf(id)));
}

const submissionOf = (mail: string): number => Number(/-form-\d+\.(\d+)\./.exec(mail)?.[1] ?? 0);

/**
 * Mail with the address in it whose submission was deleted, was kept long enough, or was not to be stored: nothing but the mail
 * tells by now whose it is.
 */
async function mailsLeft({ db, config }: Given, address: string): Promise<string[]> {
  const folder = mailboxFolder(config);
  const mails = (await mailbox.list(folder)).map(({ id }) => id);
  const there = new Set(await store.withText(db, mails.map(submissionOf)));
  const found: string[] = [];
  for (const id of mails) {
    if (there.has(submissionOf(id))) continue;
    const words = wordsOf((await mailbox.read(folder, id)) ?? Buffer.of());
    // As a part of a longer one it is somebody else's.
    if (words.toLowerCase().includes(address) && (await store.isEmailIn(db, address, words))) found.push(id);
  }
  return found;
}

/** Tells the same address again to who holds the key, and nothing to anybody else. Of several secrets the first one counts. */
const hashOf = ({ ACTOR_SECRET: secrets }: Deps['config'], address: string): Buffer =>
  createHmac('sha256', secretsOf(secrets)[0] as string)
    .update(`erased ${address}`)
    .digest();
