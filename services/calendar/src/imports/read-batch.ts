/** The events of a batch, read one after the other. */
import { atOnce, inTurns } from '@sevenfold/text/steps';
import { type ParseContext, type Parsed, type ParsedEvent, type Unusable, parsingEvent } from './parse-event';
import { type Pause, openPauses } from './pauses';
import { elementsOf } from './split';

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

/** A hundred times what any source is known to say of an event. */
const MOST_VALUES = 20_000;

export async function readBatch(
  key: string,
  eventsJson: string,
  context: ParseContext,
  pause: Pause = openPauses(),
): Promise<ReadBatch> {
  const events: { index: number; event: ReadEvent }[] = [];
  const skipped: (Unusable & { index: number })[] = [];
  let index = 0;
  const take = (parsed: Parsed): void => {
    if ('event' in parsed) events.push({ index, event: written(parsed.event) });
    else skipped.push({ ...parsed.skipped, index });
    index += 1;
  };
  if (eventsJson.length <= SHORT) {
    for (const raw of JSON.parse(eventsJson) as unknown[]) take(atOnce(parsingEvent(raw, context)));
    await pause();
  } else
    for (const { json, values } of elementsOf(eventsJson)) {
      take(values > MOST_VALUES ? TOO_MANY : await inTurns(parsingEvent(JSON.parse(json), context), pause));
      await pause();
    }
  return { key, events, skipped };
}

/** In characters. Most batches are: no event of one has too many values, and all of it takes no longer than a turn may. */
const SHORT = 2 * MOST_VALUES;

const TOO_MANY = { skipped: { uid: '', title: '', reason: `It holds more than ${MOST_VALUES} values.` } };

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

/** JSON of a row with more columns than it has, which no two of `more` name. Text is put together sooner than objects are. */
export const rowWith = (more: readonly object[], row: string): string =>
  `{${[...more.map((columns) => JSON.stringify(columns)), row]
    .map((json) => json.slice(1, -1))
    .filter((inside) => inside !== '')
    .join(',')}}`;
