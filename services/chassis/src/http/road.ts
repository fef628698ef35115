/**
 * The road of every request, written once: match → arguments → load → permission → handle → present → context filter,
 * `_embed`, `_fields` → send; or, from any stop, the error body. It knows nothing of what the routes mean.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Actor, isLoggedIn } from '../actor';
import { ApiError, apiError, hasCode, isOurs, noRoute, toApiError } from '../errors';
import { pathToLog } from '../log';
import { logFault } from '../outages';
import { forRequest } from '../request-id';
import { arrive, isTracing } from '../tracing/tracing';
import { actorReader } from './actor-reader';
import { MISSING, NOTHING_SENT, allowed, denied, throwDenial } from './allow';
import type { ArgTable } from './args';
import { readArgs } from './read-args';
import { BODY_HEADER } from './body-hash';
import { DEFAULT_BODY_LIMIT, parseQuery, readBody } from './body';
import { openShare } from './body-room';
import { addressReader } from './client-address';
import { hasBody } from './connections';
import { optionsBody } from './describe';
import { type Match, matcher } from './match';
import { pagingHeaders } from './paging';
import { columnsFor, openReadyMemory } from './ready';
import { type Remembered, questionOf } from './remembered';
import type { AnyRoute, Call, Reply, RequestInfo } from './route';
import { type Outgoing, answer, json, proceed, send } from './send';
import { joinTags, nextQuarter } from './shows';
import { toHeaders } from '../news/seen';
import { AFTER_HEADER } from '../news/after';
import { WROTE_HEADER, type Wrote, openWrote } from '../news/wrote';
import { ROUTE_HEADER, noteAnswer, requestSpan } from './spans';
import { mayBeRefusedUnread, refusedUnread, subjectOf } from './unread';
import {
  type ServeOptions,
  type Road,
  type Trip,
  isWrite,
  wantsWrote,
  begin,
  isForAll,
  wantsTags,
  infoOf,
  contextOf,
  header,
} from './trip';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves a namespace below `<base>/<namespace>`. */
export function serve<D>(options: ServeOptions<D>): RequestHandler {
  const base = options.base ?? '/rest';
  const prefix = `${base}/${options.namespace}`;
  const find = matcher(options.namespace, options.resources);
  const road: Road<D> = {
    ...options,
    ready: options.ready ?? openReadyMemory(),
    root: `${options.siteUrl}${base}`,
    challenge: `Bearer realm="${new URL(options.siteUrl).host}"`,
    readActor: actorReader(options.actorSecret),
    clientAddress: addressReader(options.actorSecret),
  };

  const matchOf = ({ fullPath, path }: Trip): Match<D> | undefined =>
    fullPath.startsWith(prefix) ? find(path) : undefined;
  const end = (trip: Trip, wrote: Wrote | undefined, started: bigint, outcome: Outgoing): void => {
    const { request, response } = trip;
    if (trip.allow !== '') outcome.headers.Allow = trip.allow;
    if (wrote) tellWrote(options, wrote, outcome);
    // Inside it is told what answered; whoever hears himself of what was written is asked by clients.
    if (!options.onWrote) outcome.headers[ROUTE_HEADER] = trip.pattern;
    if (!options.take?.(request, outcome)) send(request, response, outcome, trip, road.log);
    const status = toldStatus(trip, outcome.status);
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    options.observe?.(request.method ?? 'GET', trip.pattern, status, seconds);
    // The gateway has told of it already; of a read that went well there is no more to say.
    const level =
      (trip.method === 'GET' || trip.method === 'HEAD') && outcome.status < 400 ? 'debug' : 'info';
    if (road.log.isLevelEnabled(level)) {
      const { method } = request;
      const ms = Math.round(seconds * 1e6) / 1e3;
      road.log[level]({ method, path: pathToLog(trip.fullPath), status, ms }, 'request');
    }
  };
  // No promise more than it takes (cost.test.ts).
  const go = (trip: Trip, wrote: Wrote | undefined): Promise<void> => {
    const started = process.hrtime.bigint();
    const going = trip.method === 'OPTIONS' ? describe(road, trip, matchOf) : travel(road, trip, matchOf);
    return going.then(
      (outcome) => end(trip, wrote, started, outcome),
      (error: unknown) => end(trip, wrote, started, failed(road, trip, error)),
    );
  };
  const goTraced = (trip: Trip, wrote: Wrote | undefined): Promise<void> => {
    const { request } = trip;
    return arrive(requestSpan(request), header(request, 'traceparent'), async (span) => {
      await go(trip, wrote);
      noteAnswer(span, request, trip.pattern, toldStatus(trip, trip.response.statusCode));
    });
  };
  return (request, response) => {
    const trip = begin(request, response, prefix.length);
    const wrote = isWrite(request) && (options.onWrote || wantsWrote(request)) ? openWrote() : undefined;
    return forRequest(trip.id, () => (isTracing() ? goTraced(trip, wrote) : go(trip, wrote)), {
      after: header(request, AFTER_HEADER),
      wrote,
      asker: trip,
    });
  };
}

/** As the gateway and other servers count whoever went away before anything was answered. */
const GONE = 499;
const toldStatus = (trip: Trip, status: number): number =>
  trip.isGone() && !trip.response.headersSent ? GONE : status;

function tellWrote(
  { onWrote }: Pick<ServeOptions<never>, 'onWrote'>,
  wrote: Wrote,
  { headers }: Outgoing,
): void {
  const told = wrote.told();
  if (onWrote) onWrote(told);
  else if (told !== undefined) headers[WROTE_HEADER] = told;
}

/** Throws where the address cannot be read. */
type MatchOf<D> = (trip: Trip) => Match<D> | undefined;

/** OPTIONS: the route as data, and the methods that this caller may use there. */
async function describe<D>(road: Road<D>, trip: Trip, matchOf: MatchOf<D>): Promise<Outgoing> {
  const match = matchOf(trip);
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
async function travel<D>(whole: Road<D>, trip: Trip, matchOf: MatchOf<D>): Promise<Outgoing> {
  const road = whole.forRead && trip.method === 'GET' ? { ...whole, deps: whole.forRead() } : whole;
  const match = matchOf(trip);
  const row = match?.place.byMethod.get(trip.method);
  if (!match || !row) throw noRoute();
  trip.pattern = match.place.pattern;
  const query = parseQuery(trip.query);
  const behind = road.after?.(header(trip.request, AFTER_HEADER));
  if (behind) await behind;
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
  if (isLoggedIn(actor)) trip.who = `user ${actor.id}`;
  else if (isWrite(trip.request)) trip.who = unread.address;
  trip.answerError = (error) => row.answerError?.(error, unread);
  // What has no body does not wait for one.
  const body: { kind: RequestInfo['bodyKind']; value: unknown } = hasBody(trip.request)
    ? await takeBody(road, trip, match, row, actor, unread)
    : { kind: row.body === 'stream' ? 'stream' : 'none', value: {} };
  const info: RequestInfo = { ...unread, body: body.value, bodyKind: body.kind };
  const raw = { ...query, ...(Array.isArray(body.value) ? {} : (body.value as object)), ...match.params };
  const { call, reply } = await decideAndHandle(road, trip, match, row, actor, raw, info);
  const tags = heard === '' ? undefined : new Set<string>();
  const answering = answer(road, row, call, reply, query, tags);
  const outcome = answering instanceof Promise ? await answering : answering;
  const told = tags && outcome.status === 200 && isWhole(outcome) && tellsNews(road, row, call, reply);
  const shown = told ? joinTags(tags) : undefined;
  if (question !== undefined && standing && shown !== undefined && !reply.seen)
    road.answers?.keep(
      question,
      { outcome, allow: trip.allow, tags: shown, until, asks: row.shows?.asks === true },
      standing,
    );
  if (outcome.status === 200 && wantsTags(trip)) {
    const own = heard === '' || shown === undefined ? undefined : { heard, tags: shown, until };
    const said = reply.seen ? reply.seen.told() : own;
    if (said) Object.assign(outcome.headers, toHeaders(said));
  }
  if (outcome.paging) Object.assign(outcome.headers, pagingHeaders(outcome.paging, trip.query));
  if (isLoggedIn(actor)) outcome.headers['Cache-Control'] ??= 'no-cache, must-revalidate, max-age=0';
  return outcome;
}

function again<D>(road: Road<D>, trip: Trip, remembered: Remembered): Outgoing {
  const { outcome, allow, tags, until, bodyHash } = remembered;
  trip.allow = allow;
  const headers = { ...outcome.headers };
  if (bodyHash !== undefined) headers[BODY_HEADER] = bodyHash;
  const heard = road.heard?.() ?? '';
  if (heard !== '') Object.assign(headers, toHeaders({ heard, tags, until }));
  if (outcome.paging) Object.assign(headers, pagingHeaders(outcome.paging, trip.query));
  return { ...outcome, headers };
}

/** Of what is made while it is sent, nobody knows yet what it shows. */
const isWhole = ({ body }: Outgoing): boolean => typeof body === 'string' || Buffer.isBuffer(body);

/** Whether news tell when the answer is old: not where the route does not say, it is not for others, or something older stood in. */
function tellsNews<D>(road: Road<D>, row: AnyRoute<D>, call: Call<D>, reply: Reply<unknown>): boolean {
  const isSaid = row.shows !== undefined || reply.tags !== undefined;
  return isSaid && !row.shows?.never?.(call) && road.heard?.() !== '';
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
  const { request, response } = trip;
  const share = hasBody(request) ? openShare(unread.address, response) : undefined;
  return readBody(request, row.bodyLimit ?? DEFAULT_BODY_LIMIT, share);
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
  let args = raw;
  let sent: ReadonlySet<string> = NOTHING_SENT;
  let subject: unknown;
  let isLoaded = false;
  const tell = (): void => {
    // What was not judged is asked about no right: of a password that nobody has counted the methods would tell whether it opens.
    const asked = isLoaded ? { row, args, sent } : { args: params, sent };
    trip.allow = allowed(place, actor, deps, subject, asked);
  };
  try {
    ({ args, sent } = readArgs(row.args as ArgTable, raw, actor));
    const base = { deps, actor, args, sent, request, log, root, context: contextOf(row, trip, args) };
    row.check?.({ ...base, subject: undefined });
    isLoaded = true;
    if (row.load) subject = await row.load({ ...base, subject: undefined });
    const call: Call<D> = { ...base, subject };
    throwDenial(row.permission(call), actor);
    if (row.load && subject === undefined) throw new Error(`${row.path} lets in who was to be refused`);
    tell();
    if (row.body === 'stream') proceed(trip.request, trip.response);
    const made = row.handle(call, columnsFor(row, call)) as Reply<unknown> | Promise<Reply<unknown>>;
    return { call, reply: made instanceof Promise ? await made : made };
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

/** A connection that ends in the middle of a body is the client's: by its looks alone it would be taken for the database's. */
const toKnown = ({ request }: Trip, error: unknown): ApiError =>
  error === request.errored && hasCode(error, ['ECONNRESET'])
    ? apiError('bad_request', 400, 'The request ended before all of its body had come.', { cause: error })
    : toApiError(error);

function failed<D>({ log, challenge }: Road<D>, trip: Trip, error: unknown): Outgoing {
  const known = toKnown(trip, error);
  if (isOurs(known)) {
    const fields = { method: trip.method, path: pathToLog(trip.fullPath), code: known.code };
    // What a caller who hung up has cut short fails because of that, and nobody waits for its answer.
    if (trip.isGone()) log.debug({ ...fields, err: known.cause ?? known }, known.message);
    else logFault(log, known, fields);
  }
  const told = known.status === 401 ? { 'WWW-Authenticate': challenge, ...known.headers } : known.headers;
  const reply = trip.answerError?.(known);
  if (!reply) return json(known.body(), known.status, { ...told });
  const { status, headers, value } = reply;
  return { status, headers: { ...told, ...headers }, body: value as string };
}
