/**
 * Tells the outside service what moderators decided against what was thought before. The message waits in its row, in the
 * transaction of the decision, and leaves it when it was told or cannot be.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import type { Message } from '../checks/message';
import * as store from '../checks/store';
import type { Side } from '../classifier/store';
import type { Deps } from '../deps';
import { current } from '../keys/current';

const QUEUE = 'spamfilter.reports';
const REPORT = 'report-decision';
const MOST_TRIES = 8;

interface Report {
  readonly revision: number;
  readonly decision: Side;
  readonly message: Message;
}

interface Promised {
  readonly key: string;
  readonly revision: number;
}

export const isReporting = async (deps: Pick<Deps, 'config' | 'key'>): Promise<boolean> =>
  deps.config.SPAM_CHECK_URL !== '' && (await current(deps)) !== undefined;

/** A first decision that agrees with the verdict tells nobody anything. */
export const isNews = ({ verdict, decision }: store.MessageRow, now: Side): boolean =>
  decision === null ? verdict === null || (verdict === 'ham') !== (now === 'ham') : decision !== now;

export async function promiseReport(tx: Db, told: { readonly key: string } & Report): Promise<void> {
  const { key, revision, decision, message } = told;
  await store.setReport(tx, key, { revision, decision, message } satisfies Report);
  await enqueue(tx, QUEUE, REPORT, { key, revision }, { maxAttempts: MOST_TRIES });
}

export const reportDecision: Job<Deps> = job<Deps, Promised>({
  queue: QUEUE,
  name: REPORT,
  prepare: async ({ deps, payload: { key, revision }, signal }) => {
    const report = await store.findReport<Report>(deps.db, key);
    const siteKey = await current(deps);
    // Decided anew since: that has a job of its own.
    if (report?.revision !== revision || !siteKey) return;
    const { decision, message } = report;
    await deps.outside.tell(siteKey, decision, message, signal);
  },
  handle: ({ tx, payload }) => forget(tx, payload),
  failed: ({ tx, payload }) => forget(tx, payload),
  reopen: () => Promise.resolve('The message is not kept after the last try: discard the job.'),
});

async function forget(tx: Db, { key, revision }: Promised): Promise<void> {
  const report = await store.findReport<Report>(tx, key);
  if (report?.revision === revision) await store.setReport(tx, key, null);
}
