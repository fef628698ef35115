/** How an import went so far, for its sender and for those who manage imports: what came of each kind, and what did not, in pages. */
import type { Actor } from '@sevenfold/chassis/actor';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import type {
  Counts,
  GetProgressRequest,
  Import,
  Progress,
} from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import type { Count } from '../batches/activity';
import * as faultStore from '../batches/faults';
import * as batches from '../batches/store';
import { sameSecret } from '../callbacks/digest';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { refuseSender } from './policy';
import { present, toBatch } from './presenter';
import * as store from './store';

const MOST_PER_PAGE = 100;
const USUAL_PER_PAGE = 20;

type ProgressDeps = Pick<Deps, 'db' | 'activities'>;

/** Strangers are told the same of an import that is not there as of one whose hash is another. */
export async function readProgress(
  deps: ProgressDeps,
  asked: GetProgressRequest,
  actor: Actor,
): Promise<Progress> {
  const row = await store.find(deps.db, asked.importId);
  const isSender = row !== undefined && row.givenHash !== '' && sameSecret(asked.batchHash, row.givenHash);
  if (!isSender) throwDenial(refuseSender(actor), actor);
  if (!row) throw errors.importNotFound();
  return progressOf(deps, row, asked);
}

export type Asked = Pick<GetProgressRequest, 'page' | 'perPage' | 'batch'>;

export async function progressOf(
  { db, activities }: ProgressDeps,
  row: store.ImportRow,
  { page, perPage, batch }: Asked,
): Promise<Progress> {
  const range = {
    page: Math.max(1, page),
    perPage: perPage > 0 ? Math.min(perPage, MOST_PER_PAGE) : USUAL_PER_PAGE,
  };
  const [[shown], counts, some, faults, totalFaults] = await Promise.all([
    present({ db }, [row]),
    activities.countsUpTo(db, row.id, row.applied),
    batches.pageOf(db, row.id, range),
    faultStore.pageOf(db, row.id, batch, range),
    // Whatever was skipped and each picture that did not come has left one.
    batch === 0 ? row.eventsSkipped + row.imagesFailed : faultStore.count(db, row.id, batch),
  ]);
  return {
    import: shown as Import,
    events: { ...(row.isCleared ? eventsOf(row) : counts.calendar_events), failed: row.eventsFailed },
    venues: allTaken(counts.calendar_venue),
    organizers: allTaken(counts.calendar_organizer),
    categories: allTaken(counts.calendar_events_cat),
    tags: allTaken(counts.post_tag),
    attachments: {
      created: row.attachments - row.attachmentsFound,
      updated: row.attachmentsFound,
      skipped: 0,
      failed: row.imagesFailed,
    },
    batches: some.map(toBatch),
    faults,
    totalBatches: row.isCleared ? 0 : row.accepted,
    totalFaults: row.isCleared ? 0 : totalFaults,
  };
}

/** As they were counted when they came: an event that came twice is two. */
const eventsOf = (row: store.ImportRow): Count => ({
  created: row.eventsCreated,
  updated: row.eventsUpdated,
  skipped: row.eventsSkipped - row.eventsFailed,
});

/** What of these cannot be read is left out of its event. */
const allTaken = (count: Count): Counts => ({ ...count, failed: 0 });
