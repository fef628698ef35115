/** What the command line does with submissions and the local mailbox, on the database itself; printing is the caller's business. */
import type { SubmissionFilter } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import type { Deps } from './deps';
import * as mailbox from './mail/mailbox';
import { mailboxFolder } from './mail/open';
import * as actions from './submissions/actions';
import { type ExportOptions, exportSubmissions } from './submissions/export';
import { filterOf } from './submissions/filter';
import * as personal from './submissions/personal-data';
import { shownSubmission } from '@sevenfold/proto/shown/submission';
import { getSubmission, listPage } from './submissions/rpc';

type CommandDeps = Pick<Deps, 'db' | 'config'>;
type Submissions = Awaited<ReturnType<typeof listPage>>['submissions'];

/** As many as are asked for, on as many pages as it takes. */
export async function listSubmissions(
  deps: CommandDeps,
  filter: Partial<SubmissionFilter>,
  most: number,
): Promise<Submissions> {
  const found: Submissions = [];
  for (let before = 0; found.length < most;) {
    const page = await listPage(deps, filterOf(filter, deps.config.SITE_TIMEZONE), {
      before,
      perPage: most - found.length,
    });
    found.push(...page.submissions);
    if (page.next === 0) break;
    before = page.next;
  }
  return found;
}

/** In the words of the console. */
export const showSubmission = async (deps: CommandDeps, id: number): Promise<object> =>
  shownSubmission(await getSubmission(deps, id));

export async function* exportText(
  { db, config }: CommandDeps,
  filter: Partial<SubmissionFilter>,
  options: ExportOptions,
): AsyncGenerator<string> {
  const wanted = filterOf(filter, config.SITE_TIMEZONE);
  for await (const { text } of exportSubmissions(db, wanted, options)) yield text;
}

export const { mark, remove, resend } = actions;

const OPERATOR = { id: 0, username: '' };
export const erase = (deps: CommandDeps, email: string): Promise<personal.PersonalData> =>
  personal.erase(deps, email, OPERATOR);
export const findData = personal.findData;

export const listMails = ({ config }: CommandDeps): Promise<mailbox.MailboxEntry[]> =>
  mailbox.list(mailboxFolder(config));

export const readMail = ({ config }: CommandDeps, id: string): Promise<Buffer | undefined> =>
  mailbox.read(mailboxFolder(config), id);

/** Answers how many there were. */
export async function clearMails(deps: CommandDeps): Promise<number> {
  const entries = await listMails(deps);
  await mailbox.remove(
    mailboxFolder(deps.config),
    entries.map(({ id }) => id),
  );
  return entries.length;
}
