/** Submissions for the console (SubmissionService). */
import { invalidParam } from '@sevenfold/chassis/errors';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import {
  type ExportPiece,
  type Submission,
  SubmissionServiceService,
  type SubmissionServiceServer,
} from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import { shorten } from '@sevenfold/text/text';
import type { Deps } from '../deps';
import { errors } from '../errors';
import * as uploads from '../uploads/store';
import * as actions from './actions';
import { type Piece, exportSubmissions } from './export';
import { filterOf, zoneOf } from './filter';
import * as personal from './personal-data';
import { refuseErasing, refuseReading } from './policy';
import { present } from './presenter';
import * as store from './store';

const MOST_PER_PAGE = 100;
/** What is longer goes on the next page: far below what a message may hold. */
const PAGE_BYTES = 4_000_000;
const reading = { callers: ['gateway'], permission: refuseReading } as const;
const erasing = { callers: ['gateway'], permission: refuseErasing } as const;

export const submissionsRpc = (deps: Deps): RpcService =>
  rpcService<SubmissionServiceServer>(SubmissionServiceService, {
    listSubmissions: {
      ...reading,
      handle: async ({ filter, before, perPage }) =>
        listPage(deps, filterOf(filter, await zoneOf(deps, filter)), { before, perPage }),
    },
    getSubmission: {
      ...reading,
      callers: ['content', 'gateway'],
      handle: ({ id }) => getSubmission(deps, id),
    },
    markSubmissions: {
      ...reading,
      handle: async ({ ids, status }) => ({ ids: await actions.mark(deps, ids, status) }),
    },
    deleteSubmissions: {
      ...reading,
      handle: async ({ ids }) => ({ ids: await actions.remove(deps, ids) }),
    },
    resendMail: {
      ...reading,
      handle: async ({ id }) => {
        await actions.resend(deps, id);
        return getSubmission(deps, id);
      },
    },
    streamExport: {
      ...reading,
      handle: async function* ({ filter, format, byteOrderMark, cursor }) {
        if (format !== 'csv' && format !== 'jsonl') throw invalidParam('format', 'format is csv or jsonl.');
        const options = { format, byteOrderMark, cursor } as const;
        const wanted = filterOf(filter, await zoneOf(deps, filter));
        for await (const piece of exportSubmissions(deps.db, wanted, options)) yield* parts(piece);
      },
    },
    findPersonalData: { ...erasing, handle: ({ email }) => personal.findData(deps, email) },
    erasePersonalData: { ...erasing, handle: ({ email }, { actor }) => personal.erase(deps, email, actor) },
  });

// Far below what a message may hold, also when every character takes four bytes.
const MOST_IN_MESSAGE = 256 * 1024;

function* parts({ text, cursor }: Piece): Generator<ExportPiece> {
  let at = 0;
  while (text.length - at > MOST_IN_MESSAGE) {
    const part = shorten(text.slice(at, at + MOST_IN_MESSAGE + 1), MOST_IN_MESSAGE);
    yield { text: part, cursor: '' };
    at += part.length;
  }
  yield { text: text.slice(at), cursor };
}

export async function listPage(
  deps: Pick<Deps, 'db'>,
  filter: store.Filter,
  { before = 0, perPage = 0 }: { before?: number; perPage?: number },
): Promise<{ submissions: Submission[]; next: number }> {
  const limit = perPage > 0 ? Math.min(perPage, MOST_PER_PAGE) : 20;
  const { rows, more } = await store.list(deps.db, filter, { below: before, limit, bytes: PAGE_BYTES });
  const files = await uploads.ofSubmissions(
    deps.db,
    rows.map(({ id }) => id),
  );
  return {
    submissions: rows.map((row) => present(row, files)),
    next: more ? (rows.at(-1) as store.SubmissionRow).id : 0,
  };
}

export async function getSubmission(deps: Pick<Deps, 'db'>, id: number): Promise<Submission> {
  const row = await store.find(deps.db, id);
  if (!row) throw errors.submissionNotFound();
  return present(row, await uploads.ofSubmissions(deps.db, [id]));
}
