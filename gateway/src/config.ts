/** Variables of the gateway. */
import { type ServiceName, services } from '@sevenfold/catalog/catalog';
import { type ConfigOf, type Variable, type Variables, WEB } from '@sevenfold/chassis/config';
import {
  grpcTlsVariables,
  redisVariables,
  serviceVariables,
  tracingVariables,
} from '@sevenfold/chassis/variables';
import { DEFAULT_BODY_LIMIT } from '@sevenfold/chassis/http/body';
import { purgeStyles } from './cache/purge';

const { REDIS_TLS_CA, REDIS_PREFIX } = redisVariables;
const { HTTP_HOST, HTTP_PORT, SITE_URL, ACTOR_SECRET, LOG_LEVEL, LEAVE_SECONDS, SHUTDOWN_SECONDS } =
  serviceVariables;

const http = (service: string, port: number): Variable & { kind: 'url' } => ({
  kind: 'url',
  protocols: WEB,
  isServer: true,
  description: `where the ${service} service answers HTTP, such as http://127.0.0.1:${port}`,
});
const grpc = (service: string, port: number): Variable & { kind: 'grpc' } => ({
  kind: 'grpc',
  description: `where the ${service} service answers gRPC, such as 127.0.0.1:${port}`,
});

const atOnce = (most: number, what: string): Variable & { kind: 'integer'; default: number } => ({
  kind: 'integer',
  default: most,
  min: 1,
  max: 10_000,
  description: `most ${what} that one gateway has under way at once`,
});

const perMinute = (most: number, what: string): Variable & { kind: 'integer'; default: number } => ({
  kind: 'integer',
  default: most,
  min: 0,
  description: `most ${what} within a minute, by all gateways together; 0: any number`,
});

type Addresses = Readonly<
  Record<`${Uppercase<ServiceName>}_HTTP`, ReturnType<typeof http>> &
    Record<`${Uppercase<ServiceName>}_GRPC`, ReturnType<typeof grpc>>
>;

const addresses = Object.fromEntries(
  services.flatMap(({ name, ports }) => [
    [`${name.toUpperCase()}_HTTP`, http(name, ports.http)],
    [`${name.toUpperCase()}_GRPC`, grpc(name, ports.grpc)],
  ]),
) as Addresses;

export const variables = {
  HTTP_HOST,
  HTTP_PORT,
  SITE_URL,
  ACTOR_SECRET,
  LOG_LEVEL,
  LEAVE_SECONDS,
  SHUTDOWN_SECONDS,
  ...grpcTlsVariables,
  ...tracingVariables,
  TRUST_TRACEPARENT: {
    kind: 'boolean',
    default: false,
    description:
      'whether a request goes on with the trace that its client names (traceparent); otherwise it begins one of its own, which is linked to that of the client',
  },
  ...addresses,
  REDIS_URL: {
    kind: 'redis',
    default: '',
    secret: true,
    description:
      'Redis server, for limits that all gateways share and copies of what the services say of themselves; empty: each gateway counts for itself, and one that starts knows what it can ask',
  },
  REDIS_TLS_CA,
  REDIS_PREFIX,
  UNKNOWN_SERVICE_SECONDS: {
    kind: 'duration-seconds',
    default: 60,
    min: 0,
    max: 86_400,
    description:
      'how long a gateway that starts is not ready while it knows the routes of a service neither from it nor from a copy; then it serves the others',
  },
  METRICS_PORT: {
    kind: 'port',
    default: 0,
    description: 'port for /metrics, which the public port does not answer; 0 for none',
  },
  REQUEST_TIMEOUT_SECONDS: {
    kind: 'duration-seconds',
    default: 30,
    min: 1,
    max: 600,
    description: 'longest time a service may take to begin, or pause in, its answer',
  },
  READER_PATIENCE_SECONDS: {
    kind: 'duration-seconds',
    default: 60,
    min: 1,
    max: 600,
    description: 'how long a client may take nothing of an answer that waits for it before it is cut off',
  },
  ANSWER_SECONDS: {
    kind: 'duration-seconds',
    default: 900,
    min: 1,
    max: 86_400,
    description: 'longest time a request and its answer may take as a whole, however they are sent and read',
  },
  CONNECTIONS_PER_ADDRESS: {
    kind: 'integer',
    default: 256,
    min: 0,
    description:
      'most connections that one address, of IPv6 one network of 2^64, may have open, and ten times as many one network: a /24, of IPv6 a /48; 0: any number, as with TRUST_PROXY, where all come from the proxy',
  },
  MOST_CONNECTIONS: {
    kind: 'integer',
    default: 20_000,
    min: 0,
    description: 'most connections that may be open at all; more are closed at once; 0: any number',
  },
  HEADER_LIMIT_BYTES: {
    kind: 'integer',
    default: 32 * 1024,
    min: 4 * 1024,
    max: 1024 * 1024,
    description: 'most bytes of an address and its headers',
  },
  HEADER_LIMIT_COUNT: {
    kind: 'integer',
    default: 200,
    min: 20,
    max: 10_000,
    description: 'most headers of a request',
  },
  HEADER_SECONDS: {
    kind: 'duration-seconds',
    default: 20,
    min: 1,
    max: 300,
    description: 'longest time the head of a request may take to arrive',
  },
  BODY_SECONDS: {
    kind: 'duration-seconds',
    default: 120,
    min: 1,
    max: 86_400,
    description:
      'longest time a body may take to arrive; uploads, imports and forms with files are waited for as long as they keep coming, within ANSWER_SECONDS',
  },
  BODY_LIMIT_BYTES: {
    kind: 'integer',
    default: DEFAULT_BODY_LIMIT,
    min: 1024,
    // The services themselves take no more.
    max: DEFAULT_BODY_LIMIT,
    description: 'largest body of a request that neither imports events nor uploads a file',
  },
  UPLOAD_LIMIT_BYTES: {
    kind: 'integer',
    default: 64 * 1024 * 1024,
    min: 1024,
    description: 'largest file that may be uploaded',
  },
  FORM_LIMIT_BYTES: {
    kind: 'integer',
    default: 16 * 1024 * 1024,
    min: 1024,
    description: 'largest submission of a contact form, its files included',
  },
  READS_AT_ONCE: atOnce(128, 'reads of one service'),
  WRITES_AT_ONCE: atOnce(64, 'writes of one service'),
  UPLOADS_AT_ONCE: atOnce(32, 'uploads, and forms with files, of one service'),
  SIGN_INS_AT_ONCE: atOnce(64, 'checks of credentials that were not right lately'),
  STREAMS_AT_ONCE: atOnce(256, 'imports that are followed'),
  RATE_LIMIT_ADDRESS: perMinute(
    600,
    'requests of strangers from one address, of IPv6 from one network of 2^64',
  ),
  RATE_LIMIT_NETWORK: perMinute(6_000, 'requests of strangers from one network: a /24, of IPv6 a /48'),
  RATE_LIMIT_CREDENTIAL: perMinute(3_000, 'requests with one credential'),
  RATE_LIMIT_ATTEMPTS: perMinute(
    10,
    'wrong credentials from one address, and ten times as many from one network',
  ),
  RATE_LIMIT_LOG_INS: perMinute(30, 'wrong passwords for one account, from wherever they come'),
  RATE_LIMIT_ALLOW: {
    kind: 'string',
    default: 'imports',
    description:
      'what is not counted, separated by commas: networks such as 203.0.113.0/24, capabilities such as manage_imports, and imports: the batches that an import accepts',
  },
  CACHE_MEGABYTES: {
    kind: 'integer',
    default: 64,
    min: 0,
    max: 16_384,
    description:
      'memory for answers to strangers that are kept for as long as nothing in them has changed; 0 for none',
  },
  CACHE_SHARED_SECONDS: {
    kind: 'duration-seconds',
    default: 0,
    min: 0,
    max: 31_536_000,
    description:
      'how long caches on the way may show to all what they have, without asking (`s-maxage`); 0: they ask each time, as browsers do',
  },
  CACHE_KEY_HEADER: {
    kind: 'string',
    default: '',
    oneOf: ['Surrogate-Key', 'Cache-Tag', 'xkey'],
    description:
      'header that tells caches on the way by which keys an answer is to be dropped: Surrogate-Key, Cache-Tag or xkey; empty for none',
  },
  PURGE_URL: {
    kind: 'url',
    protocols: WEB,
    default: '',
    description: 'where a cache on the way is told which keys it has to drop; empty for nowhere',
  },
  PURGE_STYLE: {
    kind: 'string',
    default: 'surrogate-key',
    oneOf: purgeStyles,
    description:
      'how it is told: surrogate-key (POST with that header), xkey (PURGE with xkey-purge), ban (BAN with an expression in X-Ban-Keys) or json (POST with a list of tags)',
  },
  PURGE_TOKEN: {
    kind: 'string',
    default: '',
    secret: true,
    description:
      'what proves to it who tells (Fastly-Key for surrogate-key, else Authorization: Bearer); empty for nothing',
  },
  CREDENTIAL_SECONDS: {
    kind: 'number',
    default: 1,
    min: 0.001,
    // The signed header that is remembered with it is good for a minute.
    max: 30,
    description:
      'how long a credential that was right is not checked again; a revoked one works for as long at most',
  },
  CREDENTIAL_OUTAGE_SECONDS: {
    kind: 'duration-seconds',
    default: 300,
    min: 0,
    max: 86_400,
    description:
      'while the content service cannot be asked, how long after its last use a credential that was right still counts; 0 for not at all',
  },
  TOKEN_KEYS: {
    kind: 'secrets',
    default: '',
    secret: true,
    description:
      'secrets of at least 32 characters that sign the access tokens of sessions, the same for all gateways; of several, separated by commas, the first one signs and all count; empty: there are no sessions',
  },
  ACCESS_TOKEN_SECONDS: {
    kind: 'duration-seconds',
    default: 900,
    min: 1,
    max: 3_600,
    description: 'how long an access token is good; then its client exchanges the refresh token',
  },
  CORS_ORIGINS: {
    kind: 'origins',
    default: '',
    description:
      'origins, separated by commas, whose pages may use credentials that a browser remembers, such as https://app.example.org; pages of others may read without',
  },
  CLIENT_PROFILES: {
    kind: 'string',
    default: '',
    description:
      'vocabularies, separated by commas, that clients of other interfaces may speak besides ours, such as wordpress; empty: none',
  },
  FRONTEND_URL: {
    kind: 'site',
    default: '',
    description:
      'where the pages of the site are made, such as https://www.example.org: the addresses of its items lead there; empty: the gateway shows them as plain pages',
  },
  EXPLORER: {
    kind: 'boolean',
    default: true,
    description: 'whether /docs shows the interface and lets it be tried in a browser',
  },
  JSONP: {
    kind: 'boolean',
    default: false,
    description:
      'whether reads of strangers are answered as a script that calls the function of _jsonp, for pages of a time before CORS',
  },
  TRUST_PROXY: {
    kind: 'boolean',
    default: false,
    description:
      'whether the X-Forwarded headers of the one proxy in front of the gateway are believed; of X-Forwarded-For only the last address, which is the one that proxy added, counts and is passed on',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
