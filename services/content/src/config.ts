/** Variables of the content service. */
import {
  type ConfigOf,
  type Variables,
  databaseVariables,
  listVariables,
  redisVariables,
  serviceVariables,
  storeVariables,
} from '@sevenfold/chassis/config';

export const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...listVariables,
  ...redisVariables,
  ...storeVariables,
  SITE_TIMEZONE: {
    kind: 'timezone',
    default: 'UTC',
    description: 'time zone of a new site; afterwards the setting counts',
  },
  SITE_TITLE: {
    kind: 'string',
    default: 'Sevenfold',
    description: 'title of a new site; afterwards the setting counts',
  },
  UPLOADS_DIR: {
    kind: 'string',
    default: '.data/uploads',
    description: 'folder of the media files; unused with S3_BUCKET',
  },
  S3_BUCKET: {
    kind: 'string',
    default: '',
    description: 'bucket of the media files; empty keeps them in UPLOADS_DIR',
  },
  OUTBOUND_ALLOW_PRIVATE: {
    kind: 'boolean',
    default: false,
    description: 'whether pictures may be fetched from addresses of private networks',
  },
  UPLOAD_LIMIT_BYTES: {
    kind: 'integer',
    default: 64 * 1024 * 1024,
    min: 1024,
    description: 'largest file that may be uploaded',
  },
  COMMENT_REGISTRATION: {
    kind: 'boolean',
    default: false,
    description: 'whether only users who are logged in may comment',
  },
  COMMENT_FLOOD_SECONDS: {
    kind: 'duration-seconds',
    default: 15,
    min: 0,
    description: 'least time between two comments of one person',
  },
  COMMENT_DISALLOWED_WORDS: {
    kind: 'string',
    default: '',
    description: 'comma-separated words that send a comment to the trash',
  },
  COMMENT_SPAM_CHECK: {
    kind: 'boolean',
    default: true,
    description:
      'whether the spam filter is asked about the comments of those who may not moderate, and told what moderators decide',
  },
  CALENDAR_GRPC: {
    kind: 'string',
    default: '127.0.0.1:9002',
    description: 'gRPC address of the calendar',
  },
  OEMBED_GRPC: {
    kind: 'string',
    default: '127.0.0.1:9007',
    description: 'gRPC address of the oembed service',
  },
  SPAMFILTER_GRPC: {
    kind: 'string',
    default: '127.0.0.1:9005',
    description: 'gRPC address of the spam filter',
  },
  SPAMFILTER_DEADLINE_MS: {
    kind: 'integer',
    default: 1_000,
    min: 50,
    max: 10_000,
    description:
      'milliseconds that a comment waits for the spam filter before it is held and checked in the background',
  },
  TRASH_ENABLED: {
    kind: 'boolean',
    default: true,
    description: 'whether deleting without force moves posts, pages and comments to the trash',
  },
  MEDIA_TRASH_ENABLED: {
    kind: 'boolean',
    default: false,
    description: 'whether deleting without force moves media to the trash',
  },
  ADMIN_USERNAME: {
    kind: 'string',
    default: '',
    description: 'user name of the administrator to create on a site that has none',
  },
  ADMIN_PASSWORD: {
    kind: 'string',
    default: '',
    secret: true,
    description: 'password of that administrator',
  },
  ADMIN_EMAIL: {
    kind: 'string',
    default: 'admin@example.org',
    description: 'e-mail address of that administrator',
  },
  ADMIN_APPLICATION_PASSWORD: {
    kind: 'string',
    default: '',
    secret: true,
    description: 'application password of that administrator, for scripts',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
