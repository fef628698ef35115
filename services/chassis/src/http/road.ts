/**
 * The road of every request, written once: match → arguments → load → permission → handle → present → context filter,
 * `_embed`, `_fields` → send; or, from any stop, the error body. It knows nothing of what the routes mean.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ACTOR_HEADER, type Actor, isLoggedIn, stranger, verifyActor } from '../actor';
import { ApiError, apiError, internalError, noRoute, toApiError } from '../errors';
import type { Log } from '../log';
import { logFault } from '../outages';
import { forRequest, isRequestId } from '../request-id';
import { arrive, isTracing } from '../tracing/tracing';
import { MISSING, allowed, denied } from './allow';
import { type ArgTable, readArgs } from './args';
import { DEFAULT_BODY_LIMIT, parseQuery, readBody } from './body';
import { addressReader } from './client-address';
import { hasBody } from './connections';
import type { Context } from './context';
import { optionsBody } from './describe';
import { type Match, matcher, trimSlash } from './match';
import { pagingHeaders } from './paging';
import { parseEmbed } from './present';
import { type ReadyMemory, columnsFor, openReadyMemory } from './ready';
import { type AnswerMemory, type Remembered, questionOf } from './remembered';
import type { AnyRoute, Call, Reply, RequestInfo, Resource } from './route';
import { type EmbedLoaders, type Outgoing, answer, json, proceed, send } from './send';
import { WANTS_TAGS_HEADER, joinTags, nextQuarter } from './shows';
import { toHeaders } from '../news/seen';
import { WANTS_WROTE_HEADER, WROTE_HEADER, type Wrote, openWrote } from '../news/wrote';
import { ROUTE_HEADER, noteAnswer, requestSpan } from './spans';
import { mayBeRefusedUnread, refusedUnread, subjectOf } from './unread';

export interface ServeOptions<D> {
  readonly namespace: string;
  /** What comes before the namespace; default `/rest`. */
  readonly base?: string;
  readonly resources: readonly Resource<D>[];
  readonly embeds?: EmbedLoaders<D>;
  /** Where texts of lists are kept; default one of its own. */
  readonly ready?: ReadyMemory;
  readonly deps: D;
  /** What one request that reads works with instead; absent: the same. */
  readonly forRead?: () => D;
  readonly log: Log;
  readonly siteUrl: string;
  readonly actorSecret: string;
  /** What was heard of the news (shows.ts); empty where that is not known. */
  readonly heard?: () => string;
  /** Told what each write made old (news/wrote.ts), undefined where that is not known. Without it, the answer says it to whoever asks. */
  readonly onWrote?: (told: string | undefined) => void;
  /** Whole answers to strangers; absent where none are kept. */
  readonly answers?: AnswerMemory;
  /** Called once for each answered request, with the pattern of its route. */
  readonly observe?: (method: string, pattern: string, status: number, seconds: number) => void;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What all requests of a service share. */
interface Road<D> extends ServeOptions<D> {
  readonly ready: ReadyMemory;
  readonly root: string;
  readonly readActor: (request: IncomingMessage) => Actor;
  readonly clientAddress: (request: IncomingMessage) => string;
}

/** One request on its road. */
interface Trip {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  /** HEAD is GET without a body. */
  readonly method: string;
  readonly fullPath: string;
  /** Path below the namespace. */
  readonly path: string;
  /** The raw query. */
  readonly query: string;
  readonly signal: AbortSignal;
  /** Known once the route is. */
  pattern: string;
  /** What `Allow` says: known once the caller's rights are. A refused request names the methods, too. */
  allow: string;
  /** How the route tells of errors, once it is known. */
  answerError?: (error: ApiError) => Reply<never> | undefined;
}

/** Serves a namespace below `<base>/<namespace>`. */
export function serve<D>(options: ServeOptions<D>): RequestHandler {
  const base = options.base ?? '/rest';
  const prefix = `${base}/${options.namespace}`;
  const find = matcher(options.namespace, options.resources);
  const road: Road<D> = {
    ...options,
    ready: options.ready ?? openReadyMemory(),
    root: `${options.siteUrl}${base}`,
    readActor: actorReader(options.actorSecret),
    clientAddress: addressReader(options.actorSecret),
  };

  const go = async (trip: Trip, wrote: Wrote | undefined): Promise<void> => {
    const started = process.hrtime.bigint();
    const { request, response } = trip;
    let outcome: Outgoing;
    try {
      const match = trip.fullPath.startsWith(prefix) ? find(trip.path) : undefined;
      outcome = await (trip.method === 'OPTIONS' ? describe(road, trip, match) : travel(road, trip, match));
    } catch (error) {
      outcome = failed(road.log, trip, error);
    }
    if (trip.allow !== '') outcome.headers.Allow = trip.allow;
    if (wrote) tellWrote(options, wrote, outcome);
    outcome.headers[ROUTE_HEADER] = trip.pattern;
    send(request, response, outcome, trip);
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    options.observe?.(request.method ?? 'GET', trip.pattern, outcome.status, seconds);
    if (road.log.isLevelEnabled('info')) {
      const { method } = request;
      const ms = Math.round(seconds * 1e6) / 1e3;
      road.log.info({ method, path: trip.fullPath, status: outcome.status, ms }, 'request');
    }
  };
  const goTraced = (trip: Trip, wrote: Wrote | undefined): Promise<void> => {
    const { request } = trip;
    return arrive(requestSpan(request), header(request, 'traceparent'), async (span) => {
      await go(trip, wrote);
      noteAnswer(span, request, trip.pattern, trip.response.statusCode);
    });
  };
  return (request, response) => {
    const trip = begin(request, response, prefix.length);
    const wrote = isWrite(request) && (options.onWrote || wantsWrote(request)) ? openWrote() : undefined;
    return forRequest(trip.id, () => (isTracing() ? goTraced(trip, wrote) : go(trip, wrote)), wrote);
  };
}

const isWrite = ({ method = 'GET' }: IncomingMessage): boolean => !UNWRITING.has(method);
const UNWRITING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const wantsWrote = ({ headers }: IncomingMessage): boolean => headers[WANTS_WROTE_HEADER] !== undefined;

function tellWrote(
  { onWrote }: Pick<ServeOptions<never>, 'onWrote'>,
  wrote: Wrote,
  { headers }: Outgoing,
): void {
  const told = wrote.told();
  if (onWrote) onWrote(told);
  else if (told !== undefined) headers[WROTE_HEADER] = told;
}

function begin(request: IncomingMessage, response: ServerResponse, prefixLength: number): Trip {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const fullPath = mark < 0 ? url : url.slice(0, mark);
  let signal: AbortSignal | undefined;
  const given = header(request, 'x-request-id');
  return {
    request,
    response,
    id: isRequestId(given) ? given : randomUUID(),
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    fullPath,
    path: trimSlash(fullPath.slice(prefixLength)),
    query: mark < 0 ? '' : url.slice(mark + 1),
    // Not made before somebody wants it: what comes from memory is answered without.
    get signal() {
      return (signal ??= abortSignal(request, response));
    },
    pattern: 'none',
    allow: '',
  };
}

/** OPTIONS: the route as data, and the methods that this caller may use there. */
async function describe<D>(road: Road<D>, trip: Trip, match: Match<D> | undefined): Promise<Outgoing> {
  const actor = road.readActor(trip.request);
  if (!match) return json([], 200);
  const { place, params } = match;
  trip.pattern = place.pattern;
  const { deps, log, root } = road;
  const request = infoOf(road, trip, parseQuery(trip.query));
  const subject = await subjectOf(place, { deps, actor, request, log, root, context: 'view' }, params);
  trip.allow = allowed(place, actor, deps, subject);
  return json(optionsBody(road.namespace, place.pattern, place.routes, road.root), 200);
}

/** A known method of a known place, from its body to its answer. */
async function travel<D>(whole: Road<D>, trip: Trip, match: Match<D> | undefined): Promise<Outgoing> {
  const road = whole.forRead && trip.method === 'GET' ? { ...whole, deps: whole.forRead() } : whole;
  const row = match?.place.byMethod.get(trip.method);
  if (!match || !row) throw noRoute();
  trip.pattern = match.place.pattern;
  const query = parseQuery(trip.query);
  const heard = wantsTags(trip) ? (road.heard?.() ?? '') : '';
  const until = row.shows?.clock ? nextQuarter(Date.now()) : Infinity;
  // Before the body: the signature is good for a minute, and a slow sender may take longer.
  const actor = road.readActor(trip.request);
  const question = isForAll(trip, actor) ? questionOf(row, trip.path, query) : undefined;
  const known = question !== undefined && road.answers?.find(question);
  const remembered = known && (await known);
  if (remembered) return again(road, trip, remembered);
  const standing = question === undefined ? undefined : road.answers?.standing();
  const unread = infoOf(road, trip, query);
  trip.answerError = (error) => row.answerError?.(error, unread);
  // What has no body does not wait for one.
  const body: { kind: RequestInfo['bodyKind']; value: unknown } = hasBody(trip.request)
    ? await takeBody(road, trip, match, row, actor, unread)
    : { kind: row.body === 'stream' ? 'stream' : 'none', value: {} };
  const info: RequestInfo = { ...unread, body: body.value, bodyKind: body.kind };
  const raw = { ...query, ...(Array.isArray(body.value) ? {} : (body.value as object)), ...match.params };
  const { call, reply } = await decideAndHandle(road, trip, match, row, actor, raw, info);
  const tags = heard === '' ? undefined : new Set<string>();
  const outcome = await answer(road, row, call, reply, query, tags);
  const shown = tags && outcome.status === 200 && tellsNews(row, call, reply) ? joinTags(tags) : undefined;
  if (question !== undefined && standing && shown !== undefined && !reply.seen)
    road.answers?.keep(
      question,
      { outcome, allow: trip.allow, tags: shown, until, asks: row.shows?.asks === true },
      standing,
    );
  if (outcome.status === 200 && wantsTags(trip)) {
    const own = heard === '' || shown === undefined ? undefined : { heard, tags: shown, until };
    const told = reply.seen ? reply.seen.told() : own;
    if (told) Object.assign(outcome.headers, toHeaders(told));
  }
  if (outcome.paging) Object.assign(outcome.headers, pagingHeaders(outcome.paging, trip.query));
  if (isLoggedIn(actor)) outcome.headers['Cache-Control'] ??= 'no-cache, must-revalidate, max-age=0';
  return outcome;
}

/** Whether everybody who asks the same may get the same, as somebody wants to keep it. */
const isForAll = (trip: Trip, actor: Actor): boolean =>
  wantsTags(trip) && actor === stranger && !hasBody(trip.request);

function again<D>(road: Road<D>, trip: Trip, { outcome, allow, tags, until }: Remembered): Outgoing {
  trip.allow = allow;
  const headers = { ...outcome.headers };
  const heard = road.heard?.() ?? '';
  if (heard !== '') Object.assign(headers, toHeaders({ heard, tags, until }));
  if (outcome.paging) Object.assign(headers, pagingHeaders(outcome.paging, trip.query));
  return { ...outcome, headers };
}

/** Whether news tell when the answer is old: not where the route does not say, or this answer is not for others. */
function tellsNews<D>(row: AnyRoute<D>, call: Call<D>, reply: Reply<unknown>): boolean {
  const isSaid = row.shows !== undefined || reply.tags !== undefined;
  return isSaid && !row.shows?.never?.(call);
}

const wantsTags = ({ method, request }: Trip): boolean =>
  method === 'GET' && request.headers[WANTS_TAGS_HEADER] !== undefined;

function infoOf<D>(road: Road<D>, trip: Trip, query: Readonly<Record<string, unknown>>): RequestInfo {
  const { request } = trip;
  return {
    id: trip.id,
    address: road.clientAddress(request),
    userAgent: header(request, 'user-agent'),
    path: trip.path,
    query: trip.query,
    embed: parseEmbed(query._embed),
    whole: query._fields === undefined && query._pretty === undefined,
    headers: request.headers,
    raw: request,
    body: {},
    bodyKind: 'none',
    signal: trip.signal,
  };
}

/** Reads the body, unless the route reads it itself or refuses the caller before. */
async function takeBody<D>(
  road: Road<D>,
  trip: Trip,
  match: Match<D>,
  row: AnyRoute<D>,
  actor: Actor,
  unread: RequestInfo,
): Promise<{ kind: RequestInfo['bodyKind']; value: unknown }> {
  if (row.body === 'stream') return { kind: 'stream', value: {} };
  await refuseUnread(road, trip, match, row, actor, unread);
  proceed(trip.request, trip.response);
  return readBody(trip.request, row.bodyLimit ?? DEFAULT_BODY_LIMIT);
}

/** Throws the refusal of a stranger whom the route refuses whatever the body says. */
async function refuseUnread<D>(
  road: Road<D>,
  trip: Trip,
  { place, params }: Match<D>,
  row: AnyRoute<D>,
  actor: Actor,
  request: RequestInfo,
): Promise<void> {
  if (!mayBeRefusedUnread(trip.request, actor)) return;
  const { deps, log, root } = road;
  const refusal = await refusedUnread(
    row,
    { deps, actor, request, log, root, context: row.context ?? 'edit' },
    params,
  );
  if (!refusal) return;
  trip.allow = allowed(place, actor, deps, refusal.subject, refusal);
  throw denied(refusal.denial, actor);
}

interface Handled<D> {
  readonly call: Call<D>;
  readonly reply: Reply<unknown>;
}

/** Arguments → load → permission → handle. */
async function decideAndHandle<D>(
  road: Road<D>,
  trip: Trip,
  { place, params }: Match<D>,
  row: AnyRoute<D>,
  actor: Actor,
  raw: Record<string, unknown>,
  request: RequestInfo,
): Promise<Handled<D>> {
  const { deps, log, root } = road;
  let asked = { args: raw, sent: new Set<string>() as ReadonlySet<string> };
  let subject: unknown;
  let isLoaded = false;
  const tell = (): void => {
    trip.allow = allowed(place, actor, deps, subject, { row, ...asked });
  };
  try {
    asked = readArgs(row.args as ArgTable, raw);
    const base = { deps, actor, ...asked, request, log, root, context: contextOf(row, trip, asked.args) };
    row.check?.({ ...base, subject: undefined });
    isLoaded = true;
    if (row.load) subject = await row.load({ ...base, subject: undefined });
    const call: Call<D> = { ...base, subject };
    const denial = row.permission(call);
    if (denial) throw denied(denial, actor);
    if (row.load && subject === undefined) throw new Error(`${row.path} lets in who was to be refused`);
    tell();
    if (row.body === 'stream') proceed(trip.request, trip.response);
    return { call, reply: (await row.handle(call, columnsFor(row, call))) as Reply<unknown> };
  } catch (error) {
    if (trip.allow !== '') throw error;
    const isMissing = isLoaded && subject === undefined && error instanceof ApiError && error.status === 404;
    if (isMissing) subject = MISSING;
    // Arguments that cannot be read hide nothing of what the path names.
    if (!isLoaded)
      subject = await subjectOf(place, { deps, actor, request, log, root, context: 'view' }, params);
    tell();
    throw error;
  }
}

/** Writes answer in edit context. */
const contextOf = <D>(row: AnyRoute<D>, { method }: Trip, args: Record<string, unknown>): Context =>
  row.context ?? (method === 'GET' ? ((args.context as Context | undefined) ?? 'view') : 'edit');

function failed(log: Log, trip: Trip, error: unknown): Outgoing {
  const known = toApiError(error);
  if (known.status >= 500) {
    const fields = { method: trip.method, path: trip.fullPath, code: known.code };
    // What a caller who hung up has cut short fails because of that, and nobody waits for its answer.
    if (trip.signal.aborted) log.debug({ ...fields, err: known.cause ?? known }, known.message);
    else logFault(log, known, fields);
  }
  const reply = trip.answerError?.(known);
  if (!reply) return json(known.body(), known.status, { ...known.headers });
  const { status, headers, value } = reply;
  return { status, headers: { ...known.headers, ...headers }, body: value as string };
}

const header = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name];
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
};

/** Verifying costs a hash; the same header comes again and again within its minute. */
function actorReader(secret: string): (request: IncomingMessage) => Actor {
  const known = new LRUCache<string, Actor>({ max: 1_000, ttl: 10_000 });
  return (request) => {
    const value = header(request, ACTOR_HEADER);
    if (value === '') return stranger;
    const hit = known.get(value);
    if (hit) return hit;
    const actor = verifyActor(value, secret);
    if (!actor) throw apiError('rest_invalid_actor', 401, 'The signature of the caller is wrong or too old.');
    known.set(value, actor);
    return actor;
  };
}

function abortSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort(internalError());
  });
  request.on('error', () => controller.abort(internalError()));
  // It may have gone before anybody listened.
  if (response.destroyed) controller.abort(internalError());
  return controller.signal;
}
