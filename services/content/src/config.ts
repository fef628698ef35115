/** Variables of the content service. */
import type { ConfigOf, Variables } from '@sevenfold/chassis/config';
import {
  databaseVariables,
  listVariables,
  redisVariables,
  serviceVariables,
  storeVariables,
} from '@sevenfold/chassis/variables';

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
    description:
      'whether pictures may be fetched from addresses of private networks, and webhooks sent there',
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
  SPAM_KEY_SECRETS: {
    kind: 'string',
    secret: true,
    default: '',
    description:
      'secrets under which those of webhooks are stored, separated by commas: the first one seals, the others still open what was sealed before; empty: no webhook can be registered',
  },
  WEBHOOK_TIMEOUT_MS: {
    kind: 'integer',
    default: 10_000,
    min: 100,
    max: 15_000,
    description: 'milliseconds that the receiver of a webhook has for its answer',
  },
  WEBHOOK_AT_ONCE: {
    kind: 'integer',
    default: 4,
    min: 1,
    max: 100,
    description: 'deliveries of one webhook at the same time; of one object never more than one',
  },
  WEBHOOK_RETRY_SECONDS: {
    kind: 'duration-seconds',
    default: 5,
    min: 1,
    max: 3_600,
    description:
      'time before the first repetition of a delivery that failed; each further one waits four times as long, four hours at most',
  },
  WEBHOOK_GIVE_UP_HOURS: {
    kind: 'integer',
    default: 24,
    min: 1,
    max: 168,
    description: 'hours after which a delivery is given up, and a webhook disabled where nothing has arrived',
  },
  WEBHOOK_ROTATION_HOURS: {
    kind: 'integer',
    default: 24,
    min: 1,
    max: 720,
    description: 'hours for which the secret before a new one signs as well',
  },
  WEBHOOK_KEEP_DAYS: {
    kind: 'integer',
    default: 30,
    min: 1,
    max: 365,
    description: 'days for which deliveries are kept to be looked at and sent again',
  },
  CALENDAR_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9002',
    description: 'gRPC address of the calendar',
  },
  CONTENT_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9001',
    description: 'gRPC address of the content service itself, where its workers read what readers see',
  },
  FORMS_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9004',
    description: 'gRPC address of the forms service',
  },
  IMPORTS_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9003',
    description: 'gRPC address of the imports service',
  },
  OEMBED_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9007',
    description: 'gRPC address of the oembed service',
  },
  SPAMFILTER_GRPC: {
    kind: 'grpc',
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
  REFRESH_TOKEN_SECONDS: {
    kind: 'duration-seconds',
    default: 30 * 24 * 3_600,
    min: 1,
    max: 365 * 24 * 3_600,
    description: 'how long a session lasts that is not refreshed',
  },
  REFRESH_GRACE_SECONDS: {
    kind: 'duration-seconds',
    default: 10,
    min: 0,
    max: 60,
    description:
      'how long a refresh token that was exchanged gets the same new one again, where its client has lost the answer and nobody has used it; 0: not at all',
  },
  SESSION_SECONDS: {
    kind: 'duration-seconds',
    default: 180 * 24 * 3_600,
    min: 1,
    max: 3_650 * 24 * 3_600,
    description:
      'how long a session lasts at most, however often it is refreshed; then its user logs in again',
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
