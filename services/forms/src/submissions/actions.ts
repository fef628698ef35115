/** Changes of submissions: what the remote calls and the command line have in common. */
import { emitAll, enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { CREATED } from '../feedback/store';
import type { MailName } from '../forms/properties';
import * as forms from '../forms/store';
import type { FormRow } from '../forms/store';
import { mailsOf } from '../mail/mails-of';
import { promiseMailAgain, promiseMails } from '../mail/queue';
import { FOLDERS, isFolder } from './presenter';
import * as store from './store';

type Given = Pick<Deps, 'db' | 'config'>;

const MOST_AT_ONCE = 1_000;
export const SUBMISSIONS_QUEUE = 'forms.submissions';
export const TEACH_FILTER = 'teach-filter';
/** The filter may be away for long, which is no try. */
export const MOST_TRIES = 5;

export interface Lesson {
  readonly submission: number;
  readonly decision: 'ham' | 'spam';
  readonly revision: number;
}

const few = (ids: readonly number[]): readonly number[] => {
  if (ids.length > MOST_AT_ONCE) throw invalidParam('ids', `ids are ${MOST_AT_ONCE} at most.`);
  return ids;
};

/** Answers the numbers of those that were elsewhere. */
export function mark({ db, config }: Given, ids: readonly number[], folder: string): Promise<number[]> {
  if (!isFolder(folder)) throw invalidParam('status', 'status is one of inbox, spam, trash.');
  const status = FOLDERS[folder];
  return db.transaction(async (tx) => {
    const rows = (await store.lock(tx, few(ids))).filter((row) => row.status !== status);
    const moves = rows.map((row) => moveOf(row, status));
    await store.move(
      tx,
      moves.map(({ move }) => move),
      config.SPAM_DAYS,
    );
    for (const { lesson } of moves)
      if (lesson) await enqueue(tx, SUBMISSIONS_QUEUE, TEACH_FILTER, lesson, { maxAttempts: MOST_TRIES });
    if (status === 'received') await welcome(tx, rows.filter(isNew));
    return moves.map(({ move }) => move.id);
  });
}

/** Until somebody has decided that it is no spam, which he does by moving it into the inbox: decisions are counted. */
const isNew = ({ isHeldBack, spamRevision }: store.Movable): boolean => isHeldBack && spamRevision === 0;

/** Mailed and announced as it would have been when it came. A form that was deleted since sends nothing that it has not promised. */
async function welcome(tx: Db, rows: readonly store.Movable[]): Promise<void> {
  const known = new Map<number, FormRow | undefined>();
  for (const { formId } of rows) if (!known.has(formId)) known.set(formId, await forms.findById(tx, formId));
  const mailsOfForm = (id: number): MailName[] => {
    const form = known.get(id);
    return form ? mailsOf(form) : [];
  };
  await promiseMails(
    tx,
    rows.flatMap(({ id, formId }) => mailsOfForm(formId).map((mail) => ({ submission: id, mail }))),
  );
  await emitAll(
    tx,
    CREATED,
    rows.map(({ id, formId }) => ({ id, form: formId })),
  );
}

/** The filter hears of what is news to it: a decision other than its own word, or than the one before. */
function moveOf(row: store.Movable, status: store.Status): { move: store.Move; lesson?: Lesson } {
  const judged =
    row.decision ?? (row.spamVerdict === null ? null : row.spamVerdict === 'ham' ? 'ham' : 'spam');
  const decision = status === 'spam' ? 'spam' : status === 'received' && judged === 'spam' ? 'ham' : null;
  if (decision === null || decision === judged)
    return { move: { id: row.id, status, decision: row.decision, revision: row.spamRevision } };
  const revision = row.spamRevision + 1;
  return {
    move: { id: row.id, status, decision, revision },
    lesson: { submission: row.id, decision, revision },
  };
}

export const remove = ({ db }: Pick<Given, 'db'>, ids: readonly number[]): Promise<number[]> =>
  db.transaction((tx) => store.remove(tx, few(ids)));

/** Promises the mails that failed once more, or all that were sent, under the Message-IDs they have. */
export function resend({ db }: Pick<Given, 'db'>, id: number): Promise<void> {
  return db.transaction(async (tx) => {
    const [row] = await store.lock(tx, [id]);
    if (!row) throw errors.submissionNotFound();
    const mails = store.mailsToRepeat(row);
    if (mails.length === 0) throw errors.nothingToResend();
    await tx.run('delete from deliveries where submission_id = $1 and mail = any($2)', [id, mails]);
    await promiseMailAgain(tx, id, mails);
  });
}
