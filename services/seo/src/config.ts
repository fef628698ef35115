/** Variables of the seo service. */
import type { ConfigOf, Variables } from '@sevenfold/chassis/config';
import { databaseVariables, redisVariables, serviceVariables } from '@sevenfold/chassis/variables';

export const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...redisVariables,
  CONTENT_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9001',
    description: 'gRPC address of the content service',
  },
  CALENDAR_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9002',
    description: 'gRPC address of the calendar service',
  },
  EXTERNAL_CHECK: {
    kind: 'boolean',
    default: true,
    description:
      'whether administrators may have the public address of the site fetched, as a search engine would',
  },
  OUTBOUND_ALLOW_PRIVATE: {
    kind: 'boolean',
    default: false,
    description:
      'whether that address may be a private one; only for sites in a network of their own, and for development',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
