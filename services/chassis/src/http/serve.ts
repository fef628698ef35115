/**
 * The road of every request, written once: route → arguments → load → permission → handle → present → context filter,
 * `_embed`, `_fields` → send; or, from any stop, the error body. It knows nothing of what the routes mean.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ACTOR_HEADER, type Actor, isLoggedIn, stranger, verifyActor } from '../actor';
import { ApiError, internalError, invalidParam, noRoute, toApiError } from '../errors';
import type { Log } from '../log';
import { logFault } from '../outages';
import { type ArgTable, readArgs } from './args';
import { DEFAULT_BODY_LIMIT, parseQuery, readBody } from './body';
import { expectsContinue, isComing } from './connections';
import { byPattern, optionsBody } from './describe';
import { pagingHeaders } from './paging';
import {
  type EmbedLoader,
  ReadyItem,
  embed,
  filterContext,
  parseEmbed,
  parseFields,
  pickFields,
} from './present';
import type { Context } from './context';
import { addressReader } from './client-address';
import type { AnyRoute, Call, Denial, Method, Reply, RequestInfo, Resource } from './route';
import { mayBeRefusedUnread, refusedUnread } from './unread';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- loaders see the call of whichever route asks
export type EmbedLoaders<D> = Readonly<Record<string, EmbedLoader<Call<D, any, any>>>>;

export interface ServeOptions<D> {
  readonly namespace: string;
  /** What comes before the namespace; default `/rest`. */
  readonly base?: string;
  readonly resources: readonly Resource<D>[];
  readonly embeds?: EmbedLoaders<D>;
  readonly deps: D;
  readonly log: Log;
  readonly siteUrl: string;
  readonly actorSecret: string;
  /** Called once for each answered request, with the pattern of its route. */
  readonly observe?: (method: string, pattern: string, status: number, seconds: number) => void;
}

interface CompiledRoute<D> {
  readonly pattern: string;
  readonly matcher: RegExp;
  /** Names of the variables in its path. */
  readonly variables: readonly string[];
  readonly byMethod: ReadonlyMap<string, AnyRoute<D>>;
  readonly routes: readonly AnyRoute<D>[];
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves a namespace below `<base>/<namespace>`. */
export function serve<D>(options: ServeOptions<D>): RequestHandler {
  const base = options.base ?? '/rest';
  const prefix = `${base}/${options.namespace}`;
  const root = `${options.siteUrl}${base}`;
  const bySegment = compile(options.namespace, options.resources);
  const readActor = actorReader(options.actorSecret);
  const clientAddress = addressReader(options.actorSecret);

  const find = (path: string): { compiled: CompiledRoute<D>; params: Record<string, string> } | undefined => {
    for (const compiled of bySegment.get(firstSegment(path)) ?? []) {
      const match = compiled.matcher.exec(path);
      if (match) return { compiled, params: decodeParams(match.groups) };
    }
    return undefined;
  };

  return async (request, response) => {
    const started = process.hrtime.bigint();
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const fullPath = mark < 0 ? url : url.slice(0, mark);
    const query = mark < 0 ? '' : url.slice(mark + 1);
    const path = trimSlash(fullPath.slice(prefix.length));
    const requestId = header(request, 'x-request-id') || randomUUID();
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const log = options.log;
    let pattern = 'none';
    let allow = '';
    let outcome: Outgoing;
    const signal = abortSignal(request, response);
    try {
      const found = fullPath.startsWith(prefix) ? find(path) : undefined;
      if (method === 'OPTIONS') {
        const actor = readActor(request);
        outcome = json(
          found ? optionsBody(options.namespace, found.compiled.pattern, found.compiled.routes, root) : [],
          200,
          {},
        );
        if (found) allow = allowed(found.compiled, actor, options.deps);
        pattern = found?.compiled.pattern ?? 'none';
      } else {
        const row = found?.compiled.byMethod.get(method);
        if (!found || !row) throw noRoute();
        pattern = found.compiled.pattern;
        const parsedQuery = parseQuery(query);
        // Before the body: the signature is good for a minute, and a slow sender may take longer.
        const actor = readActor(request);
        const unread: RequestInfo = {
          id: requestId,
          address: clientAddress(request),
          userAgent: header(request, 'user-agent'),
          path,
          query,
          embed: parseEmbed(parsedQuery._embed),
          whole: parsedQuery._fields === undefined && parsedQuery._pretty === undefined,
          headers: request.headers,
          raw: request,
          body: {},
          bodyKind: 'none',
          signal,
        };
        if (row.body !== 'stream' && mayBeRefusedUnread(request, actor)) {
          const { deps } = options;
          const call = { deps, actor, request: unread, log, root, context: row.context ?? ('edit' as const) };
          const refusal = await refusedUnread(row, call, found.params);
          if (refusal) {
            allow = allowed(found.compiled, actor, deps, refusal.subject, refusal);
            throw denied(refusal.denial, actor);
          }
        }
        const stream = row.body === 'stream';
        if (!stream) proceed(request, response);
        const body: { kind: RequestInfo['bodyKind']; value: unknown } = stream
          ? { kind: 'stream', value: {} }
          : await readBody(request, row.bodyLimit ?? DEFAULT_BODY_LIMIT);
        const info: RequestInfo = { ...unread, body: body.value, bodyKind: body.kind };
        const raw = {
          ...parsedQuery,
          ...(Array.isArray(body.value) ? {} : (body.value as object)),
          ...found.params,
        };
        const granted = stream ? () => proceed(request, response) : undefined;
        const run = await travel(
          options,
          found.compiled,
          row,
          actor,
          raw,
          info,
          root,
          method as Method,
          granted,
        );
        allow = run.allow;
        if (run.error) throw run.error;
        outcome = await answer(options, row, run.call, run.reply, parsedQuery, root);
        if (isLoggedIn(actor)) outcome.headers['Cache-Control'] ??= 'no-cache, must-revalidate, max-age=0';
      }
    } catch (error) {
      const known = toApiError(error);
      if (known.status >= 500) {
        const fields = { requestId, method, path: fullPath, code: known.code };
        // What a caller who hung up has cut short fails because of that, and nobody waits for its answer.
        if (signal.aborted) log.debug({ ...fields, err: known.cause ?? known }, known.message);
        else logFault(log, known, fields);
      }
      outcome = json(known.body(), known.status, { ...known.headers });
    }
    if (allow !== '') outcome.headers.Allow = allow;
    send(request, response, outcome, requestId, signal);
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    options.observe?.(request.method ?? 'GET', pattern, outcome.status, seconds);
    if (log.isLevelEnabled('debug'))
      log.debug(
        { requestId, method: request.method, path: fullPath, status: outcome.status, ms: seconds * 1000 },
        'request',
      );
  };
}

interface Travelled<D> {
  allow: string;
  call: Call<D>;
  reply: Reply<unknown>;
  error?: Error;
}

/** Arguments → load → permission → handle. Errors come back beside `allow`, since a refused request names the methods too. */
async function travel<D>(
  options: ServeOptions<D>,
  compiled: CompiledRoute<D>,
  row: AnyRoute<D>,
  actor: Actor,
  raw: Record<string, unknown>,
  request: RequestInfo,
  root: string,
  method: Method,
  granted?: () => void,
): Promise<Travelled<D>> {
  let subject: unknown;
  let call: Call<D> | undefined;
  const result: { reply?: Reply<unknown>; error?: Error } = {};
  let args: Record<string, unknown> = raw;
  let sent: ReadonlySet<string> = new Set();
  try {
    ({ args, sent } = readArgs(row.args as ArgTable, raw));
    const context: Context =
      row.context ?? (method === 'GET' ? ((args.context as Context | undefined) ?? 'view') : 'edit');
    const base = { deps: options.deps, actor, args, sent, request, log: options.log, root, context };
    if (row.load) subject = await row.load({ ...base, subject: undefined });
    call = { ...base, subject };
    const denial = row.permission(call);
    if (denial) throw denied(denial, actor);
    granted?.();
    result.reply = (await row.handle(call)) as Reply<unknown>;
  } catch (error) {
    result.error = error as Error;
  }
  return {
    allow: allowed(compiled, actor, options.deps, subject, { row, args, sent }),
    call: call as Call<D>,
    reply: result.reply as Reply<unknown>,
    error: result.error,
  };
}

export function denied(denial: Denial, actor: Actor): ApiError {
  return new ApiError(denial.code, denial.status ?? (isLoggedIn(actor) ? 403 : 401), denial.message, {
    data: denial.data,
  });
}

/** Methods of the route whose permission this caller passes. Permissions are pure, so asking each costs next to nothing. */
function allowed<D>(
  compiled: CompiledRoute<D>,
  actor: Actor,
  deps: D,
  subject?: unknown,
  asked?: {
    /** Missing where the arguments are not known yet. */
    readonly row?: AnyRoute<D>;
    readonly args: Readonly<Record<string, unknown>>;
    readonly sent: ReadonlySet<string>;
  },
): string {
  const methods: string[] = [];
  const inPath = Object.fromEntries(compiled.variables.map((name) => [name, asked?.args[name]]));
  for (const row of compiled.routes) {
    let denial: Denial | undefined;
    try {
      // Without a subject an item's permission cannot be judged by its row: what the caller may do in general counts.
      // The arguments are those of the method that was called: the filters of a list are no wishes for a new item.
      const { args, sent } = asked?.row === row ? asked : { args: inPath, sent: new Set<string>() };
      denial = row.permission({ deps, actor, subject, args, sent });
    } catch {
      denial = { code: '', message: '' };
    }
    if (!denial) methods.push(...row.methods);
  }
  return methods.join(', ');
}

interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer | AsyncIterable<string>;
}

const JSON_TYPE = 'application/json; charset=UTF-8';
const json = (value: unknown, status: number, headers: Record<string, string>, pretty = false): Outgoing => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body: JSON.stringify(value, null, pretty ? 4 : undefined),
});

async function answer<D>(
  options: ServeOptions<D>,
  row: AnyRoute<D>,
  call: Call<D>,
  result: Reply<unknown>,
  query: Record<string, unknown>,
  root: string,
): Promise<Outgoing> {
  if (result.kind === 'stream')
    return {
      status: result.status,
      headers: { ...result.headers },
      body: result.value as AsyncIterable<string>,
    };
  if (result.kind === 'text')
    return { status: result.status, headers: { ...result.headers }, body: result.value as string | Buffer };
  const fields = parseFields(query._fields);
  const relations = call.request.embed;
  const pretty = query._pretty !== undefined;
  const headers = { ...result.headers };
  if (result.kind === 'plain')
    return json(fields ? pickFields(result.value, fields) : result.value, result.status, headers, pretty);

  const present = (entry: unknown): object => {
    if (entry instanceof ReadyItem) return entry;
    const item = row.present ? row.present(entry, call) : (entry as object);
    return row.schema ? filterContext(item, row.schema, call.context) : item;
  };
  if (result.kind === 'deleted') {
    const { _links, ...previous } = present(result.row) as Record<string, unknown>;
    const value = { deleted: true, previous };
    return json(fields ? pickFields(value, fields) : value, result.status, headers, pretty);
  }
  let items = result.kind === 'list' ? (result.rows as unknown[]).map(present) : [present(result.row)];
  if (relations && options.embeds) items = await embed(items, relations, options.embeds, call);
  if (result.kind === 'list' && result.total !== undefined) {
    const page = {
      total: result.total,
      page: (call.args.page as number | undefined) ?? 1,
      perPage: (call.args.per_page as number | undefined) ?? 10,
    };
    Object.assign(
      headers,
      pagingHeaders(page, `${root}/${options.namespace}${call.request.path}`, call.request.query),
    );
  }
  if (items[0] instanceof ReadyItem) {
    const texts = (items as ReadyItem[]).map((item) => item.json);
    const body = result.kind === 'list' ? `[${texts.join(',')}]` : (texts[0] as string);
    return { status: result.status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body };
  }
  const value = result.kind === 'list' ? items : items[0];
  return json(fields ? pickFields(value, fields) : value, result.status, headers, pretty);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: Outgoing,
  requestId: string,
  signal: AbortSignal,
): void {
  if (response.headersSent || response.destroyed) return;
  outgoing.headers['X-Request-Id'] = requestId;
  if (typeof outgoing.body !== 'string' && !Buffer.isBuffer(outgoing.body)) {
    response.writeHead(outgoing.status, outgoing.headers);
    if (request.method === 'HEAD') {
      void (outgoing.body as Partial<AsyncGenerator>).return?.(undefined);
      response.end();
      return;
    }
    void stream(outgoing.body, response, signal);
    return;
  }
  const bytes = typeof outgoing.body === 'string' ? Buffer.from(outgoing.body) : outgoing.body;
  outgoing.headers['Content-Length'] = String(bytes.length);
  // A body that was refused half-way is not read to its end: the connection cannot be used again.
  if (isComing(request)) outgoing.headers.Connection = 'close';
  response.writeHead(outgoing.status, outgoing.headers);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** The client going away ends the stream, and with it what feeds it; a fault half-way can only cut the answer. */
async function stream(
  pieces: AsyncIterable<string>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (!response.write(piece)) await once(response, 'drain', { signal });
      if (signal.aborted) return;
    }
    response.end();
  } catch {
    response.destroy();
  }
}

/** Tells a client that waits for it to send the body. */
function proceed(request: IncomingMessage, response: ServerResponse): void {
  if (expectsContinue(request)) response.writeContinue();
}

// ---- matching ----------------------------------------------------------------------------------------------------

function compile<D>(namespace: string, resources: readonly Resource<D>[]): Map<string, CompiledRoute<D>[]> {
  const bySegment = new Map<string, CompiledRoute<D>[]>();
  for (const [pattern, routes] of byPattern(namespace, resources)) {
    const path = pattern.slice(namespace.length + 1);
    const byMethod = new Map<string, AnyRoute<D>>();
    for (const row of routes) {
      for (const method of row.methods) {
        if (byMethod.has(method)) throw new Error(`${method} ${pattern} is declared twice`);
        byMethod.set(method, row);
      }
    }
    const compiled: CompiledRoute<D> = {
      pattern,
      matcher: new RegExp(`^${path.replaceAll('(?P<', '(?<')}$`, 'i'),
      variables: Array.from(path.matchAll(/\(\?P<(\w+)>/g), ([, name]) => name as string),
      byMethod,
      routes,
    };
    const segment = firstSegment(path);
    const group = bySegment.get(segment);
    if (group) group.push(compiled);
    else bySegment.set(segment, [compiled]);
  }
  return bySegment;
}

const firstSegment = (path: string): string => {
  const end = path.indexOf('/', 1);
  return (end < 0 ? path : path.slice(0, end)).toLowerCase();
};

const trimSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.replace(/\/+$/, '') : path;

function decodeParams(groups: Record<string, string> | undefined): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name in groups) {
    const text = groups[name] as string;
    try {
      params[name] = text.includes('%') ? decodeURIComponent(text).replaceAll('\0', '') : text;
    } catch {
      throw invalidParam(name, `${name} is not valid percent-encoded text.`);
    }
  }
  return params;
}

// ---- the request -------------------------------------------------------------------------------------------------

const header = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name];
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
};

/** Verifying costs a hash; the same header comes again and again within its minute. */
function actorReader(secret: string): (request: IncomingMessage) => Actor {
  const known = new Map<string, { actor: Actor; until: number }>();
  return (request) => {
    const value = header(request, ACTOR_HEADER);
    if (value === '') return stranger;
    const now = Date.now();
    const hit = known.get(value);
    if (hit && hit.until > now) return hit.actor;
    const actor = verifyActor(value, secret, now);
    if (!actor)
      throw new ApiError('rest_invalid_actor', 401, 'The signature of the caller is wrong or too old.');
    if (known.size >= 1000) known.clear();
    known.set(value, { actor, until: now + 10_000 });
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
