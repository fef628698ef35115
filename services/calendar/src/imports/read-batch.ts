/** The events of a batch, read one after the other. */
import { setImmediate } from 'node:timers/promises';
import { type ParseContext, type ParsedEvent, type Unusable, parseEvent } from './parse-event';

export interface ReadBatch {
  readonly key: string;
  /** In the order of the batch. */
  readonly events: readonly { readonly index: number; readonly event: ParsedEvent }[];
  readonly skipped: readonly (Unusable & { readonly index: number })[];
}

/** Readers of the calendar do not wait for a whole batch, which may have thousands of events. */
const LONGEST_TURN_MS = 10;

export async function readBatch(key: string, eventsJson: string, context: ParseContext): Promise<ReadBatch> {
  const events: { index: number; event: ParsedEvent }[] = [];
  const skipped: (Unusable & { index: number })[] = [];
  let begun = performance.now();
  for (const [index, raw] of (JSON.parse(eventsJson) as unknown[]).entries()) {
    const parsed = parseEvent(raw, context);
    if ('event' in parsed) events.push({ index, event: parsed.event });
    else skipped.push({ ...parsed.skipped, index });
    if (performance.now() - begun < LONGEST_TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
  return { key, events, skipped };
}
