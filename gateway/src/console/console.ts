/**
 * `/console/api`: what the people who run the site ask for, beside the interface of the site. Its routes are declared
 * and served like those of any service; who is calling is known from the gateway's own sign-in.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ACTOR_HEADER } from '@sevenfold/chassis/actor';
import { ADDRESS_HEADER } from '@sevenfold/chassis/http/client-address';
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import { dialAll } from '@sevenfold/chassis/grpc/neighbours';
import { type RequestHandler, serve } from '@sevenfold/chassis/http/road';
import type { Outgoing } from '@sevenfold/chassis/http/send';
import { WANTS_TAGS_HEADER } from '@sevenfold/chassis/http/shows';
import type { Log } from '@sevenfold/chassis/log';
import { openLru } from '@sevenfold/chassis/lru';
import { type Seen, fromHeaders } from '@sevenfold/chassis/news/seen';
import { IdentityServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { SessionServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/sessions';
import { WebhookServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import { SubmissionServiceService } from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import { ImportsServiceService } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import { NoticeServiceService } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/notices';
import { OverrideServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import type { Config } from '../config';
import { errors } from '../edge/errors';
import type { Answer, Exchange } from '../edge/exchange';
import { isOurs } from '../edge/headers';
import { bearerOf } from '../identity/bearer';
import type { Tokens } from '../identity/tokens';
import type { Limits } from '../limits/limits';
import { typeOf } from '../relay/bodies';
import { type Upstreams, signInTargetOf, targetOf } from '../relay/upstreams';
import { takePlace } from '../relay/ways';
import type { Surroundings } from '../site/address';
import type { ConsoleInterfaces } from './deps';
import { resources } from './resources';

type Asking = Pick<Exchange, 'caller' | 'id' | 'signedAddress' | 'span' | 'traceparent'>;

export interface Console {
  readonly answer: (request: IncomingMessage, response: ServerResponse, of: Asking) => Promise<void>;
  /** The answer itself; `seen` notes what it was made of. Of what is not made while it is sent. */
  readonly make: (
    request: IncomingMessage,
    response: ServerResponse,
    of: Asking,
    seen: Seen,
  ) => Promise<Answer>;
  /** Ends the answers that would go on for ever; browsers ask for them again, elsewhere. */
  readonly endStreams: () => void;
  readonly close: () => Promise<void>;
}

/** None that a form can have. */
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;

const MOST_NAMES = 10_000;
const NAME_MS = 24 * 3_600_000;

export interface ConsoleOptions {
  readonly config: Config;
  readonly dial: Dial;
  readonly upstreams: Upstreams;
  /** How often an address may be wrong, and whoever names an account. */
  readonly limits: Pick<Limits, 'attempts' | 'accounts'>;
  readonly tokens: Tokens;
  readonly site: Surroundings;
  readonly realm: string;
  /** Told what a write made old, before it is answered. */
  readonly onWrote: (told: string | undefined) => void;
  readonly log: Log;
}

/**
 * A form of another site, or no body at all, could be posted with the credentials a browser remembers; JSON cannot, without being
 * asked for, and no other method. Browsers name the origin of whatever may change something, and newer ones whether it is the site's own;
 * no browser remembers a token.
 */
const mayBeForeign = ({ method, headers }: IncomingMessage): boolean =>
  method === 'POST' &&
  headers.origin !== undefined &&
  headers['sec-fetch-site'] !== 'same-origin' &&
  bearerOf(headers.authorization) === undefined;

export function openConsole(options: ConsoleOptions): Console {
  const { config, dial, upstreams, limits, tokens, site, realm, onWrote, log } = options;
  const clients = dialAll<ConsoleInterfaces>(dial, log, {
    identity: [IdentityServiceService, targetOf(upstreams, 'content')],
    imports: [ImportsServiceService, targetOf(upstreams, 'imports')],
    notices: [NoticeServiceService, targetOf(upstreams, 'spamfilter')],
    overrides: [OverrideServiceService, targetOf(upstreams, 'seo')],
    sessions: [SessionServiceService, targetOf(upstreams, 'content')],
    signIn: [SessionServiceService, signInTargetOf(upstreams)],
    submissions: [SubmissionServiceService, targetOf(upstreams, 'forms')],
    webhooks: [WebhookServiceService, targetOf(upstreams, 'content')],
  });
  const names = openLru<string, number>({ most: MOST_NAMES, ttl: NAME_MS });
  const accountNames = {
    get: (name: string) => names.get(name),
    set: (name: string, userId: number) => void names.set(name, userId),
  };
  const stopping = new AbortController();
  const takers = new WeakMap<IncomingMessage, (answer: Outgoing) => void>();
  const handle: RequestHandler = serve({
    namespace: 'api',
    base: '/console',
    resources,
    deps: {
      ...clients,
      attempts: limits.attempts,
      accounts: limits.accounts,
      accountNames,
      tokens,
      site,
      realm,
      follow: () => takePlace(upstreams.streams),
      stopping: stopping.signal,
    },
    log,
    siteUrl: config.SITE_URL,
    actorSecret: config.ACTOR_SECRET,
    onWrote,
    take: (request, answer) => {
      const taker = takers.get(request);
      taker?.(answer);
      return taker !== undefined;
    },
  });
  const enter: Console['answer'] = (request, response, { caller, id, signedAddress, span, traceparent }) => {
    const type = typeOf(request.headers['content-type']);
    if ((type !== '' || mayBeForeign(request)) && !JSON_TYPE.test(type)) throw errors.onlyJson(type);
    // Its road believes what it reads, as that of a service does.
    for (const name in request.headers) if (isOurs(name)) delete request.headers[name];
    request.headers['x-request-id'] = id;
    request.headers[ADDRESS_HEADER] = signedAddress;
    const from = span?.traceparent ?? traceparent;
    if (from !== '') request.headers.traceparent = from;
    if (caller) request.headers[ACTOR_HEADER] = caller.header;
    if (takers.has(request)) request.headers[WANTS_TAGS_HEADER] = '1';
    return handle(request, response);
  };
  return {
    answer: enter,
    make: (request, response, of, seen) =>
      new Promise((resolve, reject) => {
        takers.set(request, (answer) => resolve(answerOf(answer, seen)));
        enter(request, response, of).catch(reject);
      }),
    endStreams: () => stopping.abort(),
    close: () => clients.close(),
  };
}

/** Its own headers, and noted what it tells of its making. */
function answerOf({ status, headers, body }: Outgoing, seen: Seen): Answer {
  const told = fromHeaders((name) => headers[name]);
  seen.note('console', told);
  const own = Object.entries(headers).filter(([name]) => !isOurs(name));
  return { status, headers: Object.fromEntries(own), body: Buffer.from(body as string | Buffer) };
}
