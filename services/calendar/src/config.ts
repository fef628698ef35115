/** Variables of the calendar service. */
import type { ConfigOf, Variables } from '@sevenfold/chassis/config';
import {
  databaseVariables,
  listVariables,
  redisVariables,
  serviceVariables,
} from '@sevenfold/chassis/variables';

export const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...listVariables,
  ...redisVariables,
  SITE_TIMEZONE: {
    kind: 'timezone',
    default: 'UTC',
    description: 'time zone until the content service has told the one of the site',
  },
  CONTENT_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9001',
    description: 'gRPC address of the content service',
  },
  OEMBED_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9007',
    description: 'gRPC address of the oembed service',
  },
  GEO_RADIUS_KM: {
    kind: 'number',
    default: 25,
    min: 0.1,
    max: 20_000,
    description: 'how far around a point the search by coordinates looks',
  },
  DEFAULT_CURRENCY_SYMBOL: {
    kind: 'string',
    default: '$',
    description: 'put before a cost that names no currency',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
