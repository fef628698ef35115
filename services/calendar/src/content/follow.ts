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

async function termsChanged({ tx, deps, payload }: Call): Promise<void> {
  const ids = idsOf(payload);
  const { terms } = await deps.content.terms.getTerms({ ids });
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

const termsDeleted = ({ tx, payload }: Call): Promise<void> => keepTerms(tx, idsOf(payload), []);

async function mediaChanged({ tx, deps, payload }: Call): Promise<void> {
  const ids = idsOf(payload);
  const { media } = await deps.content.media.getMedia({ ids });
  await keepMedia(tx, ids, media);
}

const mediaDeleted = ({ tx, payload }: Call): Promise<void> => keepMedia(tx, idsOf(payload), []);

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
  await store.keepSettings(tx, await deps.content.settings.getSettings({}));
  await announce(tx, 'settings');
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
  const { db, content } = deps;
  await store.keepSettings(db, await content.settings.getSettings({}));
  for (const taxonomy of [CATEGORY, TAG]) await keepAllTerms(deps, taxonomy);
  for (const ids of chunks(await store.termIdsInUse(db))) {
    const { terms } = await content.terms.getTerms({ ids });
    await db.transaction((tx) => keepTerms(tx, ids, terms));
  }
  for (const ids of chunks(await store.mediaIdsInUse(db))) {
    const { media } = await content.media.getMedia({ ids });
    await db.transaction((tx) => keepMedia(tx, ids, media));
  }
  await announce(db, 'settings');
}

/** Carried by an event or not: lists of terms, and what is below one, are to be known while the content service is away. */
async function keepAllTerms({ db, content }: Deps, taxonomy: string): Promise<void> {
  for (let page = 1; ; page++) {
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
    await store.keepTerms(db, terms, []);
    if (terms.length < AT_ONCE) break;
  }
}

const chunks = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, index) =>
    ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );

export const contentSweeps: readonly Sweep<Deps>[] = [
  { name: 'reconcile-known', everySeconds: 600, run: reconcileKnown },
];
