/** Shapes of what a batch report carries: checks for the argument table, and readers for what passed them. */

/** Ten times what any sender is known to put into one batch, and little enough to be applied in one transaction. */
const MOST_EVENTS = 5_000;

export interface Progress {
  readonly dataTotal: number;
  readonly dataDone: number;
  readonly batchesTotal: number;
  readonly batchesDone: number;
}

const PARTS = ['data', 'batch'] as const;

/** `{data: {total, done}, batch: {total, done}}`, counts, none done beyond its total. */
export function checkProgress(status: unknown): string | undefined {
  for (const part of PARTS) {
    const counts = (status as Record<string, unknown>)[part];
    if (counts === null || typeof counts !== 'object' || Array.isArray(counts))
      return `status.${part} must be an object with total and done.`;
    const { total, done } = counts as Record<string, unknown>;
    if (toCount(total) === undefined || toCount(done) === undefined)
      return `status.${part}.total and status.${part}.done must be whole numbers from 0.`;
    if ((toCount(done) as number) > (toCount(total) as number))
      return `status.${part}.done must not be greater than status.${part}.total.`;
  }
  return undefined;
}

/** Of a status that passed checkProgress. */
export function readProgress(status: Record<string, unknown>): Progress {
  const data = status.data as Record<string, unknown>;
  const batch = status.batch as Record<string, unknown>;
  return {
    dataTotal: toCount(data.total) as number,
    dataDone: toCount(data.done) as number,
    batchesTotal: toCount(batch.total) as number,
    batchesDone: toCount(batch.done) as number,
  };
}

/** Only the first batch of a report says how many there are in all, so the last one is told by its own number. */
export const isLast = (progress: Progress): boolean => progress.batchesDone + 1 >= progress.batchesTotal;

function toCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function checkEvents(value: unknown): string | { code: string; message: string } | undefined {
  const events = toEvents(value);
  if (!events) return { code: 'rest_invalid_type', message: 'events is not a list.' };
  if (events.length > MOST_EVENTS)
    return {
      code: 'rest_too_many_items',
      message: `events must contain at most ${MOST_EVENTS} items: send more batches instead.`,
    };
  return undefined;
}

/** Absent, null and form bodies' numbered fields included; undefined when it is no list. */
export function toEvents(value: unknown): unknown[] | undefined {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'object' && Object.keys(value).every((key) => /^\d+$/.test(key)))
    return Object.values(value) as unknown[];
  return undefined;
}
