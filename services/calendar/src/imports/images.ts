/**
 * Pictures of imported events, fetched long after the batch was applied, each by a job of its own. One that cannot be
 * had is noted with its reason and harms nothing, and one that is long in coming keeps none of another host waiting. The import
 * hears of each through a domain event.
 */
import { emit, enqueue, enqueueAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { ApiError, toApiError } from '@sevenfold/chassis/errors';
import { doubledSeconds } from '@sevenfold/chassis/queue/back-off';
import { type Job, type JobCall, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import { laterAfter } from '@sevenfold/chassis/queue/or-later';
import { shorten } from '@sevenfold/text/text';
import { systemActor } from '@sevenfold/chassis/actor';
import type { Media } from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import { heirOf } from '../content/departures';
import type { Deps } from '../deps';
import { announce } from '../events/news';
import type { Authority } from './columns';
import type { Stamp } from './link';
import type { ReadEvent } from './read-batch';

const QUEUE = 'calendar.images';
const FETCH = 'fetch-image';
/** Of hosts that are slow. */
const SLOW_QUEUE = 'calendar.slow-images';
const FETCH_SLOW = 'fetch-slow-image';
const DEADLINE_MS = 45_000;
const LONGEST_PAUSE_SECONDS = 60;
const MOST_TRIES = 4;
// The source does not answer: it may later. Every other fault is one for good.
const UNREACHABLE = 'rest_source_unreachable';
/** Of a source that has enough for now: three hours or so, if it says a few seconds each time. */
const MOST_RESTS = 12;
const LONGEST_REST_SECONDS = 3_600;

interface ImagePayload {
  readonly event_id: number;
  readonly url: string;
  readonly import_id: string;
  readonly owner: number;
  readonly uid: string;
  readonly title: string;
  /** Whose picture stands where a person chose one meanwhile. */
  readonly authority?: Authority;
}

export const promiseImages = (
  tx: Db,
  importId: string,
  { author, authority }: Stamp,
  wanted: readonly { readonly id: number; readonly url: string; readonly event: ReadEvent }[],
): Promise<void> =>
  enqueueAll(
    tx,
    QUEUE,
    FETCH,
    wanted.map(({ id, url, event }): ImagePayload => ({
      event_id: id,
      url,
      import_id: importId,
      owner: author,
      uid: event.uid,
      title: shorten(event.title, 200),
      authority,
    })),
    { maxAttempts: MOST_TRIES },
  );

type Fetched = { readonly media: Media } | { readonly reason: string };

async function fetch(call: Omit<JobCall<Deps, ImagePayload>, 'tx'>): Promise<Fetched> {
  const { deps, payload, attempt, signal } = call;
  const { url, title, import_id: importId } = payload;
  const begun = performance.now();
  try {
    const sideload = (author: number): Promise<Media> =>
      deps.content.media.sideload(
        { url, title, author, importId },
        { actor: systemActor(['manage_imports']), deadlineMs: DEADLINE_MS, signal },
      );
    const media = await sideload(await heirOf(deps.db, payload.owner)).catch((error: unknown) => {
      // Gone without an heir, or never there: the picture is nobody's.
      if (error instanceof ApiError && error.code === 'rest_invalid_author') return sideload(0);
      throw error;
    });
    await deps.known.learnMedia([media]);
    return media.isImage ? { media } : { reason: 'What the address gives is no picture.' };
  } catch (error) {
    const known = toApiError(error);
    const later = laterAfter(error, doubledSeconds(attempt, 1, LONGEST_PAUSE_SECONDS));
    if (later) throw later;
    const rest = restAfter(known, call);
    if (rest) throw rest;
    if (known instanceof ApiError && known.status < 500 && known.code !== UNREACHABLE)
      return { reason: known.message };
    throw known;
  } finally {
    deps.slowHosts.note(url, performance.now() - begun);
  }
}

/**
 * Hosts that hand out so many pictures a minute would else keep what they have from an import that asks for more. To wait as long as
 * they say is no failure of a picture; it waits longer each time, since with it all others come again.
 */
function restAfter(
  known: Error,
  { attempt, failures }: Pick<JobCall<Deps, ImagePayload>, 'attempt' | 'failures'>,
): TryLater | undefined {
  if (!(known instanceof ApiError) || known.code !== UNREACHABLE) return undefined;
  const asked = Number(known.headers['Retry-After']);
  const rests = attempt - 1 - failures;
  if (!(asked > 0) || rests >= MOST_RESTS) return undefined;
  const seconds = doubledSeconds(rests, asked, LONGEST_REST_SECONDS);
  return new TryLater(known.message, seconds * (1 + Math.random() * 0.25), known);
}

type Settling = Pick<JobCall<Deps, ImagePayload>, 'tx' | 'payload'>;

async function settle({ tx, payload }: Settling, fetched: Fetched): Promise<void> {
  if ('reason' in fetched) return noteFailure(tx, payload, fetched.reason);
  const { id, found } = fetched.media;
  // A newer batch may have named another picture meanwhile: that one counts.
  const changed = await tx.first<{ status: string; slug: string; categoryIds: number[]; tagIds: number[] }>(
    `update events set image_id = $3, edited = array_remove(edited, 'image') where id = $1 and image_source = $2
       and ($4 or image_id = 0 or not 'image' = any(edited))
     returning status, slug, category_ids as "categoryIds", tag_ids as "tagIds"`,
    [payload.event_id, payload.url, id, (payload.authority ?? 'overwrite') === 'overwrite'],
  );
  await tell(tx, payload, { attachment: id, found, reason: '' });
  if (changed)
    await announce(tx, 'calendar.event.changed', [
      { ...changed, id: payload.event_id, statusBefore: changed.status },
    ]);
}

const fail = ({ tx, payload }: Settling, error: Error): Promise<void> =>
  noteFailure(tx, payload, error.message);

/** The import has been told, and what the event is to show now is not known here: the picture might be that of nobody. */
const reopen = (): Promise<string> =>
  Promise.resolve('The next import of the event fetches its picture: discard the job.');

export const imageJobs: readonly Job<Deps>[] = [
  job<Deps, ImagePayload, Fetched | 'another line'>({
    queue: QUEUE,
    name: FETCH,
    prepare: (call) =>
      call.deps.slowHosts.has(call.payload.url) ? Promise.resolve('another line') : fetch(call),
    handle: async (call, fetched) => {
      if (fetched !== 'another line') return settle(call, fetched);
      await enqueue(call.tx, SLOW_QUEUE, FETCH_SLOW, call.payload, { maxAttempts: MOST_TRIES });
    },
    failed: fail,
    reopen,
  }),
  job<Deps, ImagePayload, Fetched>({
    queue: SLOW_QUEUE,
    name: FETCH_SLOW,
    prepare: fetch,
    handle: settle,
    failed: fail,
    reopen,
  }),
];

/** Without the mark of its source the next import tries again. */
async function noteFailure(tx: Db, payload: ImagePayload, reason: string): Promise<void> {
  await tx.run(`update events set image_source = '' where id = $1 and image_source = $2`, [
    payload.event_id,
    payload.url,
  ]);
  const why = `The picture ${payload.url} could not be fetched: ${reason}`;
  await tell(tx, payload, { attachment: 0, found: false, reason: why });
}

const tell = (
  tx: Db,
  { import_id, uid, title }: ImagePayload,
  outcome: { readonly attachment: number; readonly found: boolean; readonly reason: string },
): Promise<void> => emit(tx, 'calendar.import.image', { import_id, ...outcome, uid, title });
