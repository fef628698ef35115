/** Variables of the forms service. */
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
  FILES_DIR: {
    kind: 'string',
    default: '.data/files/forms',
    description: 'private folder of the service: files that visitors submitted, and the local mailbox',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
