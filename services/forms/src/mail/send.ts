/**
 * Sends one mail of a submission. Whoever sends it has it in hand, and notes what the server took before anything else: while he
 * lives it goes out once. Between a server's word and the note lies a crash, after which the same mail goes out again under the
 * same Message-ID. Mailboxes that took it are asked no more, whoever tries next.
 */
import { setTimeout } from 'node:timers/promises';
import { isOutageStatus, toApiError } from '@sevenfold/chassis/errors';
import { type Job, type JobCall, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import { orLater } from '@sevenfold/chassis/queue/or-later';
import type { Deps } from '../deps';
import * as forms from '../forms/store';
import * as submissions from '../submissions/store';
import { readFile } from '../uploads/keep';
import * as uploads from '../uploads/store';
import { compose } from './compose';
import { MailFault } from './fault';
import type { Attachment } from './mime';
import { MAIL_QUEUE, SEND_MAIL, type SendMail } from './queue';
import * as store from './store';
import { type Parts, submittedOf } from './submitted';
import type { Message, SubmittedFile } from './template';
import { type Outcome, recipientsOf } from './transport';

type Call = Omit<JobCall<Deps, SendMail>, 'tx'>;

/** Away for a moment is away for long, mostly; but who is back should not wait. */
const LONGEST_PAUSE_SECONDS = { outage: 300, refused: 1_800 };
/** For the content service. */
const PAUSE_SECONDS = 5;
/** For whoever has the mail in hand. */
const IN_HAND_SECONDS = 15;
/** For the note after it. */
const SPARE_SECONDS = 30;
/** A quarter of a minute. */
const MOST_WRITES = 10;

export const sendMail: Job<Deps> = job<Deps, SendMail, store.Settled | undefined>({
  queue: MAIL_QUEUE,
  name: SEND_MAIL,
  prepare: deliver,
  handle: async ({ tx, payload }, settled) => {
    if (settled) await store.settle(tx, payload.submission, payload.mail, settled);
  },
  failed: ({ tx, payload }, error) =>
    store.settle(tx, payload.submission, payload.mail, givenUp(error.message)),
  // What was promised anew meanwhile has a job of its own: with this one it would go out twice.
  reopen: async ({ tx, payload }) =>
    (await store.unsettle(tx, payload.submission, payload.mail)) ? undefined : SETTLED,
});

const SETTLED = 'This mail was sent since, is on its way, or is gone with its submission: discard the job.';

/** Undefined: there is nothing to send any more. */
async function deliver(call: Call): Promise<store.Settled | undefined> {
  const { deps, payload } = call;
  const submission = await submissions.findAny(deps.db, payload.submission);
  if (submission?.[payload.mail] !== 'queued') return undefined;
  try {
    const message = await messageOf(call, submission);
    if (!message) return undefined;
    // Before it is taken in hand: how long a store of files takes nobody knows, and who has it in hand for too long is not alone with it.
    const attached = await attachmentsOf(deps, message.files).catch((error: unknown) => error as Error);
    const seconds = deps.transport.longestSeconds + SPARE_SECONDS;
    const delivery = await store.claim(deps.db, payload.submission, payload.mail, seconds);
    if (!delivery) throw new TryLater('Somebody else is sending this mail.', IN_HAND_SECONDS);
    const waiting = recipientsOf(message).filter((address) => !delivery.accepted.includes(address));
    const outcome = waiting.length > 0 ? await send(deps, message, attached, waiting) : nothingLeft;
    return await judge(call, outcome, delivery);
  } catch (error) {
    if (error instanceof MailFault) return givenUp(error.message);
    throw error;
  }
}

/** A file store that is away, or a disk that is full, says no more of the mail than a server that is away. */
async function send(
  { transport }: Deps,
  message: Message,
  attached: readonly Attachment[] | Error,
  waiting: readonly string[],
): Promise<Outcome> {
  try {
    if (attached instanceof Error) throw attached;
    return await transport.send(message, attached, waiting);
  } catch (error) {
    if (error instanceof MailFault) throw error;
    const { message: said } = error as Error;
    return { accepted: [], later: waiting, never: [], said, outage: true };
  }
}

const nothingLeft: Outcome = { accepted: [], later: [], never: [], said: '', outage: false };

const givenUp = (error: string): store.Settled => ({ state: 'failed', error, accepted: [], said: '' });

async function messageOf(
  { deps, payload }: Call,
  submission: submissions.SubmissionRow,
): Promise<Message | undefined> {
  const [form, files, settings] = await Promise.all([
    forms.findAny(deps.db, submission.formId),
    uploads.ofSubmissions(deps.db, [submission.id]),
    siteSettings(deps),
  ]);
  if (!form) return undefined;
  const { mail } = payload;
  const template = form[mail];
  return compose(
    template,
    submittedOf({
      submission,
      form,
      parsed: deps.parsed(form),
      uploads: files,
      settings,
      siteUrl: deps.siteUrl,
      mail,
      page: await pageOf(deps, template, submission.meta.container),
    }),
  );
}

const siteSettings = ({ site }: Deps): ReturnType<Deps['site']['settings']> =>
  orLater(PAUSE_SECONDS, () => site.settings());

/** The number comes from whoever sent the form: of what strangers may not read nothing is told. */
const pageOf = async (deps: Deps, template: object, page: unknown): Promise<Parts['page']> =>
  typeof page === 'number' && page > 0 && JSON.stringify(template).includes('[_post_')
    ? orLater(PAUSE_SECONDS, () => deps.site.page(page))
    : undefined;

/** One whose file was removed meanwhile goes without it: what the visitor wrote matters more. */
async function attachmentsOf(deps: Deps, files: readonly SubmittedFile[]): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  for (const file of files) {
    const content = await readFile(deps, file);
    if (content) attachments.push({ filename: file.name, contentType: file.type, content });
  }
  return attachments;
}

async function judge(call: Call, outcome: Outcome, before: store.Delivery): Promise<store.Settled> {
  const { deps, payload } = call;
  const { accepted, later, never, said, outage, cause } = outcome;
  const taken = before.accepted.length + accepted.length > 0;
  const expired = (before.refusedFor ?? 0) > deps.config.MAIL_GIVE_UP_SECONDS;
  const isRefused = later.length > 0 && !expired;
  const tried = { accepted, said, isRefused };
  await untilWritten(call, () => store.noteTried(deps.db, payload.submission, payload.mail, tried));
  if (isRefused) {
    // What was said names mailboxes: it is kept with the submission, and in no log.
    const away = cause === undefined ? 'What mail needs is away.' : `What mail needs is away: ${cause}`;
    throw new TryLater(outage ? away : 'The mail server asks to come again.', pause(deps, outcome, before));
  }
  const refused = [...never, ...later];
  const error = refused.length === 0 ? '' : `${refused.join(', ')}: ${said}`;
  return { state: taken ? 'sent' : 'failed', error, accepted, said };
}

/**
 * Whoever forgot what a server took would send it again: it is kept in hand while the database is away, and for a while whatever
 * else stands in the way of the note.
 */
async function untilWritten({ signal }: Call, write: () => Promise<unknown>): Promise<void> {
  for (let [tries, pause] = [1, 100]; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      await write();
      return;
    } catch (error) {
      const mayGoOn = isOutageStatus(toApiError(error).status) || tries++ < MOST_WRITES;
      if (signal.aborted || !mayGoOn) throw error;
    }
    await setTimeout(pause, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * As long as it has waited so far, which doubles, whatever else was waited for before; with a quarter of jitter so that what
 * failed together does not come back together.
 */
function pause({ config }: Deps, { outage }: Outcome, { refusedFor }: store.Delivery): number {
  const longest = outage ? LONGEST_PAUSE_SECONDS.outage : LONGEST_PAUSE_SECONDS.refused;
  const seconds = Math.min(Math.max(refusedFor ?? 0, config.MAIL_RETRY_SECONDS), longest);
  return seconds * (0.75 + Math.random() * 0.5);
}
