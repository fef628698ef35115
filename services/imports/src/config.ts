/** Variables of the imports service. */
import type { ConfigOf, Variables } from '@sevenfold/chassis/config';
import { databaseVariables, redisVariables, serviceVariables } from '@sevenfold/chassis/variables';

export const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...redisVariables,
  CALENDAR_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9002',
    description: 'gRPC address of the calendar service',
  },
  IMPORT_INTERVAL: {
    kind: 'duration-seconds',
    default: 10,
    min: 10,
    max: 600,
    description: 'seconds that senders are asked to wait between two batches',
  },
  IMPORT_AT_ONCE: {
    kind: 'integer',
    default: 1,
    min: 1,
    max: 16,
    description:
      'groups of batches that one worker hands the calendar at once, twice as many of imports whose last batch is there: more is faster, and leaves less to others',
  },
  IMPORT_WAITING_MEGABYTES: {
    kind: 'integer',
    default: 2_000,
    min: 0,
    max: 1_000_000,
    description:
      'most that batches of one import take which wait for the calendar; its sender has to wait beyond that; 0: any amount',
  },
  IMPORT_STALLED_AFTER: {
    kind: 'duration-seconds',
    default: 1800,
    min: 1,
    max: 2_592_000,
    description: 'seconds of silence after which an import counts as stalled',
  },
  IMPORT_HISTORY_DAYS: {
    kind: 'integer',
    default: 365,
    min: 0,
    max: 36_500,
    description:
      'days after the last sign of an import for which its single batches and faults are kept; its totals stay; 0: for good',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
