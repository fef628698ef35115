/** Puts a client together: one transport, the calls by path of openapi-fetch above it, and the resources by name above those. */
import createFetchClient, {
  type Client as FetchClient,
  createQuerySerializer,
  defaultPathSerializer,
  mergeHeaders,
} from 'openapi-fetch';
import { type Credentials, keeperOf, stranger } from './credentials.ts';
import { SevenfoldError, errorOf } from './errors.ts';
import type { paths } from './gen/document.ts';
import { operations } from './gen/operations.ts';
import { type Page, listingOf, pageOf, placeOf, walkOf } from './listing.ts';
import type { CallOptions, Resources } from './resources.ts';
import { refreshTokens, siteOf } from './sessions.ts';
import {
  TIMEOUT_MS,
  type SendOptions,
  type Sending,
  attemptsOf,
  createTransport,
  fetching,
} from './transport.ts';
import {
  type UploadOptions,
  type UploadSource,
  formAround,
  openSource,
  randomText,
  uploading,
} from './upload.ts';

export interface ClientOptions extends SendOptions {
  /** Public address of the site; `/rest` is added. */
  readonly url: string;
  /** Without them the client asks as a stranger. */
  readonly credentials?: Credentials;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

type OfConsole = Extract<keyof paths, `/console/${string}`>;

export interface Client extends Omit<Resources, 'console'> {
  /** Calls by path, as openapi-fetch has them: nothing is thrown for what the site refuses. */
  readonly raw: FetchClient<Omit<paths, OfConsole>>;
  /** What stands beside the interface, for the people who run the site. */
  readonly console: Resources['console'] & { readonly raw: FetchClient<Pick<paths, OfConsole>> };
}

/** Lists are written with commas. */
const serializeQuery = createQuerySerializer({ array: { style: 'form', explode: false } });

/** Dates as in a body. An object without fields would be left out, and the list not be narrowed by it. */
const querySerializer = (query: Readonly<Record<string, unknown>>): string =>
  serializeQuery(
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        value instanceof Date ? value.toISOString() : value,
      ]),
    ),
  );

/** These vanish from an address, and what is left is another operation: that of all where one was meant. */
const VANISHING: ReadonlySet<unknown> = new Set(['', '.', '..']);

function pathSerializer(path: string, variables: Readonly<Record<string, unknown>>): string {
  for (const [name, value] of Object.entries(variables))
    if (value === undefined || typeof value === 'object' || VANISHING.has(value))
      throw new TypeError(`\`${name}\` names nothing: it is ${JSON.stringify(value)}.`);
  return defaultPathSerializer(path, variables);
}

const never = new AbortController().signal;

export function createClient({ url, credentials, headers = {}, ...defaults }: ClientOptions): Client {
  const site = siteOf(url);
  const root = `${site}/rest`;
  const asStranger = createTransport(stranger, defaults);
  const keeper = keeperOf(
    credentials,
    (token) => refreshTokens(asStranger, site, token, headers),
    defaults.timeoutMs ?? TIMEOUT_MS,
  );
  const transport = createTransport(keeper, defaults);

  /** `signal` of a call stays out of the request: a long-lived one would gather listeners. */
  const sending =
    ({ signal, ...options }: CallOptions = {}) =>
    async (request: Request): Promise<Response> => {
      const body = request.body === null ? undefined : await request.arrayBuffer();
      const { method } = request;
      return transport(
        {
          method,
          headers: request.headers,
          signal: signal ?? request.signal,
          send: fetching(request.url, method, body),
        },
        options,
      );
    };
  const shared = { headers, querySerializer, pathSerializer, fetch: sending() };
  const raw = createFetchClient<Omit<paths, OfConsole>>({ ...shared, baseUrl: root });
  const ofConsole = createFetchClient<Pick<paths, OfConsole>>({ ...shared, baseUrl: site });
  const askAt =
    (request: ByPath): Ask =>
    async ([method, path], { variables, query, body }, options = {}) => {
      const { response, data, error } = await request(method, path, {
        params: { path: variables, query },
        ...(body === undefined ? {} : { body }),
        parseAs: 'text',
        headers: options.headers,
        fetch: sending(options),
      });
      if (!response.ok) throw errorOf(response, error, attemptsOf(response));
      const accepted = mergeHeaders(headers, options.headers).get('Accept') ?? '';
      return { body: bodyOf(response, data, HTML.test(accepted)), response };
    };
  const upload: SendFile = async ([, path, extra], source, options = {}) => {
    const opened = await openSource(source, options);
    const form = formAround(extra?.file as string, opened, options.fields);
    const request: Sending = {
      method: 'POST',
      // A form with credentials could come from the memory of a browser; this header could not.
      headers: mergeHeaders({ 'Idempotency-Key': randomText() }, headers, options.headers),
      signal: options.signal ?? never,
      send: uploading(`${root}${path}`, opened, form, options),
      once: opened.once,
    };
    const response = await transport(request, options);
    const text = await response.text();
    if (!response.ok) throw errorOf(response, parsed(text), attemptsOf(response));
    return bodyOf(response, text);
  };
  const { console: besides, ...table } = operations;
  const resources = groupOf(table, { ask: askAt(raw.request as ByPath), upload });
  const group = groupOf(besides, { ask: askAt(ofConsole.request as ByPath), upload });
  return { ...resources, raw, console: { ...group, raw: ofConsole } } as Client;
}

/** The same calls, without their types: those come from the table. */
type ByPath = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly response: Response; readonly data?: unknown; readonly error?: unknown }>;

const HTML = /\btext\/html\b/i;

/**
 * Anything but JSON stays text. A page that nobody asked for is none of the interface: a log-in before the site, or what
 * stands at a wrong `url`, says 200 as well, and a write would seem to be done.
 */
function bodyOf(response: Response, text: unknown, takesHtml = false): unknown {
  const type = response.headers.get('Content-Type') ?? '';
  if (!takesHtml && HTML.test(type))
    throw invalid(response, 'The answer is a page, not one of the interface: is `url` that of the site?');
  if (typeof text !== 'string' || text === '' || !/\bjson\b/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(response, 'The answer is no valid JSON.', cause);
  }
}

const invalid = ({ status, headers }: Response, message: string, cause?: unknown): SevenfoldError =>
  new SevenfoldError({
    code: 'invalid_answer',
    status,
    message,
    requestId: headers.get('X-Request-Id') ?? undefined,
    cause,
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// ---- resources -------------------------------------------------------------------------------------------------------

interface Extra {
  readonly size?: number;
  readonly key?: string;
  /** What tells the items apart, where it is not `id`. */
  readonly id?: string;
  readonly cursor?: string;
  readonly file?: string;
}
type Row = readonly [method: string, path: string, extra?: Extra];

interface Input {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

type Ask = (row: Row, input: Input, options?: CallOptions) => Promise<{ body: unknown; response: Response }>;
type SendFile = (row: Row, source: UploadSource, options?: UploadOptions) => Promise<unknown>;

interface Ways {
  readonly ask: Ask;
  readonly upload: SendFile;
}

function groupOf(table: object, ways: Ways): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, node]: [string, unknown]) => [
      name,
      isRow(node) ? callOf(node, ways) : groupOf(node as object, ways),
    ]),
  );
}

const isRow = (node: unknown): node is Row => Array.isArray(node);

type Call = (...args: readonly unknown[]) => unknown;

function callOf(row: Row, ways: Ways): Call {
  const [method, path, { size, file, cursor, key = '' } = {}] = row;
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name as string);
  const takesQuery = method === 'get' || method === 'delete';
  if (file !== undefined)
    return (source, options) => ways.upload(row, source as UploadSource, options as UploadOptions);
  return (...args) => {
    const variables = Object.fromEntries(names.map((name, place) => [name, args[place]]));
    const [given, options] = args.slice(names.length) as [Input['query'], CallOptions | undefined];
    if (size !== undefined) return listOf(row, size, { variables, query: given }, options, ways.ask);
    if (cursor !== undefined)
      return walkOf(async (next) => {
        const query = { ...given, ...(next > 0 ? { [cursor]: next } : {}) };
        return (await ways.ask(row, { variables, query }, options)).body;
      }, key);
    const input = takesQuery ? { variables, query: given } : { variables, body: given ?? {} };
    return ways.ask(row, input, options).then(({ body }) => body);
  };
}

function listOf(
  row: Row,
  most: number,
  { variables, query }: Input,
  options: CallOptions | undefined,
  ask: Ask,
): unknown {
  const { key, id = 'id' } = row[2] ?? {};
  const size = Number(query?.per_page ?? most);
  const skipped = query?.offset === undefined ? undefined : Number(query.offset);
  const reading =
    (fields: unknown) =>
    async (number: number): Promise<Page<unknown>> => {
      const place = placeOf(number, size, skipped);
      const input = { variables, query: { ...query, _fields: fields, per_page: size, ...place } };
      const { body, response } = await ask(row, input, options);
      const items = key === undefined ? body : (body as Record<string, unknown> | undefined)?.[key];
      return pageOf(response, items, { number, size, skipped });
    };
  const fields = query?._fields;
  const read = reading(fieldsIn(key, fields));
  // By their ids a walk knows which rows it has told.
  return listingOf(read, reading(fieldsIn(key, fields, [id])), { size: Math.min(size, most), id });
}

/** Fields of items, as the site knows them: where items stand in one field of the answer, they are named from there. */
function fieldsIn(key: string | undefined, fields: unknown, more: readonly string[] = []): unknown {
  if (!Array.isArray(fields) || fields.length === 0) return fields;
  const names = [...new Set([...(fields as string[]), ...more])];
  if (key === undefined) return names;
  return names.map((name) => (name === key || name.startsWith(`${key}.`) ? name : `${key}.${name}`));
}
