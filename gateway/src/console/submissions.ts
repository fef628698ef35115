/** What visitors sent through forms, for the people who answer it. Rights are judged here and again by the forms service. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '@sevenfold/chassis/actor';
import { toApiError } from '@sevenfold/chassis/errors';
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Call, type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type {
  StreamExportRequest,
  SubmissionFilter,
} from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import { shownSubmission } from '@sevenfold/proto/shown/submission';
import { begun } from './begun';
import type { ConsoleDeps } from './deps';
import { olderThan, perPage } from './paging';
import { changed, deletedSubmission, personalData, submission, submissionPage } from './submission-shapes';

type ConsoleCall<A> = Call<ConsoleDeps, A, undefined>;

const refuseReading = refuseWithout(
  'publish_pages',
  'You may not read submissions.',
  'Log in to read submissions.',
);
const refuseErasing = refuseWithout(
  'manage_options',
  'You may not erase personal data.',
  'Log in to erase personal data.',
);

// Searches read much, and an erasure takes its time.
const DEADLINE_MS = 20_000;
/** Rights are judged before it begins, and are not what they were for as long as somebody reads. */
export const LONGEST_EXPORT_MS = 3_600_000;
/** Without a piece between them. */
const MOST_CUTS = 5;
const PAUSE_MS = 500;

const filterArgs = {
  search: { type: 'string', default: '', maxLength: 500, description: 'Words in any field, all of them.' },
  form: { type: 'integer', default: 0, minimum: 0, description: 'Only of this form.' },
  status: { type: 'string', enum: ['inbox', 'spam', 'trash'], description: 'Only in this folder.' },
  after: { type: 'string', default: '', description: 'From this day or moment on, ISO 8601.' },
  before: { type: 'string', default: '', description: 'Up to this day or moment, without it.' },
  email: { type: 'string', default: '', description: 'Only with this mail address in a field.' },
} as const satisfies ArgTable;

interface FilterArgs {
  readonly search: string;
  readonly form: number;
  readonly status?: string;
  readonly after: string;
  readonly before: string;
  readonly email: string;
}

const filterOf = ({ form, status = '', ...others }: FilterArgs): SubmissionFilter => ({
  search: others.search,
  formId: form,
  status,
  after: others.after,
  before: others.before,
  email: others.email,
});

const idArg = {
  id: { type: 'integer', required: true, minimum: 1, description: 'Number of the submission.' },
} as const satisfies ArgTable;
const emailArg = {
  email: { type: 'string', required: true, format: 'email', description: 'Whose data it is.' },
} as const satisfies ArgTable;

const ITEM = '/submissions/(?P<id>[\\d]+)';

const asked = (actor: Actor): CallOptions => ({ actor, deadlineMs: DEADLINE_MS });

export const submissions: Resource<ConsoleDeps> = {
  name: 'submissions',
  description: 'What visitors sent through contact forms, for the people who answer it.',
  routes: [
    route({
      methods: ['GET'],
      path: '/submissions',
      summary: 'List submissions, the newest first',
      description: 'By words, form, folder, day or mail address; what meets all of them.',
      answers: { body: submissionPage },
      args: {
        ...filterArgs,
        older_than: olderThan,
        per_page: perPage('Submissions'),
      },
      permission: refuseReading,
      handle: async ({
        deps,
        args,
        actor,
      }: ConsoleCall<FilterArgs & { older_than: number; per_page: number }>) => {
        const { submissions: rows, next } = await deps.submissions.listSubmissions(
          { filter: filterOf(args), before: args.older_than, perPage: args.per_page },
          asked(actor),
        );
        return reply.plain({ submissions: rows.map(shownSubmission), next: next === 0 ? null : next });
      },
    }),
    route({
      methods: ['GET'],
      path: '/submissions/export',
      summary: 'All submissions that a filter finds, as a file',
      description:
        'Begins at once and is as long as it is: a column for each field of any form in CSV, an object on each line otherwise.',
      answers: { file: ['text/csv', 'application/x-ndjson'] },
      args: {
        ...filterArgs,
        format: { type: 'string', default: 'csv', enum: ['csv', 'jsonl'], description: 'Kind of the file.' },
        bom: {
          type: 'boolean',
          default: false,
          description: 'Begin CSV with a byte order mark, for programs that need one.',
        },
      },
      permission: refuseReading,
      handle: async ({
        deps,
        args,
        actor,
        request,
      }: ConsoleCall<FilterArgs & { format: 'csv' | 'jsonl'; bom: boolean }>) => {
        // Of a file that was cut nobody can go on with the rest: a gateway that stops waits for it as for any answer.
        const over = request.signal();
        const wanted = { filter: filterOf(args), format: args.format, byteOrderMark: args.bom };
        // What goes on after the answer has begun does not know by itself for which request.
        const options = { actor, requestId: request.id, signal: over, deadlineMs: LONGEST_EXPORT_MS };
        const pieces = await begun(exportPieces(deps, wanted, options));
        const type = args.format === 'csv' ? 'text/csv; charset=UTF-8' : 'application/x-ndjson';
        const { headers, ...stream } = reply.stream(pieces, type);
        const disposition = `attachment; filename="submissions.${args.format}"`;
        return { ...stream, headers: { ...headers, 'Content-Disposition': disposition } };
      },
    }),
    route({
      methods: ['POST'],
      path: '/submissions/mark',
      summary: 'Move submissions to a folder; the spam filter learns from it',
      description:
        'What is moved into the spam folder, or out of it, teaches the spam filter. Submissions that are not there are passed over.',
      answers: { body: changed },
      args: {
        ids: {
          type: 'array',
          items: { type: 'integer', minimum: 1 },
          required: true,
          maxItems: 1_000,
          description: 'Their numbers.',
        },
        status: {
          type: 'string',
          required: true,
          enum: ['inbox', 'spam', 'trash'],
          description: 'The folder.',
        },
      },
      permission: refuseReading,
      handle: async ({ deps, args, actor }: ConsoleCall<{ ids: readonly number[]; status: string }>) => {
        const wanted = { ids: [...args.ids], status: args.status };
        const { ids } = await deps.submissions.markSubmissions(wanted, asked(actor));
        return reply.plain({ changed: ids });
      },
    }),
    route({
      methods: ['GET'],
      path: ITEM,
      summary: 'Read a submission',
      description: 'What was filled in, what became of its mails, and what the spam filter says.',
      answers: { body: submission },
      args: idArg,
      permission: refuseReading,
      handle: async ({ deps, args, actor }: ConsoleCall<{ id: number }>) =>
        reply.plain(shownSubmission(await deps.submissions.getSubmission(args, asked(actor)))),
    }),
    route({
      methods: ['DELETE'],
      path: ITEM,
      summary: 'Delete a submission for good, with its files',
      description: 'There is no way back: what is to be kept for a while is moved to the trash instead.',
      answers: { body: deletedSubmission },
      args: idArg,
      permission: refuseReading,
      handle: async ({ deps, args, actor }: ConsoleCall<{ id: number }>) => {
        const was = await deps.submissions.getSubmission(args, asked(actor));
        const { ids } = await deps.submissions.deleteSubmissions({ ids: [args.id] }, asked(actor));
        // Somebody was faster: there is none any more.
        if (ids.length === 0) await deps.submissions.getSubmission(args, asked(actor));
        return reply.plain({ deleted: true, previous: shownSubmission(was) });
      },
    }),
    route({
      methods: ['POST'],
      path: `${ITEM}/resend`,
      summary: 'Send the mails of a submission once more',
      description:
        'What failed, or all of it where all was sent; it is made anew from the form as it is now.',
      answers: { body: submission },
      args: idArg,
      permission: refuseReading,
      handle: async ({ deps, args, actor }: ConsoleCall<{ id: number }>) =>
        reply.plain(shownSubmission(await deps.submissions.resendMail(args, asked(actor)))),
    }),
    route({
      methods: ['GET'],
      path: '/personal-data',
      summary: 'How much came with a mail address through forms',
      description:
        'In any field, wherever it lies: submissions, their files, and mails in the local mailbox.',
      answers: { body: personalData },
      args: emailArg,
      permission: refuseErasing,
      handle: async ({ deps, args, actor }: ConsoleCall<{ email: string }>) =>
        reply.plain(await deps.submissions.findPersonalData(args, asked(actor))),
    }),
    route({
      methods: ['POST'],
      path: '/personal-data/erase',
      summary: 'Erase all that came with a mail address through forms; that it was erased is kept',
      description: 'Whoever asks for it has a right to it by law. It answers how much there was.',
      answers: { body: personalData },
      args: emailArg,
      permission: refuseErasing,
      handle: async ({ deps, args, actor }: ConsoleCall<{ email: string }>) =>
        reply.plain(await deps.submissions.erasePersonalData(args, asked(actor))),
    }),
  ],
};

/** The whole text, going on from the last whole piece where the connection ends, as connections do after a while. */
async function* exportPieces(
  { submissions: remote }: ConsoleDeps,
  wanted: Omit<StreamExportRequest, 'cursor'>,
  options: CallOptions & { readonly signal: AbortSignal },
): AsyncGenerator<string> {
  let cursor = '';
  for (let cuts = 0; ;) {
    let text = '';
    try {
      for await (const piece of remote.streamExport({ ...wanted, cursor }, options)) {
        text += piece.text;
        if (piece.cursor === '') continue;
        const whole = text;
        text = '';
        cursor = piece.cursor;
        cuts = 0;
        yield whole;
      }
      return;
    } catch (error) {
      cuts += 1;
      if (toApiError(error).status < 500 || cuts > MOST_CUTS || options.signal.aborted) throw error;
      await sleep(PAUSE_MS, undefined, { signal: options.signal });
    }
  }
}
