/**
 * The end of the road: from what a handler replied to bytes on the socket. Items pass `present`, the context filter,
 * `_embed` and `_fields`; everything else goes as it is.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Log, pathToLog } from '../log';
import { logFault } from '../outages';
import { expectsContinue, isComing } from './connections';
import { begun, listText, longList } from './long-list';
import type { Paging } from './paging';
import { type EmbedRow, ReadyItem, embed, embedTargets, filterContext, isMuchEmbedded } from './present';
import { parseFields, pickFields } from './pick-fields';
import { type ReadyMemory, readyItems, sharedBy } from './ready';
import type { AnyRoute, Call, Reply, Version } from './route';
import { embeddedTags, itemTags } from './shows';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- loaders see the call of whichever route asks
export type EmbedLoaders<D> = Readonly<Record<string, EmbedRow<Call<D, any, any>>>>;

export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** Becomes headers with the query as it was asked. */
  readonly paging?: Paging;
}

export const JSON_TYPE = 'application/json; charset=UTF-8';

const jsonText = (
  body: Outgoing['body'],
  status: number,
  headers: Record<string, string>,
  paging?: Paging,
): Outgoing => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body,
  paging,
});

export const json = (value: unknown, status: number, headers: Record<string, string> = {}): Outgoing =>
  jsonText(JSON.stringify(value), status, headers);

export interface Answering<D> {
  readonly namespace: string;
  readonly embeds?: EmbedLoaders<D>;
  readonly ready: ReadyMemory;
}

/**
 * `query` is the parsed one: it holds `_fields` and `_pretty`. What the answer shows is added to `tags` where somebody asked for
 * them. A promise only where something is asked for: each one costs (cost.test.ts).
 */
export function answer<D>(
  service: Answering<D>,
  row: AnyRoute<D>,
  call: Call<D>,
  reply: Reply<unknown>,
  query: Readonly<Record<string, unknown>>,
  tags: Set<string> | undefined,
): Outgoing | Promise<Outgoing> {
  const { kind, status } = reply;
  const headers = { ...reply.headers };
  const show: Show | undefined = tags && ((list) => list.forEach((tag) => tags.add(tag)));
  if (kind !== 'item') show?.(row.shows?.lists(call) ?? []);
  show?.(reply.tags ?? []);
  const paging =
    kind === 'list' && reply.total !== undefined
      ? pagingOf(service.namespace, call, reply.total)
      : reply.paging;
  if (kind === 'stream') return { status, headers, body: reply.value as Outgoing['body'], paging };
  if (kind === 'text') {
    const text = reply.value as string | Buffer | AsyncGenerator<string | Buffer>;
    if (typeof text === 'string' || Buffer.isBuffer(text)) return { status, headers, body: text, paging };
    return begun(text, 0).then((body) => ({ status, headers, body, paging }));
  }

  const fields = parseFields(query._fields);
  const picked = (value: unknown): unknown => (fields ? pickFields(value, fields) : value);
  const shown = (value: unknown): Outgoing => {
    const text = JSON.stringify(picked(value), null, query._pretty === undefined ? undefined : 4);
    return jsonText(text, status, headers, paging);
  };
  if (kind === 'plain') return shown(reply.value);
  if (kind === 'deleted') {
    const { _links, ...previous } = presented(row, call, reply.row) as Record<string, unknown>;
    return shown({ deleted: true, previous });
  }
  const isList = kind === 'list';
  const rows = (isList ? reply.rows : [reply.row]) as readonly object[];
  const long = isList ? longList(row, call, reply) : undefined;
  if (long) {
    const items = shownPieces(service, row, call, long, show, picked);
    const begin = begun(listText(items, query._pretty !== undefined));
    return begin.then((body) => jsonText(body, status, headers, paging));
  }
  const whole = (items: readonly object[]): Outgoing | Promise<Outgoing> => {
    if (isList && isTooMuch(items)) {
      const begin = begun(listText(oneByOne(items, picked), query._pretty !== undefined));
      return begin.then((body) => jsonText(body, status, headers, paging));
    }
    if (!(items[0] instanceof ReadyItem)) return shown(isList ? items : items[0]);
    const [first, ...others] = items as [ReadyItem, ...ReadyItem[]];
    return jsonText(isList ? listOf(first, others) : first.json, status, headers, paging);
  };
  const items = isList
    ? listItems(service, row, call, rows, show)
    : shownItems(service, row, call, rows, show);
  return items instanceof Promise ? items.then(whole) : whole(items);
}

/** To be written down as a whole: what is embedded in many may be long. */
const isTooMuch = (items: readonly object[]): boolean =>
  items.some((item) => item instanceof ReadyItem && item.isLate) || isMuchEmbedded(items);

async function* oneByOne(
  items: readonly object[],
  picked: (value: unknown) => unknown,
): AsyncGenerator<unknown[]> {
  for (const item of items) yield [item instanceof ReadyItem ? item : picked(item)];
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((sign) => Buffer.from(sign)) as [Buffer, Buffer, Buffer];

const listOf = (first: ReadyItem, others: readonly ReadyItem[]): Buffer =>
  Buffer.concat([OPEN, first.json, ...others.flatMap(({ json: one }) => [COMMA, one]), CLOSE]);

/** Adds tags; calls of one that is absent do not make them either. */
type Show = (tags: readonly string[]) => void;

type Items = object[] | Promise<object[]>;

function listItems<D>(
  service: Answering<D>,
  row: AnyRoute<D>,
  call: Call<D>,
  rows: readonly object[],
  show: Show | undefined,
): Items {
  const shared = sharedBy(row, call);
  if (!shared) return shownItems(service, row, call, rows, show);
  const complete = (items: ReadyItem[]): Items => {
    for (const { tags } of items) show?.(tags);
    return shared.withEmbedded || !call.request.embed
      ? items
      : embedded(service, call, items, show && ((_, tags) => show(tags)));
  };
  const items = readyItems(service.ready, row, shared, call, rows as readonly Version[], (found) =>
    makeReady(service, row, call, found, shared.withEmbedded),
  );
  return items instanceof Promise ? items.then(complete) : complete(items);
}

async function makeReady<D>(
  service: Answering<D>,
  row: AnyRoute<D>,
  call: Call<D>,
  rows: readonly object[],
  withEmbedded: boolean,
): Promise<ReadyItem[]> {
  const items = rows.map((one) => presented(row, call, one));
  const tags = rows.map((one) => itemTags(row.shows, one));
  if (!withEmbedded)
    return items.map((item, place) => new ReadyItem(bytesOf(item), embedTargets(item), tags[place]));
  const whole = await embedded(service, call, items, (place, more) => tags[place]?.push(...more));
  // Nothing is left to follow.
  const isMuch = isMuchEmbedded(whole);
  return whole.map(
    (item, place) => new ReadyItem(isMuch ? () => bytesOf(item) : bytesOf(item), [], tags[place]),
  );
}

/** Not from the pool that Node cuts small buffers from: one that is kept would keep its neighbours. */
function bytesOf(item: object): Buffer {
  const text = JSON.stringify(item);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function shownItems<D>(
  service: Answering<D>,
  row: AnyRoute<D>,
  call: Call<D>,
  rows: readonly object[],
  show: Show | undefined,
): Items {
  const items = rows.map((one) => presented(row, call, one));
  for (const one of rows) show?.(itemTags(row.shows, one));
  if (!call.request.embed) return items;
  return embedded(service, call, items, show && ((_, tags) => show(tags)));
}

async function* shownPieces<D>(
  service: Answering<D>,
  row: AnyRoute<D>,
  call: Call<D>,
  pieces: AsyncIterable<readonly unknown[]>,
  show: Show | undefined,
  picked: (value: unknown) => unknown,
): AsyncGenerator<unknown[]> {
  for await (const rows of pieces)
    yield (await listItems(service, row, call, rows as object[], show)).map(picked);
}

async function embedded<D>(
  { embeds }: Answering<D>,
  call: Call<D>,
  items: object[],
  show: ((place: number, tags: readonly string[]) => void) | undefined,
): Promise<object[]> {
  if (!call.request.embed || !embeds) return items;
  return embed(items, call.request.embed, embeds, call, (place, targets, loaded) =>
    show?.(place, embeddedTags(embeds, targets, loaded)),
  );
}

function presented<D>(row: AnyRoute<D>, call: Call<D>, entry: unknown): object {
  const item = row.present ? row.present(entry, call) : (entry as object);
  return row.schema ? filterContext(item, row.schema, call.context) : item;
}

function pagingOf<D>(namespace: string, call: Call<D>, total: number): Paging {
  const { page = 1, per_page: perPage = 10 } = call.args as { page?: number; per_page?: number };
  return { total, page, perPage, address: `${call.root}/${namespace}${call.request.path}` };
}

/** Whose answer it is. */
interface Sending {
  readonly id: string;
  readonly method: string;
  readonly fullPath: string;
  readonly signal: () => AbortSignal;
}

/** Nothing is sent where an answer was begun or nobody listens any more. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: Outgoing,
  trip: Sending,
  log: Log,
): void {
  if (response.headersSent || response.destroyed) return drop(outgoing);
  outgoing.headers['X-Request-Id'] = trip.id;
  // A body that was refused half-way is not read to its end: the connection cannot be used again.
  if (isComing(request)) outgoing.headers.Connection = 'close';
  if (typeof outgoing.body !== 'string' && !Buffer.isBuffer(outgoing.body)) {
    response.writeHead(outgoing.status, outgoing.headers);
    if (request.method === 'HEAD') {
      drop(outgoing);
      response.end();
      return;
    }
    void stream(outgoing.body, response, trip, log);
    return;
  }
  const bytes = typeof outgoing.body === 'string' ? Buffer.from(outgoing.body) : outgoing.body;
  outgoing.headers['Content-Length'] = String(bytes.length);
  response.writeHead(outgoing.status, outgoing.headers);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Of a stream that nobody gets ends what feeds it, too. */
function drop({ body }: Outgoing): void {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return;
  const ended = (body as Partial<AsyncGenerator>).return?.(undefined);
  void ended?.catch(() => undefined);
}

/** The client going away ends the stream, and with it what feeds it; a fault half-way can only cut the answer. */
async function stream(
  pieces: AsyncIterable<string | Buffer>,
  response: ServerResponse,
  trip: Sending,
  log: Log,
): Promise<void> {
  const signal = trip.signal();
  try {
    for await (const piece of pieces) {
      if (!response.write(piece)) await once(response, 'drain', { signal });
      if (signal.aborted) return;
    }
    response.end();
  } catch (error) {
    if (!signal.aborted && !response.destroyed)
      logFault(
        log,
        error,
        { method: trip.method, path: pathToLog(trip.fullPath) },
        'an answer was cut half-way',
      );
    response.destroy();
  }
}

/** Tells a client that waits for it to send the body. */
export function proceed(request: IncomingMessage, response: ServerResponse): void {
  if (expectsContinue(request)) response.writeContinue();
}
