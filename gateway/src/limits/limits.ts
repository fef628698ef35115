/**
 * How much anybody may ask in a minute: strangers by their address and the network around it, users by their credential,
 * wrong credentials by address. Counted here and shared with the other gateways (shared.ts, right-lately.ts). Preflights are
 * the browser's own and take nothing from those limits; they have wider ones. Not counted are what RATE_LIMIT_ALLOW names, and health.
 */
import { ConfigError } from '@sevenfold/chassis/config';
import type { Log } from '@sevenfold/chassis/log';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import { readRedisCa } from '@sevenfold/chassis/tls';
import { Counter } from 'prom-client';
import type { Config } from '../config';
import { isPreflight } from '../edge/cors';
import { errors } from '../edge/errors';
import type { Exchange } from '../edge/exchange';
import type { Caller } from '../identity/caller';
import { type Accounts, openAccounts } from './accounts';
import { type Attempts, openAttempts } from './attempts';
import { type ConnectionLimit, createConnectionLimit } from './connections';
import { type Standing, WINDOW_MS, wholeSeconds } from './counters';
import { type RightLately, openRightLately } from './right-lately';
import { openShared } from './shared';
import { type Allowed, type Source, readAllowed, sourcesOf } from './sources';

export interface Limits {
  /** Throws 429 where too much came already; otherwise the request counts. */
  readonly admitStranger: (exchange: Exchange) => void;
  admitCaller(exchange: Exchange, caller: Caller): void;
  /** For who is refused before he is counted: the answer tells what is left, and nothing is taken. */
  tell(exchange: Exchange): void;
  /** For checks of credentials. */
  readonly attempts: Attempts;
  /** For checks of passwords, in place of those. */
  readonly accounts: Accounts;
  /** Who was right at other gateways. */
  readonly rightLately: RightLately;
  readonly connections: ConnectionLimit;
  close(): Promise<void>;
}

interface Policy {
  readonly name: string;
  /** In a minute; 0 for none. */
  readonly limit: number;
}

const refused = new Counter({
  name: 'gateway_rate_limited_total',
  help: 'Requests that were refused because too many came, by the limit that was reached',
  labelNames: ['limit'],
});

/** Of RATE_LIMIT_ALLOW: batches that an import has accepted prove by their hash where they come from. */
const IMPORTS = 'imports';
const IMPORT = /^\/rest\/calendar\/event-aggregator\/v1\/import\//i;

/** Some browsers ask before each request, also of those who are counted by their credential. */
const PREFLIGHTS_PER_REQUEST = 10;
const PREFLIGHT = 'preflight-';

export function openLimits(config: Config, log: Log): Limits {
  const allowed = allowedBy(config.RATE_LIMIT_ALLOW);
  const sourceOf = sourcesOf(allowed);
  const redis = config.REDIS_URL === '' ? undefined : openRedis(config.REDIS_URL, log, readRedisCa(config));
  const counters = openShared(config, redis, log);
  const rightLately = openRightLately(config, redis);
  const strangers = groupOf([
    { name: 'address', limit: config.RATE_LIMIT_ADDRESS },
    { name: 'network', limit: config.RATE_LIMIT_NETWORK },
  ]);
  const preflights: Group = {
    policies: strangers.policies.map(({ name, limit }) => ({
      name: PREFLIGHT + name,
      limit: limit * PREFLIGHTS_PER_REQUEST,
    })),
  };
  const callers = groupOf([{ name: 'credential', limit: config.RATE_LIMIT_CREDENTIAL }]);
  const groups = [strangers, preflights, callers];
  const counted = groups.flatMap(({ policies }) => policies.map(({ name }) => name));
  for (const limit of [...counted, ATTEMPTS, NETWORK_ATTEMPTS, LOG_INS, KNOWN_LOG_INS])
    refused.inc({ limit }, 0);

  /** The limit that leaves the least, for the longest, is told of, as it is when `taken` more have come. */
  const look = (exchange: Exchange, { policies, header }: Group, whoOf: WhoOf, taken: number): Look => {
    let nearest: (Policy & Standing) | undefined;
    const names = policies.map((policy) => {
      const name = `${policy.name}:${whoOf(policy.name)}`;
      const standing = counters.standing(name, policy.limit);
      if (!nearest || isNearer(standing, nearest)) nearest = { ...policy, ...standing };
      return name;
    });
    if (nearest && header) {
      const { name, left, waitMs } = nearest;
      const rest = `"${name}";r=${Math.max(left - taken, 0)};t=${wholeSeconds(waitMs)}`;
      exchange.limits = [...header, 'RateLimit', rest];
    }
    return { names, nearest };
  };
  /** Answers the names that were counted. */
  const take = (exchange: Exchange, group: Group, whoOf: WhoOf): readonly string[] => {
    const { names, nearest } = look(exchange, group, whoOf, 1);
    if (nearest?.left === 0) {
      refused.inc({ limit: nearest.name });
      throw errors.tooManyRequests(nearest.limit, wholeSeconds(nearest.waitMs));
    }
    for (const counted of names) counters.add(counted);
    return names;
  };
  /** Of an import's batches, those that it accepts. */
  const giveBackAccepted = (exchange: Exchange, names: readonly string[]): void => {
    if (!allowed.words.has(IMPORTS) || !IMPORT.test(exchange.path)) return;
    const { response } = exchange;
    response.once('finish', () => {
      // Whatever it was sent as: others are good there for anybody.
      if (exchange.method !== 'POST' || exchange.wrapping) return;
      if (response.statusCode < 300) for (const name of names) counters.add(name, -1);
    });
  };

  const attemptsOf = (name: string, limit: number, whoOf: (given: string) => string): Attempts =>
    openAttempts({
      counters,
      limit,
      nameOf: (given) => `${name}:${whoOf(given)}`,
      onRefused: () => refused.inc({ limit: name }),
    });
  const addressOf = (text: string): string => sourceOf(text).address;
  const byAddress = attemptsOf(ATTEMPTS, config.RATE_LIMIT_ATTEMPTS, addressOf);
  // Whoever has one address of IPv6 has thousands.
  const byNetwork = attemptsOf(
    NETWORK_ATTEMPTS,
    ATTEMPTS_OF_A_NETWORK * config.RATE_LIMIT_ATTEMPTS,
    (text) => sourceOf(text).network,
  );
  const attempts: Attempts = {
    run: (address, check) => byAddress.run(address, () => byNetwork.run(address, check)),
  };

  return {
    admitStranger: (exchange) => {
      const source = sourceOf(exchange.address);
      if (source.allowed) return;
      const whoOf = whoIn(source);
      if (isPreflight(exchange))
        return void take(exchange, preflights, (policy) => whoOf(policy.slice(PREFLIGHT.length)));
      giveBackAccepted(exchange, take(exchange, strangers, whoOf));
    },
    admitCaller: (exchange, { actor, credential }) => {
      if (sourceOf(exchange.address).allowed) return;
      for (const word of allowed.words) if (actor.capabilities.has(word)) return;
      giveBackAccepted(
        exchange,
        take(exchange, callers, () => `${actor.id}.${credential}`),
      );
    },
    tell: (exchange) => {
      if (exchange.limits || exchange.caller || isPreflight(exchange)) return;
      const source = sourceOf(exchange.address);
      if (!source.allowed) look(exchange, strangers, whoIn(source), 0);
    },
    attempts,
    accounts: openAccounts({
      byAddress: attempts,
      byAccount: attemptsOf(LOG_INS, config.RATE_LIMIT_LOG_INS, (account) => account),
      byBoth: attemptsOf(KNOWN_LOG_INS, config.RATE_LIMIT_ATTEMPTS, (account) => account),
      addressOf,
      elsewhere: rightLately,
    }),
    rightLately,
    connections: createConnectionLimit(
      {
        perAddress: config.TRUST_PROXY ? 0 : config.CONNECTIONS_PER_ADDRESS,
        inAll: config.TRUST_PROXY ? 0 : config.MOST_CONNECTIONS,
      },
      sourceOf,
    ),
    close: async () => {
      await counters.close();
      if (redis) await closeRedis(redis);
    },
  };
}

const ATTEMPTS = 'attempts';
const NETWORK_ATTEMPTS = 'network-attempts';
/** As many times what an address has. */
const ATTEMPTS_OF_A_NETWORK = 10;
const LOG_INS = 'log-ins';
const KNOWN_LOG_INS = 'known-log-ins';

/** Who is counted by a policy. */
type WhoOf = (policy: string) => string;
const whoIn =
  (source: Source): WhoOf =>
  (policy) =>
    source[policy as 'address' | 'network'];

interface Look {
  readonly names: readonly string[];
  readonly nearest?: Policy & Standing;
}

/** Of two that leave nothing the first to let something through again leads to the other one. */
const isNearer = (one: Standing, other: Standing): boolean =>
  one.left < other.left || (one.left === other.left && one.waitMs > other.waitMs);

/** What holds for the same requests together. */
interface Group {
  readonly policies: readonly Policy[];
  /** What is told of them, of the two fields of draft-ietf-httpapi-ratelimit-headers; absent where nothing is. */
  readonly header?: readonly string[];
}

function groupOf(all: readonly Policy[]): Group {
  const policies = all.filter(({ limit }) => limit > 0);
  const told = policies.map(({ name, limit }) => `"${name}";q=${limit};w=${WINDOW_MS / 1000}`);
  return { policies, header: ['RateLimit-Policy', told.join(', ')] };
}

function allowedBy(text: string): Allowed {
  try {
    return readAllowed(text);
  } catch (error) {
    throw new ConfigError([`RATE_LIMIT_ALLOW: ${(error as Error).message}`]);
  }
}
