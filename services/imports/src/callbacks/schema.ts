/** Arguments of the import callbacks. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import * as shape from '@sevenfold/chassis/http/shapes';
import { LONGEST_IMPORT_ID } from '../imports/actions';
import { AUTHORITIES } from '../imports/store';
import { checkEvents, checkProgress } from './shapes';

const shared = {
  import_id: {
    type: 'string',
    required: true,
    maxLength: LONGEST_IMPORT_ID,
    pattern: /^\w+$/,
    description: 'Name of the import.',
  },
  batch_hash: {
    type: 'string',
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Hash of the next expected batch, as the site gave it before.',
  },
} as const satisfies ArgTable;

const percentage = {
  type: 'integer',
  required: true,
  minimum: 0,
  maximum: 100,
  description: 'How much of the import is done.',
} as const;

export const batchArgs = {
  ...shared,
  status: {
    type: 'object',
    required: true,
    check: checkProgress,
    description: 'Current state of the import.',
  },
  percentage_complete: percentage,
  interval: {
    type: 'integer',
    minimum: 10,
    maximum: 600,
    description: 'Seconds from the end of one batch to the start of the next, as set on the server.',
  },
  events: {
    unlisted: true,
    check: checkEvents,
    description: 'The events of this batch, as a list of objects.',
  },
  origin: {
    type: 'string',
    unlisted: true,
    maxLength: 50,
    description: 'Where the events come from; taken from the first batch of an import that it registers.',
  },
  default_status: {
    type: 'string',
    unlisted: true,
    maxLength: 50,
    description: 'Status of created events; taken from the first batch of an import that it registers.',
  },
  authority: {
    type: 'string',
    unlisted: true,
    enum: [...AUTHORITIES],
    description:
      'What becomes of fields that people changed: overwritten, left with the whole event, or filled only where they are empty; taken from the first batch of an import that it registers.',
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
  message: {
    type: 'string',
    required: true,
    maxLength: 10_000,
    description: 'Message for people, not localised.',
  },
  message_slug: {
    type: 'string',
    required: true,
    maxLength: 255,
    description: 'Name of the message, for localised texts.',
  },
  percentage_complete: percentage,
} as const satisfies ArgTable;

export const batchAnswer = shape.object(
  {
    status: shape.described('The batch was taken.', shape.constant('success')),
    activity: shape.described('What was done so far, by kind.', shape.mapOf(shape.anyObject)),
    interval: shape.described('Seconds until the next batch is welcome.', shape.integer),
    next_batch_hash: shape.described('Hash of the next batch; absent after the last one.', shape.text),
  },
  'next_batch_hash',
);

export const stateAnswer = shape.object({
  status: shape.described('The report was taken.', shape.constant('success')),
});
