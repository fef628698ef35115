/** Variables of the seo service. */
import {
  type ConfigOf,
  type Variables,
  databaseVariables,
  redisVariables,
  serviceVariables,
} from '@sevenfold/chassis/config';

export const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...redisVariables,
  CONTENT_GRPC: {
    kind: 'string',
    default: '127.0.0.1:9001',
    description: 'gRPC address of the content service',
  },
  CALENDAR_GRPC: {
    kind: 'string',
    default: '127.0.0.1:9002',
    description: 'gRPC address of the calendar service',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
