/**
 * The gateway's way up and down. It answers from its first moment, whichever services are there; it stops by taking
 * no more requests and finishing those that run.
 */
import { ConfigError } from '@sevenfold/chassis/config';
import { dialer } from '@sevenfold/chassis/grpc/dial';
import { type Log, createLog } from '@sevenfold/chassis/log';
import { startHttpServer } from '@sevenfold/chassis/http/server';
import { readGrpcTls } from '@sevenfold/chassis/tls';
import { leave, stopInTime } from '@sevenfold/chassis/stop';
import { openTracing } from '@sevenfold/chassis/tracing/open';
import { type Cache, openCache } from './cache/cache';
import { openPress } from './cache/press';
import { type Purge, type PurgeStyle, openPurge } from './cache/purge';
import { createAuthenticator } from './identity/actor';
import { openTokens } from './identity/tokens';
import { createApp } from './edge/app';
import type { Config } from './config';
import { openConsole } from './console/console';
import { openEmbeds } from './forms/embed';
import { openCopies } from './index/copies';
import { watchDescriptions } from './index/descriptions';
import { watchReadiness } from './index/readiness';
import { answerMalformed } from './edge/malformed';
import { createRoom } from './edge/made';
import { openLimits } from './limits/limits';
import { openProfiles } from './profiles/profiles';
import { openUpstreams } from './relay/upstreams';
import type { Surroundings } from './site/address';
import { dialSite } from './site/clients';
import { openFacts } from './site/facts';

/** Throws where the front end would lead back here for ever. */
function surroundingsOf(
  config: Config,
): Pick<Surroundings, 'siteUrl' | 'facts' | 'frontendUrl' | 'trustProxy' | 'explorer'> {
  const { SITE_URL: siteUrl, FRONTEND_URL: frontendUrl, TRUST_PROXY: trustProxy } = config;
  if (frontendUrl !== '' && new URL(frontendUrl).origin === new URL(siteUrl).origin)
    throw new ConfigError(['FRONTEND_URL must be on another host than SITE_URL']);
  return { siteUrl, frontendUrl, trustProxy, explorer: config.EXPLORER, facts: openFacts(siteUrl) };
}

function purgeOf(config: Config, log: Log): Purge | undefined {
  const { PURGE_URL: url, PURGE_STYLE: style, PURGE_TOKEN: token, CACHE_MEGABYTES: megabytes } = config;
  return url === '' || megabytes === 0
    ? undefined
    : openPurge({ url, style: style as PurgeStyle, token, log });
}

/** Throws where what is to be purged could not be found. */
function checkPurge(config: Config): void {
  const { PURGE_URL: url, PURGE_TOKEN: token, CACHE_KEY_HEADER: header, CACHE_MEGABYTES: megabytes } = config;
  const faults: string[] = [];
  if (url !== '' && header === '') faults.push('PURGE_URL needs a CACHE_KEY_HEADER: what is purged has keys');
  if (url !== '' && megabytes === 0)
    faults.push('PURGE_URL needs CACHE_MEGABYTES: without them nothing is heard of');
  if (url !== '' && new URL(url).username + new URL(url).password !== '')
    faults.push('PURGE_URL must be without name and password: what a cache asks for is PURGE_TOKEN');
  // As of a file with a last line: each message would fail, with the cache on the way none the wiser.
  if (/[^\x20-\x7e]/.test(token))
    faults.push('PURGE_TOKEN must be one line of ASCII: it is sent in a header');
  if (faults.length > 0) throw new ConfigError(faults);
}

export interface RunningGateway {
  readonly url: string;
  readonly port: number;
  /** Resolves when every service was asked for its description once. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

export async function startGateway(config: Config): Promise<RunningGateway> {
  const surroundings = surroundingsOf(config);
  checkPurge(config);
  const tokens = openTokens(config);
  const realm = new URL(config.SITE_URL).host;
  const profiles = openProfiles(config.CLIENT_PROFILES, config.SITE_URL);
  const log = createLog('gateway', 'api', config.LOG_LEVEL);
  const stopTracing = openTracing(config, { service: 'gateway', role: 'api' }, log);
  // Made with what calls are made with, and asked by each of them.
  const late: { cache?: Cache } = {};
  const dial = dialer({
    caller: 'gateway',
    actorSecret: config.ACTOR_SECRET,
    tls: readGrpcTls(config, log),
    after: (service) => late.cache?.after(service) ?? '',
  });
  const upstreams = openUpstreams(config, dial, log);
  const copies = openCopies(config, log);
  const descriptions = watchDescriptions({ upstreams, dial, copies, log });
  const readiness = watchReadiness(descriptions, config.UNKNOWN_SERVICE_SECONDS * 1000, log);
  const limits = openLimits(config, log);
  const authenticator = createAuthenticator({
    dial,
    content: upstreams.content,
    actorSecret: config.ACTOR_SECRET,
    rememberMs: config.CREDENTIAL_SECONDS * 1000,
    outageMs: config.CREDENTIAL_OUTAGE_SECONDS * 1000,
    way: upstreams.signIn,
    attempts: limits.attempts,
    rightLately: limits.rightLately,
    admitStranger: limits.admitStranger,
    tokens,
    log,
    realm,
  });
  const press = openPress();
  const keepRoom = createRoom(config.CACHE_MEGABYTES * 1024 * 1024);
  const cache = openCache({
    press,
    keepRoom,
    mostBytes: config.CACHE_MEGABYTES * 1024 * 1024,
    upstreams,
    dial,
    trustProxy: config.TRUST_PROXY,
    sharing: { seconds: config.CACHE_SHARED_SECONDS, keyHeader: config.CACHE_KEY_HEADER },
    purge: purgeOf(config, log),
    log,
  });
  late.cache = cache;
  const siteClients = dialSite(dial, upstreams, log);
  const onWrote = (told: string | undefined): void => cache?.written('gateway', told);
  const site: Surroundings = { ...surroundings, clients: siteClients, lastKnown: new Map() };
  const console = openConsole({ config, dial, upstreams, limits, tokens, site, realm, onWrote, log });
  const embeds = openEmbeds(upstreams, dial, config.CORS_ORIGINS);
  let stopping = false;
  const notReady = (): string[] => (stopping ? ['stopping'] : readiness.missing());
  const closeParts = async (): Promise<void> => {
    readiness.stop();
    await descriptions.stop();
    await copies.close();
    await authenticator.close();
    await limits.close();
    await cache?.close();
    await console.close();
    embeds.close();
    await siteClients.close();
    await upstreams.close();
  };

  const app = createApp({
    config,
    log,
    upstreams,
    descriptions,
    authenticator,
    limits,
    console,
    embeds,
    cache,
    press,
    keepRoom,
    profiles,
    site,
  });
  const http = await startHttpServer({
    host: config.HTTP_HOST,
    port: config.HTTP_PORT,
    log,
    notReady,
    metrics: false,
    bounds: {
      headMs: config.HEADER_SECONDS * 1000,
      // Bodies have a clock of their own (relay/body-clock.ts); nothing takes longer than this as a whole.
      requestMs: Math.max(config.ANSWER_SECONDS, config.BODY_SECONDS) * 1000,
      headBytes: config.HEADER_LIMIT_BYTES,
    },
    configure: (express) => express.use(app),
  }).catch(async (error: unknown) => {
    await closeParts();
    throw error;
  });
  const metrics =
    config.METRICS_PORT === 0
      ? undefined
      : await startHttpServer({
          host: config.HTTP_HOST,
          port: config.METRICS_PORT,
          log,
          notReady,
        }).catch(async (error: unknown) => {
          await http.stop(0);
          await closeParts();
          throw error;
        });
  answerMalformed(http.server);
  limits.connections.watch(http.server);
  // Node would leave out the ones beyond; they are counted where they can be refused.
  http.server.maxHeadersCount = 0;
  http.server.maxConnections = config.MOST_CONNECTIONS || Infinity;
  log.info({ http: http.port }, 'listening');

  return {
    url: http.url,
    port: http.port,
    ready: descriptions.asked,
    stop: async () => {
      stopping = true;
      await leave(config.LEAVE_SECONDS, http);
      console.endStreams();
      const grace = config.SHUTDOWN_SECONDS * 1000;
      await stopInTime(grace, log, [
        ['requests', () => http.stop(grace)],
        ['the metrics', () => metrics?.stop(0)],
        ['connections to the services', closeParts],
        ['traces', stopTracing],
      ]);
    },
  };
}
