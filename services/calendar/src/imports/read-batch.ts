/** The events of a batch, read one after the other. */
import { setImmediate } from 'node:timers/promises';
import { type ParseContext, type ParsedEvent, type Unusable, parseEvent } from './parse-event';

/**
 * Its columns are the JSON that goes into the statement. A thousand events wait for each other: what V8 carries along for each is one
 * text instead of fifty small things.
 */
export interface ReadEvent extends Omit<ParsedEvent, 'columns'> {
  readonly row: string;
}

export interface ReadBatch {
  readonly key: string;
  /** In the order of the batch. */
  readonly events: readonly { readonly index: number; readonly event: ReadEvent }[];
  readonly skipped: readonly (Unusable & { readonly index: number })[];
}

/** Readers of the calendar do not wait for a whole batch, which may have thousands of events. */
const LONGEST_TURN_MS = 10;

export async function readBatch(key: string, eventsJson: string, context: ParseContext): Promise<ReadBatch> {
  const events: { index: number; event: ReadEvent }[] = [];
  const skipped: (Unusable & { index: number })[] = [];
  let begun = performance.now();
  for (const [index, raw] of (JSON.parse(eventsJson) as unknown[]).entries()) {
    const parsed = parseEvent(raw, context);
    if ('event' in parsed) events.push({ index, event: written(parsed.event) });
    else skipped.push({ ...parsed.skipped, index });
    if (performance.now() - begun < LONGEST_TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
  return { key, events, skipped };
}

// Each by its name: V8 is slow to copy an object without one of its fields.
const written = (event: ParsedEvent): ReadEvent => ({
  uid: event.uid,
  globalId: event.globalId,
  title: event.title,
  categories: event.categories,
  tags: event.tags,
  venue: event.venue,
  organizers: event.organizers,
  imageUrl: event.imageUrl,
  row: JSON.stringify(event.columns),
});

/** JSON of a row with more columns than it has. */
export const rowWith = (columns: object, row: string): string =>
  `${JSON.stringify(columns).slice(0, -1)},${row.slice(1)}`;
