/** Arguments of the import callbacks. */
import type { ArgTable } from '@sevenfold/chassis/http/args';

const shared = {
  import_id: { type: 'string', required: true, description: 'Name of the import.' },
  batch_hash: {
    type: 'string',
    required: true,
    description: 'Hash of the next expected batch, as the site gave it before.',
  },
} as const satisfies ArgTable;

export const batchArgs = {
  ...shared,
  status: { type: 'object', required: true, description: 'Current state of the import.' },
  percentage_complete: { type: 'integer', required: true, description: 'How much of the import is done.' },
  interval: {
    type: 'integer',
    description: 'Seconds from the end of one batch to the start of the next, as set on the server.',
  },
} as const satisfies ArgTable;

export const stateArgs = {
  ...shared,
  status: {
    type: 'string',
    required: true,
    enum: ['success', 'failed', 'pending'],
    description: 'State of the import.',
  },
  message: { type: 'string', required: true, description: 'Message for people, not localised.' },
  message_slug: { type: 'string', required: true, description: 'Name of the message, for localised texts.' },
  percentage_complete: { type: 'integer', required: true, description: 'How much of the import is done.' },
} as const satisfies ArgTable;
