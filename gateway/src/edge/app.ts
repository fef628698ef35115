/**
 * The road of a request through the gateway: who is calling, what is meant, may its body come in, which service
 * answers, and by which way. Whatever goes wrong on it ends in the one error body.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressSigner } from '@sevenfold/chassis/http/client-address';
import { ApiError, noRoute, nothingDone } from '@sevenfold/chassis/errors';
import { type Seen, openSeen } from '@sevenfold/chassis/news/seen';
import { WANTS_WROTE_HEADER, WROTE_HEADER } from '@sevenfold/chassis/news/wrote';
import { hasBody } from '@sevenfold/chassis/http/connections';
import { isWrite } from '@sevenfold/chassis/http/trip';
import type { Log } from '@sevenfold/chassis/log';
import { inSpan } from '@sevenfold/chassis/tracing/tracing';
import { readOrigins } from '@sevenfold/chassis/http/origins';
import type { Authenticator } from '../identity/actor';
import { watchUnderWay } from '../identity/under-way';
import { jsonAnswer, send, sendError } from './answer';
import { bodyGuard, isFeedback, kindOf } from '../relay/bodies';
import { createBodyClock } from '../relay/body-clock';
import type { Config } from '../config';
import type { Console } from '../console/console';
import { isHead, prefersHtml } from '../console/head';
import { CONSOLE_API } from '../console/resources';
import { LONGEST_EXPORT_MS } from '../console/submissions';
import { type Embeds, FORMS } from '../forms/embed';
import { refuseConditionalWrite } from './conditional-writes';
import { isPreflight, refuseCrossSite } from './cors';
import { callOf, envelopeOf } from './wrapping';
import type { Descriptions } from '../index/descriptions';
import type { Cache } from '../cache/cache';
import type { Press } from '../cache/press';
import { openStable } from '../cache/stable';
import { errors } from './errors';
import { type Answer, type Exchange, METHODS, openExchange, isReading } from './exchange';
import { refuseGone } from './gone';
import { consoleHeaders, requestHeaders } from './headers';
import type { Limits } from '../limits/limits';
import type { KeepRoom } from './made';
import { openExplorer } from '../explorer/explorer';
import { openApiFolder } from '../index/openapi';
import { overrideMethod } from './override';
import { REST, UPLOADS, isSiteAddress } from './paths';
import { unlessKnown } from './whole';
import type { Profiles } from '../profiles/profiles';
import { relayRead } from '../relay/reads';
import { createSiteIndex } from '../index/site-index';
import type { Surroundings } from '../site/address';
import { answerSite } from '../site/addresses';
import { showFault, showFormFault } from '../site/fault-page';
import { createSlowReaders } from '../relay/slow-readers';
import type { Upstream, Upstreams } from '../relay/upstreams';

export interface AppParts {
  readonly config: Config;
  readonly log: Log;
  readonly upstreams: Upstreams;
  readonly descriptions: Descriptions;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly console: Console;
  readonly embeds: Embeds;
  readonly site: Surroundings;
  readonly profiles: Profiles;
  /** Absent where nothing is kept. */
  readonly cache?: Cache;
  readonly press: Press;
  readonly keepRoom: KeepRoom;
}

/** Below `/rest`: what is written here appears in the indexes. As services read it, below a namespace no path knows upper case. */
const SETTINGS = /^\/core\/v2\/settings\/*$/i;

/** Cannot be gone on with where it was cut, as files can. */
const EXPORT = /\/submissions\/export\/*$/i;

export function createApp(parts: AppParts): (request: IncomingMessage, response: ServerResponse) => void {
  const {
    config,
    log,
    upstreams,
    descriptions,
    authenticator,
    limits,
    console,
    embeds,
    site,
    cache,
    press,
    profiles,
    keepRoom,
  } = parts;
  const siteIndex = createSiteIndex(config.SITE_URL, descriptions);
  const documents = openApiFolder(config.SITE_URL, descriptions);
  const explorer = config.EXPLORER ? openExplorer(config.SITE_URL) : undefined;
  const bodyClock = createBodyClock(config.BODY_SECONDS * 1000, log);
  const admitBody = bodyGuard(config, bodyClock, log);
  const stable = openStable(press);
  const watch = watchUnderWay(authenticator);
  const exchangeOptions = {
    log,
    trustProxy: config.TRUST_PROXY,
    trustTraceparent: config.TRUST_TRACEPARENT,
    signAddress: addressSigner(config.ACTOR_SECRET),
    origins: readOrigins(config.CORS_ORIGINS),
    slowReaders: createSlowReaders(
      { readerMs: config.READER_PATIENCE_SECONDS * 1000, wholeMs: config.ANSWER_SECONDS * 1000 },
      log,
    ),
  };

  const relay = (exchange: Exchange, upstream: Upstream): void => {
    exchange.by = upstream.service;
    const { method, request } = exchange;
    const isRead = reads(exchange);
    const keeper = isRead && !exchange.caller && upstream !== upstreams.files ? cache : undefined;
    if (keeper?.answer(exchange, upstream)) return;
    const kind = isRead
      ? 'reads'
      : kindOf(method, exchange.path.slice(REST.length + 1), request.headers['content-type']);
    if (!upstream.ways[kind].breaker.mayPass(exchange.address)) throw errors.serviceDown(upstream.service);
    if (keeper) return keeper.ask(exchange, upstream);
    const headers = requestHeaders(exchange, config.TRUST_PROXY);
    cache?.sayBefore(upstream.service, headers);
    if (kind === 'reads') return relayRead(exchange, upstream, headers, log);
    // Reads that come with a body go this way as well, and change nothing.
    if (cache && isWrite(request)) {
      headers[WANTS_WROTE_HEADER] = '1';
      exchange.beforeAnswer = (given) =>
        cache.written(upstream.service, given?.[WROTE_HEADER] as string | undefined);
    }
    upstream.proxies[kind](exchange, headers, log);
  };

  /** Who is calling; whoever it is may ask so often. Undefined where nothing is to be waited for. */
  const identify = (exchange: Exchange): Promise<void> | undefined => {
    if (!isPlain(exchange.request)) return findCaller(exchange);
    limits.admitStranger(exchange);
    return undefined;
  };
  const findCaller = async (exchange: Exchange): Promise<void> => {
    const follow = watch(exchange);
    const caller = await asked(() => authenticator.authenticate(exchange));
    refuseGone(exchange);
    if (caller) limits.admitCaller(exchange, caller);
    else limits.admitStranger(exchange);
    exchange.caller = caller;
    follow();
  };

  const wrap = (exchange: Exchange): void => {
    const inside = envelopeOf(exchange.query);
    exchange.wrapping = inside;
    const { method, headers } = exchange.request;
    if (!config.JSONP || !isReading(method)) return;
    const call = callOf(exchange.query, inside, headers.authorization !== undefined);
    if (!call) return;
    exchange.wrapping = call.wrapping;
    exchange.query = call.query;
    exchange.request.url = call.query === '' ? exchange.path : `${exchange.path}?${call.query}`;
  };

  const answerRest = async (exchange: Exchange): Promise<void> => {
    wrap(exchange);
    refuseCrossSite(exchange);
    refuseConditionalWrite(exchange);
    const identified = identify(exchange);
    if (identified) await identified;
    overrideMethod(exchange);
    const { method } = exchange;
    if (!METHODS.has(method)) throw noRoute();
    // No service has to be there for what hangs on the headers alone; the browser hears of one that is not by what it asks then.
    if (isPreflight(exchange)) return send(exchange, inProfile(exchange, jsonAnswer([])));
    const path = exchange.path.slice(REST.length);
    const index = siteIndex.answer(method, path, exchange.query);
    if (index) {
      exchange.route = 'index';
      const found = index instanceof Promise ? await index : index;
      const told = inProfile(exchange, found);
      if (!told.own) return send(exchange, stable(exchange, told));
      keepRoom(exchange, told.body);
      return send(exchange, told);
    }
    const upstream = upstreams.find(path.slice(1));
    if (!upstream) {
      if (method === 'OPTIONS') return send(exchange, inProfile(exchange, jsonAnswer([])));
      throw noRoute();
    }
    if (hasBody(exchange.request)) admitBody(exchange, path.slice(1));
    // Nobody else's write changes them, and readers of an index wait for what was written.
    if (
      isWrite(exchange.request) &&
      SETTINGS.test(path) &&
      exchange.caller?.actor.capabilities.has('manage_options')
    )
      exchange.response.once('finish', descriptions.settingsWritten);
    relay(exchange, upstream);
  };

  /** A stranger's, as a front end asks for it with each page that it makes. */
  const answerHead = async (exchange: Exchange): Promise<void> => {
    exchange.by = 'site';
    const { request, response } = exchange;
    const work = (seen: Seen): Promise<Answer> => console.make(request, response, exchange, seen);
    const form = prefersHtml(request.headers.accept) ? 'html' : 'data';
    send(exchange, await (cache ? cache.make(exchange, work, form) : work(openSeen())));
  };

  const answerConsole = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    refuseCrossSite(exchange);
    refuseConditionalWrite(exchange);
    if (EXPORT.test(exchange.path)) exchange.longestMs = LONGEST_EXPORT_MS;
    exchange.route = 'console';
    await identify(exchange);
    if (!exchange.caller && reads(exchange) && isHead(exchange.path.slice(CONSOLE_API.length)))
      return answerHead(exchange);
    if (hasBody(request)) bodyClock(exchange, false);
    // What the answer says itself of any of them counts.
    const told = [...consoleHeaders(exchange), ...(exchange.limits ?? [])];
    for (let at = 0; at < told.length; at += 2)
      response.setHeader(told[at] as string, told[at + 1] as string);
    return console.answer(request, response, exchange);
  };

  const answerOther = async (exchange: Exchange): Promise<void> => {
    const { path, method } = exchange;
    limits.admitStranger(exchange);
    if (method === 'OPTIONS' && path.startsWith('/')) {
      // Browsers ask before a script of another origin reads with a header of its own, wherever that is.
      exchange.route = 'page';
      return send(exchange, withLink(jsonAnswer([], 200, { Allow: 'GET' }), profiles));
    }
    const document = documents.answer(path, method) ?? explorer?.answer(path, method);
    exchange.route = document ? 'openapi' : path.startsWith(FORMS) ? 'forms' : 'page';
    if (document) return send(exchange, stable(exchange, document));
    if (path.startsWith(FORMS)) return send(exchange, await embeds.answer(exchange));
    if (path.startsWith(UPLOADS) && isReading(method)) {
      exchange.route = 'uploads';
      if (hasBody(exchange.request)) admitBody(exchange, path);
      return relay(exchange, upstreams.files);
    }
    const made = await (cache && reads(exchange)
      ? cache.make(exchange, (seen) => answerSite(exchange, site, seen))
      : answerSite(exchange, site, openSeen()));
    const found = unlessKnown(made, exchange);
    keepRoom(exchange, found.body);
    send(exchange, withLink(found, profiles));
  };

  const answer = (exchange: Exchange): Promise<void> => {
    profiles.enter(exchange);
    const { path, method, request } = exchange;
    // Also what is refused before anybody looks for a page there.
    if (isSiteAddress(path))
      exchange.showError = (error) => withLink(showFault(error, request, site), profiles);
    else if (isFeedback(method, path.slice(REST.length + 1)))
      exchange.showError = (error) => showFormFault(error, request, site);
    if (!isDecodable(path)) throw errors.badPath();
    if (isBelow(path, REST)) return answerRest(exchange);
    if (isBelow(path, CONSOLE_API)) return answerConsole(exchange);
    return answerOther(exchange);
  };

  const admit = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    if (request.rawHeaders.length > 2 * config.HEADER_LIMIT_COUNT) throw errors.headersTooLarge();
    if (limits.connections.isRefused(request.socket)) {
      response.shouldKeepAlive = false;
      throw errors.tooManyConnections();
    }
    // Handed back instead of awaited, a promise takes three turns for one.
    await answer(exchange);
  };

  return (request, response) => {
    const exchange = openExchange(request, response, exchangeOptions);
    inSpan(exchange.span, () => admit(exchange)).catch((error: unknown) => {
      limits.tell(exchange);
      sendError(exchange, error, log);
    });
  };
}

/**
 * A stranger's, without a body: of most of what is asked. What has a body is never answered before the first turn after its head,
 * in which the body is there as well, if it is short: its connection may go on then.
 */
const isPlain = (request: IncomingMessage): boolean =>
  request.headers.authorization === undefined && !hasBody(request);

/** Before anything is done: where nobody can say who is calling, the request goes no further. */
async function asked<T>(who: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await who();
  } catch (error) {
    throw error instanceof ApiError && error.status === 503 ? nothingDone(error) : error;
  }
}

/** What many get is translated once. */
const inProfile = (exchange: Exchange, answer: Answer): Answer =>
  exchange.profile?.[answer.own ? 'answer' : 'kept'](exchange, answer) ?? answer;

/** Leads from a page of the site to the interface of a profile. */
function withLink(answer: Answer, { linked }: Pick<Profiles, 'linked'>): Answer {
  const given = answer.headers?.Link;
  const link = linked(given);
  if (link === given || link === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, Link: link } };
}

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

const reads = ({ method, request }: Exchange): boolean => isReading(method) && !hasBody(request);

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
