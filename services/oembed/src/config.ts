/** Variables of the oembed service. */
import { type ConfigOf, type Variables, redisVariables, serviceVariables } from '@sevenfold/chassis/config';

export const variables = {
  ...serviceVariables,
  ...redisVariables,
  CALENDAR_GRPC: {
    kind: 'string',
    default: '127.0.0.1:9002',
    description: 'gRPC address of the calendar service',
  },
  CONTENT_GRPC: {
    kind: 'string',
    default: '127.0.0.1:9001',
    description: 'gRPC address of the content service',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
