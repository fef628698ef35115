/** The jobs and sweeps that keep the index like what its owners have, and the news that tell them what to look at. */
import type { EventCall, Subscription } from '@sevenfold/chassis/queue/events';
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import { orLater } from '@sevenfold/chassis/queue/or-later';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import { pathOf, plainPath } from '../addresses/paths';
import { hear } from '../addresses/store';
import type { ObjectType } from '../analysis/shape';
import type { Deps } from '../deps';
import { readApart } from '../sources/apart';
import { knowSite } from '../sources/site';
import { openReading, readKeys } from '../sources/read';
import type { Built } from './build';
import { compareInTurn, compareJob, pauseAfter } from './compare';
import {
  LOTS,
  type Line,
  QUEUE,
  SINGLE,
  type Taken,
  add,
  addLot,
  begin,
  done,
  giveBack,
  inHand,
  lookAtLots,
  promise,
  promiseLots,
  release,
  take,
  ticket,
} from './queue';
import { write } from './write';

const MOST_AT_ONCE = 500;

interface Work {
  /** What was read of what was taken. */
  readonly read: readonly Taken[];
  readonly left: readonly Taken[];
  readonly built: readonly Built[];
}

/** Jobs of a line; `taking` answers what one of them takes that has nothing in hand yet. */
const indexing = (line: Line, taking: (deps: Deps, job: number) => Promise<Taken[]>): Job<Deps> =>
  job<Deps, object, Work>({
    queue: QUEUE,
    name: line.job,
    prepare: async ({ deps, id, attempt }) => {
      await begin(deps.db, line);
      const mine = await inHand(deps.db, id);
      const taken = mine.length > 0 ? mine : await taking(deps, id);
      return taken.length === 0
        ? { read: [], left: [], built: [] }
        : orLater(pauseAfter(attempt), () => readTaken(deps, taken));
    },
    handle: async ({ tx, id }, { read, left, built }) => {
      await write(tx, built);
      await done(tx, read, id);
      if (left.length === 0) return;
      await giveBack(tx, id);
      await promise(tx, line);
    },
  });

const indexObjects = indexing(SINGLE, ({ db }, id) =>
  // The rest is for others, at the same time.
  take(db, id, MOST_AT_ONCE, SINGLE, (tx) => promise(tx)),
);

const indexLots = indexing(LOTS, async ({ db }, id) => {
  const { isDue, isCalm } = await lookAtLots(db);
  if (isDue) return take(db, id, MOST_AT_ONCE, LOTS, isCalm ? (tx) => promise(tx, LOTS) : promiseLots);
  await db.transaction(promiseLots);
  return [];
});

/** Read at once, and so much of the index made of it, in characters, before it is written. */
const PIECE = 50;
const MOST_CHARACTERS = 16_000_000;

const sizeOf = ({ row, links }: Built): number =>
  [row.headHtml, row.headJson, row.listItem, ...row.images, ...links].reduce(
    (sum, text) => sum + text.length,
    0,
  );

/** As many of them, from the first on, as fit into memory and into one statement together. */
export async function readTaken(deps: Deps, taken: readonly Taken[]): Promise<Work> {
  await knowSite(deps);
  const built: Built[] = [];
  let at = 0;
  for (let size = 0; at < taken.length && size < MOST_CHARACTERS; at += PIECE) {
    const read = await readApart(
      taken.slice(at, at + PIECE),
      async (some) => readKeys(await openReading(deps, await ticket(deps.db)), some),
      ({ objectType, objectId }, error) => {
        // It stays as it was until it changes; the next comparison finds it again.
        deps.log.error({ err: error as Error, objectType, objectId }, 'an object could not be read');
        return [];
      },
    );
    for (const one of read.flat()) {
      built.push(one);
      size += sizeOf(one);
    }
  }
  return { built, read: taken.slice(0, at), left: taken.slice(at) };
}

export const indexableJobs: readonly Job<Deps>[] = [indexObjects, indexLots, compareJob];

interface Told {
  readonly id: number;
  /** Below the site, as it was then. */
  readonly link?: string;
}

/** The news name one thing, or several: events, or places and organizers. */
interface Named extends Partial<Told> {
  readonly events?: readonly Told[];
  readonly items?: readonly Told[];
}

const toldOf = ({ id, link, events = [], items = [] }: Named): Told[] => [
  ...(id === undefined ? [] : [{ id, link }]),
  ...events,
  ...items,
];

const follow = (topic: string, objectType: ObjectType): Subscription<Deps> => ({
  topic,
  handle: async ({ deps, tx, payload }: EventCall<Deps, Named>) => {
    const told = toldOf(payload).map(({ id, link = '' }) => ({ id: Number(id), link }));
    const addresses = told.flatMap(({ id, link }) => {
      const path = link === '' ? undefined : pathOf(deps.siteUrl, `${deps.siteUrl}${link}`);
      return path === undefined || path === plainPath(id) ? [] : [{ id, path }];
    });
    await hear(tx, objectType, addresses);
    const ids = told.map(({ id }) => id);
    await (ids.length > 1 ? addLot : add)(tx, objectType, ids);
  },
});

export const indexableSubscriptions: readonly Subscription<Deps>[] = [
  follow('content.post.changed', 'post'),
  follow('content.post.deleted', 'post'),
  follow('content.media.changed', 'post'),
  follow('content.media.deleted', 'post'),
  follow('content.term.changed', 'term'),
  // How many events carry a term is known seconds after the events are.
  follow('content.term.counted', 'term'),
  follow('content.term.deleted', 'term'),
  follow('content.user.changed', 'user'),
  follow('content.user.deleted', 'user'),
  follow('calendar.event.changed', 'post'),
  follow('calendar.event.deleted', 'post'),
  follow('calendar.venue.changed', 'post'),
  follow('calendar.venue.deleted', 'post'),
  follow('calendar.organizer.changed', 'post'),
  follow('calendar.organizer.deleted', 'post'),
];

export const indexableSweeps: readonly Sweep<Deps>[] = [
  { name: 'forgotten-objects', everySeconds: 15, run: ({ db }) => db.transaction(release) },
  { name: 'compare-index', everySeconds: 600, run: ({ db }) => db.transaction(compareInTurn) },
];
