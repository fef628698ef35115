/** Batches and faults of imports as the console shows them. */
import type { Batch, Fault } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';

const orNull = (text: string): string | null => (text === '' ? null : text);

export const presentBatch = ({ acceptedAt, appliedAt, ...batch }: Batch): Record<string, unknown> => ({
  ...batch,
  accepted_at: acceptedAt,
  applied_at: orNull(appliedAt),
});

export const presentFault = ({ leftAlone, ...fault }: Fault): Record<string, unknown> => ({
  ...fault,
  left_alone: leftAlone,
});
