/** Variables of the forms service. */
import type { ConfigOf, Variables } from '@sevenfold/chassis/config';
import {
  databaseVariables,
  redisVariables,
  serviceVariables,
  storeVariables,
} from '@sevenfold/chassis/variables';

const days = { kind: 'integer', min: 0, max: 36_500 } as const;

const retentionVariables = {
  SPAM_DAYS: {
    ...days,
    default: 15,
    min: 1,
    description: 'days that the spam folder keeps submissions, where the spam filter names no other number',
  },
  TRASH_DAYS: { ...days, default: 30, min: 1, description: 'days after which submissions in the trash go' },
  INBOX_DAYS: { ...days, default: 0, description: 'days after which all other submissions go; 0: never' },
  UPLOAD_DAYS: {
    ...days,
    default: 0,
    description: 'days after which files go, while their submissions stay; 0: with their submissions',
  },
} as const satisfies Variables;

const mailVariables = {
  SMTP_URL: {
    kind: 'url',
    default: '',
    secret: true,
    description:
      'mail server as smtp://user:password@host:port, or smtps:// for TLS from the start; without it and SMTP_HOST mail lands in the local mailbox',
  },
  SMTP_HOST: { kind: 'string', default: '', description: 'mail server, where SMTP_URL is not set' },
  SMTP_PORT: { kind: 'port', default: 587, description: 'port of SMTP_HOST; 465 means TLS from the start' },
  SMTP_USER: { kind: 'string', default: '', description: 'user at SMTP_HOST; empty: none' },
  SMTP_PASSWORD: { kind: 'string', default: '', secret: true, description: 'password of SMTP_USER' },
  SMTP_STARTTLS: {
    kind: 'string',
    oneOf: ['offered', 'required', 'never'],
    default: 'offered',
    description: 'when a connection without TLS is turned into one with it: no mail goes out where it fails',
  },
  SMTP_TLS_CA: {
    kind: 'string',
    default: '',
    description:
      'PEM file with the authority that signed the certificate of the mail server; empty: those the system trusts',
  },
  SMTP_DSN: {
    kind: 'string',
    oneOf: ['', 'never', 'failure', 'failure,delay', 'success,failure,delay'],
    default: '',
    description: 'which notifications about delivery the mail server is asked for; empty: its own choice',
  },
  SMTP_CONNECTIONS: {
    kind: 'integer',
    default: 3,
    min: 1,
    max: 50,
    description: 'most connections of one process to the mail server',
  },
  SMTP_TIMEOUT: {
    kind: 'duration-seconds',
    default: 30,
    min: 1,
    max: 600,
    description: 'longest wait for the mail server: to connect, to greet, to answer',
  },
  MAIL_RETRY_SECONDS: {
    kind: 'duration-seconds',
    default: 15,
    min: 1,
    max: 3_600,
    description: 'pause before a mail is tried again; it doubles with each try',
  },
  MAIL_GIVE_UP_SECONDS: {
    kind: 'duration-seconds',
    default: 86_400,
    min: 1,
    max: 2_592_000,
    description: 'how long a mail is tried again before it counts as failed',
  },
  MAILBOX_FILES: {
    kind: 'integer',
    default: 1_000,
    min: 1,
    max: 100_000,
    description: 'most mails in the local mailbox; the oldest make room',
  },
  MAILBOX_MEGABYTES: {
    kind: 'integer',
    default: 200,
    min: 1,
    max: 100_000,
    description: 'most that the mails of the local mailbox take together',
  },
} as const satisfies Variables;

export const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...redisVariables,
  ...storeVariables,
  SITE_TIMEZONE: {
    kind: 'timezone',
    default: 'UTC',
    description: 'time zone of the site: when the day begins for dates in forms',
  },
  CORS_ORIGINS: {
    kind: 'origins',
    default: '',
    description:
      'origins, separated by commas, to whose pages browsers may be sent back from a form; those of the site always',
  },
  FORM_LIMIT_BYTES: {
    kind: 'integer',
    default: 16 * 1024 * 1024,
    min: 1024,
    description: 'largest submission of a form, its files included',
  },
  FORM_REPEAT_SECONDS: {
    kind: 'duration-seconds',
    default: 10,
    min: 0,
    max: 3600,
    description: 'how long the same submission from the same address counts as a repeat',
  },
  FORM_MEGABYTES_PER_HOUR: {
    kind: 'integer',
    default: 1_000,
    min: 0,
    max: 1_000_000,
    description:
      'most that is kept of submissions from one address, of IPv6 one network of 2^64, within an hour; 0: any amount',
  },
  FORM_WAIT_SECONDS: {
    kind: 'duration-seconds',
    default: 10,
    min: 1,
    max: 25,
    description: 'longest wait for the mail of forms that ask for it',
  },
  FILES_DIR: {
    kind: 'string',
    default: '.data/files/forms',
    description: 'private folder of the service: files that visitors submitted, and the local mailbox',
  },
  FILES_S3_BUCKET: {
    kind: 'string',
    default: '',
    description:
      'private bucket for files that visitors submitted, never the one of the media files; empty keeps them in FILES_DIR',
  },
  CONTENT_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9001',
    description: 'gRPC address of the content service',
  },
  SPAMFILTER_GRPC: {
    kind: 'grpc',
    default: '127.0.0.1:9005',
    description: 'gRPC address of the spam filter',
  },
  ...mailVariables,
  ...retentionVariables,
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
