/** What a batch did, as its import and the sender are told: ids by kind and action, and what was skipped. */
import { shorten } from '@sevenfold/text/text';
import type { Activity, AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import { small } from './fields';
import type { LinkResult } from './link';
import type { Linked } from './parse-linked';
import type { ReadBatch, ReadEvent } from './read-batch';
import type { NamedTerms } from './terms';
import type { Upserted } from './upsert';

/** An event where it stands: the number of its batch, from 0, and its place there. */
export interface Placed {
  readonly event: ReadEvent;
  readonly batch: number;
  readonly index: number;
}

export interface Terms {
  readonly categories: NamedTerms;
  readonly tags: NamedTerms;
}

export interface Done {
  readonly batches: readonly ReadBatch[];
  readonly events: readonly Placed[];
  /** One for each event. */
  readonly rows: readonly Upserted[];
  readonly venues: LinkResult;
  readonly organizers: LinkResult;
  readonly terms: Terms;
  /** Batches that named pictures which are to be fetched. */
  readonly pictures: readonly { readonly batch: number }[];
}

/** By key. */
export function answersOf(done: Done): Map<string, AppliedBatch> {
  const size = done.batches.length;
  const events = tally(size);
  const venues = tally(size);
  const organizers = tally(size);
  const categories = tally(size);
  const tags = tally(size);
  const skipped = done.batches.map((batch) => batch.skipped.map((one) => ({ ...one, leftAlone: false })));
  done.events.forEach(({ event, batch, index }, place) => {
    if (event.venue) venues.tell(batch, done.venues, event.venue);
    for (const one of event.organizers ?? []) organizers.tell(batch, done.organizers, one);
    for (const name of event.categories ?? []) categories.tellNew(batch, done.terms.categories, small(name));
    for (const name of event.tags ?? []) tags.tellNew(batch, done.terms.tags, small(name));
    const row = done.rows[place] as Upserted;
    events.add(batch, row.id, row.outcome);
    if (row.outcome === 'skipped')
      skipped[batch]?.push({
        index,
        uid: event.uid,
        title: shorten(event.title, 200),
        reason: row.reason ?? '',
        leftAlone: true,
      });
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
  tell(batch: number, all: LinkResult, one: Linked): void;
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
    tell: (batch, all, one) => {
      const id = all.ids.get(one);
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
