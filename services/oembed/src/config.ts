/** Variables of the oembed service. */
import type { ConfigOf, Variables } from '@sevenfold/chassis/config';
import { redisVariables, serviceVariables } from '@sevenfold/chassis/variables';

export const variables = {
  ...serviceVariables,
  ...redisVariables,
  CALENDAR_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9002',
    description: 'gRPC address of the calendar service',
  },
  CONTENT_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9001',
    description: 'gRPC address of the content service',
  },
  OUTBOUND_ALLOW_PRIVATE: {
    kind: 'boolean',
    default: false,
    description: 'whether providers may be asked at addresses of private networks',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
