/**
 * Keeps what is known of the content service true: its domain events are taken in as they come, and a sweep asks for
 * everything anew, in case one was lost. What is deleted there leaves the events, venues and organizers that named it.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { EventCall, Subscription } from '@sevenfold/chassis/queue/events';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { depart, forgetLeaver, heirOf, noteLeaver } from './departures';
import { announce } from './known';
import * as store from './known-store';
import { CATEGORY, TAG } from './resolve-terms';

/** The events name one thing as `id`, or several as `ids`. */
interface Named {
  readonly id?: number;
  readonly ids?: readonly number[];
}

const idsOf = ({ id, ids }: Named): number[] =>
  [...(id === undefined ? [] : [id]), ...(ids ?? [])].map(Number);

type Call = EventCall<Deps, Named>;

/** Until the end of the transaction nobody else asks: what was told first would be written down over what was told later. */
const askAlone = (tx: Db, kind: 'terms' | 'media' | 'settings'): Promise<unknown> =>
  tx.first('select pg_advisory_xact_lock(hashtext($1))', [`known:${kind}`]);

const termsChanged = ({ tx, deps, payload }: Call): Promise<void> => refreshTerms(tx, deps, idsOf(payload));

async function refreshTerms(tx: Db, { content }: Deps, ids: number[]): Promise<void> {
  await askAlone(tx, 'terms');
  const { terms } = await content.terms.getTerms({ ids });
  await keepTerms(tx, ids, terms);
}

async function keepTerms(
  tx: Db,
  ids: readonly number[],
  terms: Parameters<typeof store.keepTerms>[1],
): Promise<void> {
  const here = new Set(terms.map(({ id }) => id));
  const gone = ids.filter((id) => !here.has(id));
  await store.keepTerms(tx, terms, gone);
  for (const id of gone) await depart(tx, { kind: 'term', id, heir: 0 });
  await announce(tx, 'terms', ids);
}

async function termsDeleted({ tx, payload }: Call): Promise<void> {
  await askAlone(tx, 'terms');
  await keepTerms(tx, idsOf(payload), []);
}

const mediaChanged = ({ tx, deps, payload }: Call): Promise<void> => refreshMedia(tx, deps, idsOf(payload));

async function refreshMedia(tx: Db, { content }: Deps, ids: number[]): Promise<void> {
  await askAlone(tx, 'media');
  const { media } = await content.media.getMedia({ ids });
  await keepMedia(tx, ids, media);
}

async function mediaDeleted({ tx, payload }: Call): Promise<void> {
  await askAlone(tx, 'media');
  await keepMedia(tx, idsOf(payload), []);
}

async function keepMedia(
  tx: Db,
  ids: readonly number[],
  media: Parameters<typeof store.keepMedia>[1],
): Promise<void> {
  const here = new Set(media.map(({ id }) => id));
  const gone = ids.filter((id) => !here.has(id));
  await store.keepMedia(tx, media, gone);
  for (const id of gone) await depart(tx, { kind: 'media', id, heir: 0 });
  await announce(tx, 'media', ids);
}

async function settingsChanged({ tx, deps }: Call): Promise<void> {
  await refreshSettings(tx, deps);
  await announce(tx, 'settings');
}

async function refreshSettings(tx: Db, { content }: Deps): Promise<void> {
  await askAlone(tx, 'settings');
  await store.keepSettings(tx, await content.settings.getSettings({}));
}

/** What a deleted user wrote goes to whom his posts go to, or to the trash as they do. */
async function userDeleted({
  tx,
  payload,
  id: news,
}: EventCall<Deps, { id: number; reassign?: number }>): Promise<void> {
  const id = Number(payload.id);
  // News that could not be taken in come again behind later ones: by then the heir may have gone, too.
  const heir = await heirOf(tx, Number(payload.reassign ?? 0));
  await noteLeaver(tx, id, heir, news);
  await depart(tx, { kind: 'user', id, heir });
}

async function userChanged({ tx, payload, id: news }: EventCall<Deps, { id: number }>): Promise<void> {
  await forgetLeaver(tx, Number(payload.id), news);
}

export const contentSubscriptions: readonly Subscription<Deps>[] = [
  { topic: 'content.term.changed', handle: termsChanged },
  { topic: 'content.term.deleted', handle: termsDeleted },
  { topic: 'content.media.changed', handle: mediaChanged },
  { topic: 'content.media.deleted', handle: mediaDeleted },
  { topic: 'content.settings.changed', handle: settingsChanged },
  { topic: 'content.user.deleted', handle: userDeleted },
  { topic: 'content.user.changed', handle: userChanged },
];

const AT_ONCE = 500;

export async function reconcileKnown(deps: Deps): Promise<void> {
  const { db } = deps;
  await db.transaction((tx) => refreshSettings(tx, deps));
  for (const taxonomy of [CATEGORY, TAG]) await keepAllTerms(deps, taxonomy);
  for (const ids of chunks(await store.termIdsInUse(db)))
    await db.transaction((tx) => refreshTerms(tx, deps, ids));
  for (const ids of chunks(await store.mediaIdsInUse(db)))
    await db.transaction((tx) => refreshMedia(tx, deps, ids));
  await announce(db, 'settings');
}

/** Carried by an event or not: lists of terms, and what is below one, are to be known while the content service is away. */
async function keepAllTerms({ db, content }: Deps, taxonomy: string): Promise<void> {
  const keepPage = (page: number): Promise<number> =>
    db.transaction(async (tx) => {
      await askAlone(tx, 'terms');
      const { terms } = await content.terms.listTerms({
        taxonomy,
        page,
        perPage: AT_ONCE,
        search: '',
        include: [],
        exclude: [],
        order: 'asc',
        orderBy: 'id',
        hideEmpty: false,
        parent: undefined,
        slugs: [],
      });
      await store.keepTerms(tx, terms, []);
      return terms.length;
    });
  for (let page = 1; (await keepPage(page)) === AT_ONCE; page++);
}

const chunks = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, index) =>
    ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );

export const contentSweeps: readonly Sweep<Deps>[] = [
  { name: 'reconcile-known', everySeconds: 600, run: reconcileKnown },
];
