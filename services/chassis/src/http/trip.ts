/** One request on its road, and what all requests of a service share: what each stop of road.ts is given. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Actor, stranger } from '../actor';
import { type ApiError, internalError } from '../errors';
import type { Log } from '../log';
import { isRequestId } from '../request-id';
import { hasBody } from './connections';
import type { Context } from './context';
import { trimSlash } from './match';
import { parseEmbed } from './present';
import type { ReadyMemory } from './ready';
import type { AnswerMemory } from './remembered';
import type { AnyRoute, Reply, RequestInfo, Resource } from './route';
import type { EmbedLoaders, Outgoing } from './send';
import { WANTS_TAGS_HEADER } from './shows';
import type { Wait } from '../news/after';
import { WANTS_WROTE_HEADER } from '../news/wrote';

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
  /** Waits until what was written before is heard (news/after.ts). */
  readonly after?: Wait;
  /** Whole answers to strangers; absent where none are kept. */
  readonly answers?: AnswerMemory;
  /** Whether somebody takes the answer in place of its client. */
  readonly take?: (request: IncomingMessage, answer: Outgoing) => boolean;
  /** Called once for each answered request, with the pattern of its route. */
  readonly observe?: (method: string, pattern: string, status: number, seconds: number) => void;
}

/** What all requests of a service share. */
export interface Road<D> extends ServeOptions<D> {
  readonly ready: ReadyMemory;
  readonly root: string;
  /** What strangers are told with a 401. A token: a password would have browsers show a form. */
  readonly challenge: string;
  readonly readActor: (request: IncomingMessage) => Actor;
  readonly clientAddress: (request: IncomingMessage) => string;
}

/** One request on its road. */
export interface Trip {
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
  readonly signal: () => AbortSignal;
  readonly isGone: () => boolean;
  /** Known once the caller is; of strangers only where they write. */
  who?: string;
  /** Known once the route is. */
  pattern: string;
  /** What `Allow` says: known once the caller's rights are. A refused request names the methods, too. */
  allow: string;
  /** How the route tells of errors, once it is known. */
  answerError?: (error: ApiError) => Reply<never> | undefined;
}

export const isWrite = ({ method = 'GET' }: IncomingMessage): boolean => !UNWRITING.has(method);
const UNWRITING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
export const wantsWrote = ({ headers }: IncomingMessage): boolean =>
  headers[WANTS_WROTE_HEADER] !== undefined;

export function begin(request: IncomingMessage, response: ServerResponse, prefixLength: number): Trip {
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
    // Not made before somebody wants it: most is answered without. No getter, which would make each of these objects a class of its own.
    signal: () => (signal ??= abortSignal(request, response)),
    isGone: () => response.destroyed && !response.writableFinished,
    who: undefined,
    pattern: 'none',
    allow: '',
  };
}

/** Whether everybody who asks the same may get the same, as somebody wants to keep it. */
export const isForAll = (trip: Trip, actor: Actor): boolean =>
  wantsTags(trip) && actor === stranger && !hasBody(trip.request);

export const wantsTags = ({ method, request }: Trip): boolean =>
  method === 'GET' && request.headers[WANTS_TAGS_HEADER] !== undefined;

export function infoOf<D>(road: Road<D>, trip: Trip, query: Readonly<Record<string, unknown>>): RequestInfo {
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

/** Writes answer in edit context. */
export const contextOf = <D>(row: AnyRoute<D>, { method }: Trip, args: Record<string, unknown>): Context =>
  row.context ?? (method === 'GET' ? ((args.context as Context | undefined) ?? 'view') : 'edit');

export const header = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name];
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
};

function abortSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort(internalError());
  });
  request.on('error', () => controller.abort(internalError()));
  // It may have gone before anybody listened.
  if (response.destroyed && !response.writableFinished) controller.abort(internalError());
  return controller.signal;
}
