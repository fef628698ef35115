/**
 * How much anybody may ask in a minute: strangers by their address and the network around it, users by their credential,
 * wrong credentials by address. Counted here and shared with the other gateways (shared.ts). Preflights are the browser's
 * own and take nothing from those limits; they have wider ones. Not counted are what RATE_LIMIT_ALLOW names, and health.
 */
import { ConfigError } from '@sevenfold/chassis/config';
import type { Log } from '@sevenfold/chassis/log';
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
import { openShared } from './shared';
import { type Allowed, readAllowed, sourcesOf } from './sources';

export interface Limits {
  /** Throws 429 where too much came already; otherwise the request counts. */
  readonly admitStranger: (exchange: Exchange) => void;
  admitCaller(exchange: Exchange, caller: Caller): void;
  /** For checks of credentials. */
  readonly attempts: Attempts;
  /** For checks of passwords, beside those. */
  readonly accounts: Accounts;
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
  const counters = openShared(config, log);
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
  for (const limit of [...counted, ATTEMPTS, NETWORK_ATTEMPTS, LOG_INS]) refused.inc({ limit }, 0);

  /** Answers the names that were counted. The limit that leaves the least is told of. */
  const take = (exchange: Exchange, group: Group, whoOf: (policy: string) => string): readonly string[] => {
    const { policies, header } = group;
    let nearest: (Policy & Standing) | undefined;
    const names = policies.map((policy) => {
      const name = `${policy.name}:${whoOf(policy.name)}`;
      const standing = counters.standing(name, policy.limit);
      if (!nearest || standing.left < nearest.left) nearest = { ...policy, ...standing };
      return name;
    });
    if (!nearest) return names;
    const { name, limit, left } = nearest;
    const seconds = wholeSeconds(nearest.waitMs);
    if (header)
      exchange.limits = [...header, 'RateLimit', `"${name}";r=${Math.max(left - 1, 0)};t=${seconds}`];
    if (left === 0) {
      refused.inc({ limit: name });
      throw errors.tooManyRequests(limit, seconds);
    }
    for (const counted of names) counters.add(counted);
    return names;
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

  return {
    admitStranger: (exchange) => {
      const source = sourceOf(exchange.address);
      if (source.allowed) return;
      const whoOf = (policy: string): string => source[policy as 'address' | 'network'];
      if (isPreflight(exchange))
        return void take(exchange, preflights, (policy) => whoOf(policy.slice(PREFLIGHT.length)));
      const names = take(exchange, strangers, whoOf);
      if (!allowed.words.has(IMPORTS) || !IMPORT.test(exchange.path)) return;
      const { response } = exchange;
      response.once('finish', () => {
        // Whatever it was sent as: others are good there for anybody.
        if (exchange.method !== 'POST' || exchange.wrapping) return;
        if (response.statusCode < 300) for (const name of names) counters.add(name, -1);
      });
    },
    admitCaller: (exchange, { actor, credential }) => {
      if (sourceOf(exchange.address).allowed) return;
      for (const word of allowed.words) if (actor.capabilities.has(word)) return;
      take(exchange, callers, () => `${actor.id}.${credential}`);
    },
    attempts: { run: (address, check) => byAddress.run(address, () => byNetwork.run(address, check)) },
    accounts: openAccounts(
      attemptsOf(LOG_INS, config.RATE_LIMIT_LOG_INS, (account) => account),
      addressOf,
    ),
    connections: createConnectionLimit(
      {
        perAddress: config.TRUST_PROXY ? 0 : config.CONNECTIONS_PER_ADDRESS,
        inAll: config.MOST_CONNECTIONS,
      },
      sourceOf,
    ),
    close: () => counters.close(),
  };
}

const ATTEMPTS = 'attempts';
const NETWORK_ATTEMPTS = 'network-attempts';
/** As many times what an address has. */
const ATTEMPTS_OF_A_NETWORK = 10;
const LOG_INS = 'log-ins';

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
