/** Commands about what visitors sent through forms, and about the local mailbox. */
import { once } from 'node:events';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  clearMails,
  erase,
  exportText,
  findData,
  listMails,
  listSubmissions,
  mark,
  readMail,
  remove,
  resend,
  showSubmission,
} from '@sevenfold/forms/commands';
import { stripControl } from '@sevenfold/text/text';
import { writeWhole } from '../half-files';
import { type ListOptions, formats, listing, printJson, printList, tableOf, wholeNumber } from './output';
import { exitOnSignals } from './signals';
import { withForms } from './sites';

interface FilterOptions {
  search?: string;
  form?: number;
  status?: string;
  after?: string;
  before?: string;
  email?: string;
}

const filterOf = ({ form = 0, ...others }: FilterOptions): object => ({ ...others, formId: form });

/** An empty one would be none, and what is shown all there is: a script whose variable is not set gives away everybody's. */
function filled(text: string): string {
  if (stripControl(text).trim() === '') throw new InvalidArgumentError('must not be empty.');
  return text;
}

const filtered = (command: Command): Command =>
  command
    .option('--search <words>', 'words in any field, all of them', filled)
    .option('--form <id>', 'only of this form', wholeNumber)
    .addOption(new Option('--status <folder>', 'only in this folder').choices(['inbox', 'spam', 'trash']))
    .option('--after <day>', 'from this day or moment on, such as 2030-01-31', filled)
    .option('--before <day>', 'up to this day or moment, without it', filled)
    .option('--email <address>', 'only with this mail address in a field', filled);

type ExportFormat = (typeof formats)[number] | 'jsonl';
type Submitted = Parameters<typeof exportText>;

/** Page by page, however many there are: a table has the widths of its page. */
async function* exported(
  deps: Submitted[0],
  filter: Submitted[1],
  format: ExportFormat,
  byteOrderMark?: boolean,
): AsyncGenerator<string> {
  if (format === 'csv' || format === 'jsonl') {
    yield* exportText(deps, filter, { format, byteOrderMark });
    return;
  }
  let before = format === 'json' ? '[\n' : '';
  for await (const text of exportText(deps, filter, { format: 'jsonl' })) {
    const lines = text.split('\n').filter((line) => line !== '');
    if (lines.length === 0) continue;
    const rows = (): Record<string, unknown>[] =>
      lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    yield before + (format === 'json' ? lines.join(',\n') : `${tableOf(rows())}\n`);
    before = format === 'json' ? ',\n' : '\n';
  }
  if (format === 'json') yield before === '[\n' ? '[]\n' : '\n]\n';
  else if (before === '') yield 'none\n';
}

export function addSubmissionCommands(submissions: Command): void {
  filtered(listing(submissions.command('list').description('list submissions, the newest first')))
    .option('--most <n>', 'how many, 100 at most', wholeNumber, 20)
    .action(({ most, format, ...filter }: FilterOptions & ListOptions & { most: number }) =>
      withForms(async (deps) =>
        printList(await listSubmissions(deps, filterOf(filter), most), { format }, (row) => ({
          id: row.id,
          form: row.formTitle,
          status: row.status,
          submitted_at: row.submittedAt.slice(0, 19),
          mail: row.mail,
          mail_2: row.mail2,
          verdict: row.spamVerdict,
          text: row.fields
            .flatMap(({ values }) => values)
            .join(' ')
            .replace(/\s+/g, ' ')
            .slice(0, 60),
        })),
      ),
    );
  submissions
    .command('show <id>')
    .description('show a submission, as JSON')
    .action((id: string) =>
      withForms(async (deps) => printJson(await showSubmission(deps, wholeNumber(id)))),
    );
  filtered(submissions.command('export').description('write all submissions, as CSV unless told otherwise'))
    .addOption(new Option('--format <kind>', 'how to write').choices([...formats, 'jsonl']).default('csv'))
    .option('--bom', 'begin CSV with a byte order mark, for programs that need one')
    .option('--out <file>', 'where to; the standard output without it')
    .action(
      ({
        format,
        bom,
        out,
        ...filter
      }: FilterOptions & { format: ExportFormat; bom?: boolean; out?: string }) =>
        withForms(async (deps) => {
          const pieces = exported(deps, filterOf(filter), format, bom);
          if (out !== undefined) {
            exitOnSignals();
            return writeWhole(out, pieces);
          }
          for await (const text of pieces)
            if (!process.stdout.write(text)) await once(process.stdout, 'drain');
        }),
    );
  submissions
    .command('mark <folder> <id...>')
    .description('move submissions to inbox, spam or trash; the spam filter learns from it')
    .action((folder: string, ids: string[]) =>
      withForms(async (deps) => {
        const changed = await mark(deps, ids.map(wholeNumber), folder);
        console.log(`moved: ${changed.join(', ') || 'none'}`);
      }),
    );
  submissions
    .command('delete <id...>')
    .description('delete submissions for good, with their files')
    .action((ids: string[]) =>
      withForms(async (deps) => {
        const gone = await remove(deps, ids.map(wholeNumber));
        console.log(`deleted: ${gone.join(', ') || 'none'}`);
      }),
    );
  submissions
    .command('resend <id>')
    .description('send the mails of a submission once more')
    .action((id: string) => withForms((deps) => resend(deps, wholeNumber(id))));
  submissions
    .command('erase <email>')
    .description('erase all that came with a mail address; that it was erased is kept, without the address')
    .option('--dry-run', 'only count')
    .action((email: string, { dryRun }: { dryRun?: boolean }) =>
      withForms(async (deps) => printJson(await (dryRun ? findData(deps, email) : erase(deps, email)))),
    );
}

export function addMailboxCommands(mailbox: Command): void {
  listing(mailbox.command('list').description('list the mails, the newest first')).action(
    (options: ListOptions) =>
      withForms(async (deps) =>
        printList(
          (await listMails(deps)).map(({ id, bytes }) => ({ id, bytes })),
          options,
        ),
      ),
  );
  mailbox
    .command('show <id>')
    .description('show a mail as it would have gone out')
    .action((id: string) =>
      withForms(async (deps) => {
        const mail = await readMail(deps, id);
        if (!mail) throw new Error(`There is no mail ${id}.`);
        // Encoded as mail is, and without what would steer a terminal.
        console.log(mail.toString('utf8').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ''));
      }),
    );
  mailbox
    .command('clear')
    .description('remove all mails')
    .action(() => withForms(async (deps) => console.log(`removed: ${await clearMails(deps)}`)));
}
