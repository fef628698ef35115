/** Variables that several services have, as rows of config.ts; a service adds its own with a spread. */
import { type ConfigOf, type Variables, POSTGRES, WEB } from './config';

/** Whoever calls or serves gRPC. */
export const grpcTlsVariables = {
  GRPC_TLS_CERT: {
    kind: 'string',
    default: '',
    description: 'PEM file with the certificate of this process for gRPC; empty: no TLS',
  },
  GRPC_TLS_KEY: { kind: 'string', default: '', description: 'PEM file with the key of GRPC_TLS_CERT' },
  GRPC_TLS_CA: {
    kind: 'string',
    default: '',
    description:
      'PEM file with the authority that signs the certificates of the other processes; callers then need one too',
  },
} as const satisfies Variables;

/** Where traces go: of every process that serves. The names are those of OpenTelemetry. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: 'url',
    protocols: WEB,
    default: '',
    description:
      'where traces are sent by OTLP over HTTP, such as http://collector:4318; empty: there are none, and nothing of it is loaded',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    kind: 'string',
    default: '',
    secret: true,
    description: 'headers for it, such as a key: name=value pairs, separated by commas, percent-encoded',
  },
  OTEL_SERVICE_NAME: {
    kind: 'string',
    default: '',
    description: 'what the process is called in traces; empty: its service, with `-worker` where it is one',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    kind: 'string',
    default: '',
    description:
      'what else is told of the process, such as deployment.environment.name=production: name=value pairs, separated by commas, percent-encoded',
  },
  OTEL_TRACES_SAMPLER: {
    kind: 'string',
    oneOf: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    default: 'parentbased_always_on',
    description:
      'which traces are recorded: all, none or a share (OTEL_TRACES_SAMPLER_ARG); with `parentbased_` what another process has begun is recorded where that one records it',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    kind: 'number',
    default: 1,
    min: 0,
    max: 1,
    description: 'share of the traces that is recorded, where the sampler is one of a share',
  },
} as const satisfies Variables;

/** Processes that tests start say nothing of it. */
export type TracingConfig = Partial<ConfigOf<typeof tracingVariables>>;

/** What every service process needs; a service adds its own rows with a spread. */
export const serviceVariables = {
  ...grpcTlsVariables,
  ...tracingVariables,
  ROLE: {
    kind: 'string',
    oneOf: ['api', 'worker', 'all', 'migrate'],
    default: 'all',
    description:
      'which part of the service this process runs; `migrate` prepares the database for this version and ends',
  },
  HTTP_HOST: { kind: 'string', default: '127.0.0.1', description: 'address to listen on' },
  HTTP_PORT: {
    kind: 'port',
    default: 0,
    description: 'port for HTTP, health and metrics; 0 picks a free one',
  },
  GRPC_PORT: { kind: 'port', default: 0, description: 'port for gRPC; 0 picks a free one' },
  SITE_URL: {
    kind: 'site',
    default: 'http://127.0.0.1:8080',
    description: 'public address of the site; links in answers start with it',
  },
  ACTOR_SECRET: {
    kind: 'secrets',
    secret: true,
    description:
      'key that signs who is calling, shared by the gateway and the services; of several, separated by commas, the first one signs and all are believed',
  },
  LOG_LEVEL: {
    kind: 'string',
    oneOf: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    description: 'least severe level that is logged',
  },
  LEAVE_SECONDS: {
    kind: 'duration-seconds',
    default: 0,
    min: 0,
    max: 120,
    description:
      'how long a process that is asked to stop still serves, no longer ready and with each answer the last one on its connection, until nobody is sent to it any more; for replicas behind a balancer, more than 4',
  },
  SHUTDOWN_SECONDS: {
    kind: 'duration-seconds',
    default: 10,
    min: 1,
    max: 300,
    description: 'longest time to finish running requests and jobs when stopping',
  },
} as const satisfies Variables;

/** Added by services that keep data. */
export const databaseVariables = {
  DATABASE_URL: {
    kind: 'url',
    protocols: POSTGRES,
    secret: true,
    description: 'PostgreSQL database of this service',
  },
  DATABASE_DIRECT_URL: {
    kind: 'url',
    protocols: POSTGRES,
    default: '',
    secret: true,
    description:
      'the same database past a pooler such as PgBouncer, where DATABASE_URL leads through one: for listening to commits and for migrations, which need sessions of their own; empty: DATABASE_URL',
  },
  DATABASE_REPLICA_URL: {
    kind: 'url',
    protocols: POSTGRES,
    default: '',
    secret: true,
    description:
      'the same database on servers that follow it (streaming replication), for what is read with GET; those that lag behind are passed by; not through a pooler that shares connections; empty: none',
  },
  DATABASE_POOL: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 200,
    description:
      'most PostgreSQL connections of one process, with the listening one and those kept for searches, lists and signing in; 0: as many as its service declares, with which a whole site fits a server that takes 100',
  },
  DATABASE_WAIT_SECONDS: {
    kind: 'duration-seconds',
    default: 20,
    min: 1,
    max: 300,
    description:
      'longest time that a request, or a step of a job, waits for one of these connections to be free; then it is 503. Less than REQUEST_TIMEOUT_SECONDS',
  },
  REQUEST_TIMEOUT_SECONDS: {
    kind: 'duration-seconds',
    default: 30,
    min: 1,
    max: 600,
    description:
      'that of the gateway, to be given to all processes: one that serves refuses to wait for a connection until the gateway has given it up',
  },
  INSTANCE_ID: {
    kind: 'string',
    default: '',
    description:
      'names the site whose data and queues these are, the same for all of its processes; a database or Redis prefix of another one is refused; empty: whatever is there is taken',
  },
} as const satisfies Variables;

/** Added by services whose lists strangers may read. */
export const listVariables = {
  LIST_LIMIT_MS: {
    kind: 'integer',
    default: 2_000,
    min: 10,
    max: 15_000,
    description: "longest time in ms that a statement of a stranger's list may take; then the answer is 503",
  },
} as const satisfies Variables;

/** Added by services that keep files; which bucket is theirs is a variable of their own. */
export const storeVariables = {
  S3_ENDPOINT: {
    kind: 'url',
    protocols: WEB,
    default: '',
    description: 'address of an S3-compatible store',
  },
  S3_REGION: { kind: 'string', default: 'us-east-1', description: 'region of the bucket' },
  S3_ACCESS_KEY_ID: { kind: 'string', default: '', secret: true, description: 'access key of the bucket' },
  S3_SECRET_ACCESS_KEY: {
    kind: 'string',
    default: '',
    secret: true,
    description: 'secret key of the bucket',
  },
} as const satisfies Variables;

/** Added by services that use queues or domain events. */
export const redisVariables = {
  REDIS_URL: {
    kind: 'redis',
    secret: true,
    description:
      'Redis server for queues and domain events: redis://user:password@host:6379/0, with TLS rediss://…; or those who know the master, redis+sentinel://user:password@host:26379/0?master=NAME, with more of them as &sentinel=host:26379, and &sentinelPassword= where they want one of their own',
  },
  REDIS_TLS_CA: {
    kind: 'string',
    default: '',
    description:
      'PEM file with the authority that signed the certificates of rediss:// servers and Sentinels; empty: those the system trusts',
  },
  TAKE_OVER_SECONDS: {
    kind: 'duration-seconds',
    default: 15,
    min: 1,
    max: 600,
    description:
      'how long a worker gives no sign of life before another one takes over the jobs that it has in hand; twice as long for domain events. One that was only slow does its work twice, which has no further effect',
  },
  REDIS_PREFIX: {
    kind: 'string',
    default: 'sevenfold',
    description: 'prefix of every Redis key, so that stacks can share a server',
  },
} as const satisfies Variables;
