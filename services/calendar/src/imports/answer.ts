/** What a batch did, as its import and the sender are told: ids by kind and action, and what was skipped. */
import { shorten } from '@sevenfold/text/text';
import type { Activity, AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import { type LinkResult, keyOf } from './link';
import type { ReadBatch, ReadEvent } from './read-batch';
import type { NamedTerms } from './terms';
import type { Upserted } from './upsert';

/** One event of the source, as it came last; `places` are all its appearances, first to last. */
export interface Merged {
  readonly event: ReadEvent;
  readonly places: readonly { readonly batch: number; readonly index: number }[];
}

export interface Terms {
  readonly categories: NamedTerms;
  readonly tags: NamedTerms;
}

export interface Done {
  readonly batches: readonly ReadBatch[];
  readonly merged: readonly Merged[];
  /** One for each merged event. */
  readonly rows: readonly Upserted[];
  readonly venues: LinkResult;
  readonly organizers: LinkResult;
  readonly terms: Terms;
  /** Batches that named pictures which are to be fetched. */
  readonly pictures: readonly { readonly batch: number }[];
}

export const small = (name: string): string => name.toLowerCase();

/** By key. */
export function answersOf(done: Done): Map<string, AppliedBatch> {
  const size = done.batches.length;
  const events = tally(size);
  const venues = tally(size);
  const organizers = tally(size);
  const categories = tally(size);
  const tags = tally(size);
  const skipped = done.batches.map((batch) => batch.skipped.map((one) => ({ ...one, leftAlone: false })));
  done.batches.forEach((batch, number) => {
    for (const { event } of batch.events) {
      if (event.venue) venues.tell(number, done.venues, keyOf(event.venue));
      for (const one of event.organizers ?? []) organizers.tell(number, done.organizers, keyOf(one));
      for (const name of event.categories ?? [])
        categories.tellNew(number, done.terms.categories, small(name));
      for (const name of event.tags ?? []) tags.tellNew(number, done.terms.tags, small(name));
    }
  });
  done.merged.forEach(({ event, places }, index) => {
    const row = done.rows[index] as Upserted;
    for (const { batch, index: place } of places) {
      events.add(batch, row.id, row.outcome);
      if (row.outcome === 'skipped')
        skipped[batch]?.push({
          index: place,
          uid: event.uid,
          title: shorten(event.title, 200),
          reason: row.reason ?? '',
          leftAlone: true,
        });
    }
  });
  const images = done.batches.map(
    (_, number) => done.pictures.filter(({ batch }) => batch === number).length,
  );
  return new Map(
    done.batches.map(({ key }, number) => [
      key,
      {
        events: events.of(number),
        venues: venues.of(number),
        organizers: organizers.of(number),
        categories: categories.of(number),
        tags: tags.of(number),
        skipped: (skipped[number] ?? []).sort((a, b) => a.index - b.index),
        images: images[number] as number,
      },
    ]),
  );
}

type Outcome = Upserted['outcome'];

interface Tally {
  add(batch: number, id: number, outcome: Outcome): void;
  /** What was found counts as updated. */
  tell(batch: number, all: LinkResult, key: string): void;
  /** Nothing is ever written to terms that are there already: only new ones are told. */
  tellNew(batch: number, all: NamedTerms, key: string): void;
  of(batch: number): Activity;
}

/** What is new is told by the first batch that has it; the later ones of the group updated it. */
function tally(size: number): Tally {
  const lists = Array.from({ length: size }, () => ({
    created: new Set<number>(),
    updated: new Set<number>(),
    skipped: new Set<number>(),
  }));
  const firstOf = new Map<number, number>();
  const add: Tally['add'] = (batch, id, outcome) => {
    const first = firstOf.get(id) ?? batch;
    firstOf.set(id, first);
    lists[batch]?.[outcome === 'created' && first !== batch ? 'updated' : outcome].add(id);
  };
  return {
    add,
    tell: (batch, all, key) => {
      const id = all.ids.get(key);
      if (id !== undefined) add(batch, id, all.created.has(id) ? 'created' : 'updated');
    },
    tellNew: (batch, all, key) => {
      const id = all.ids.get(key);
      if (id !== undefined && all.created.has(id) && (firstOf.get(id) ?? batch) === batch)
        add(batch, id, 'created');
    },
    of: (batch) => {
      const list = lists[batch];
      return {
        created: [...(list?.created ?? [])],
        updated: [...(list?.updated ?? [])],
        skipped: [...(list?.skipped ?? [])],
      };
    },
  };
}
