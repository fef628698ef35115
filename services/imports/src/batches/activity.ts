/**
 * What an import has done so far, by kind and action: every answer of the batch callback shows all of it. Batches are
 * applied strictly in order, so what is known after batch n never changes: it is kept in memory and only extended.
 */
import type { Activity, AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Action, type BatchActivity, type Ids, type Kind, KINDS, type ShownActivity } from './kinds';
import * as store from './store';

export interface Activities {
  /** What the batches up to this number did, with so many of the fetched pictures. */
  upTo(db: Db, importRow: number, number: number, attachments: number): Promise<ShownActivity>;
  /** How many things that were, each once. */
  countsUpTo(db: Db, importRow: number, number: number): Promise<Readonly<Record<Kind, Count>>>;
}

export type Count = Readonly<Record<Action, number>>;

/** As it is kept with the batch: only what is not empty. */
export function activityOf(result: AppliedBatch): BatchActivity {
  const kept: BatchActivity = {};
  const keep = (kind: Kind, activity: Activity | undefined): void => {
    if (!activity) return;
    const some = Object.entries(activity).filter(([, ids]) => (ids as number[]).length > 0);
    if (some.length > 0) kept[kind] = Object.fromEntries(some) as Partial<Ids>;
  };
  keep('calendar_events', result.events);
  keep('calendar_organizer', result.organizers);
  keep('calendar_venue', result.venues);
  keep('calendar_events_cat', result.categories);
  keep('post_tag', result.tags);
  return kept;
}

/** Each id once, under the most that happened to it: what this import created is not listed as updated as well. */
const RANK: Readonly<Record<Action, number>> = { skipped: 0, updated: 1, created: 2 };
const ACTIONS: readonly Action[] = ['created', 'updated', 'skipped'];

interface Known {
  applied: number;
  readonly kinds: ReadonlyMap<Kind, Map<number, Action>>;
  /** As it is shown, from when somebody asked until there is more: a sender asks with each batch, and many are applied at once. */
  shown?: Readonly<Record<Kind, Ids>>;
}

const MOST_IMPORTS = 100;
const MOST_IDS = 1_000_000;

export function openActivities(): Activities {
  const known = new Map<number, Known>();

  const remember = (importRow: number, entry: Known): void => {
    known.delete(importRow);
    known.set(importRow, entry);
    let total = 0;
    for (const [row, one] of [...known].reverse()) {
      total += sizeOf(one);
      if (row !== importRow && (total > MOST_IDS || known.size > MOST_IMPORTS)) known.delete(row);
    }
  };

  const knownUpTo = async (db: Db, importRow: number, number: number): Promise<Known> => {
    const entry = known.get(importRow) ?? blank();
    if (entry.applied < number) {
      const rows = await store.activityBetween(db, importRow, entry.applied, number);
      // Another request may have extended it meanwhile: no batch counts twice.
      for (const row of rows) if (row.number === entry.applied + 1) extend(entry, row.activity);
    }
    remember(importRow, entry);
    // A repeat may ask for less than what is known by now: that is read anew.
    return entry.applied === number ? entry : readUpTo(db, importRow, number);
  };

  return {
    countsUpTo: async (db, importRow, number) => countOf(await knownUpTo(db, importRow, number)),
    upTo: async (db, importRow, number, attachments) => {
      const entry = await knownUpTo(db, importRow, number);
      const shown = (entry.shown ??= show(entry));
      return { ...shown, attachment: await store.firstAttachments(db, importRow, attachments) };
    },
  };
}

const blank = (): Known => ({ applied: 0, kinds: new Map(KINDS.map((kind) => [kind, new Map()])) });

async function readUpTo(db: Db, importRow: number, number: number): Promise<Known> {
  const entry = blank();
  for (const row of await store.activityBetween(db, importRow, 0, number)) extend(entry, row.activity);
  return entry;
}

function extend(entry: Known, activity: BatchActivity): void {
  for (const [kind, ids] of entry.kinds) {
    for (const action of ACTIONS) {
      for (const id of activity[kind]?.[action] ?? []) {
        const before = ids.get(id);
        if (before === undefined || RANK[action] > RANK[before]) ids.set(id, action);
      }
    }
  }
  entry.applied += 1;
  entry.shown = undefined;
}

function show(entry: Known): Record<Kind, Ids> {
  const shown: Partial<Record<Kind, Ids>> = {};
  for (const [kind, ids] of entry.kinds) {
    const lists: Record<Action, number[]> = { created: [], updated: [], skipped: [] };
    for (const [id, action] of ids) lists[action].push(id);
    shown[kind] = lists;
  }
  return shown as Record<Kind, Ids>;
}

function countOf(entry: Known): Record<Kind, Count> {
  const counts: Partial<Record<Kind, Count>> = {};
  for (const [kind, ids] of entry.kinds) {
    const count = { created: 0, updated: 0, skipped: 0 };
    for (const action of ids.values()) count[action] += 1;
    counts[kind] = count;
  }
  return counts as Record<Kind, Count>;
}

function sizeOf(entry: Known): number {
  let size = 0;
  for (const ids of entry.kinds.values()) size += ids.size;
  return size;
}
