/**
 * What a route is: data and a few small functions. A route without a permission does not compile; an open one says
 * `anyone`. Everything that is shown about a route (index, OPTIONS, OpenAPI) is derived from these rows.
 */
import type { IncomingMessage } from 'node:http';
import type { Actor } from '../actor';
import type { ApiError, CodeTable } from '../errors';
import type { Log } from '../log';
import type { ArgTable, ArgsOf } from './args';
import type { Context } from './context';
import type { Paging } from './paging';
import type { ItemSchema } from './present';
import type { Answers, Sends } from './shapes';
import type { Seen } from '../news/seen';
import type { Shows } from './shows';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export const WRITE: readonly Method[] = ['POST', 'PUT', 'PATCH'];

export interface RequestInfo {
  readonly id: string;
  /** Address of the client as the gateway saw it. */
  readonly address: string;
  readonly userAgent: string;
  /** Path below the namespace, without query. */
  readonly path: string;
  /** Raw query string as received, without the question mark. */
  readonly query: string;
  /** Whether the answer shows items as they are: no `_fields` or `_pretty`. Then ReadyItems may stand for rows. */
  readonly whole: boolean;
  /** What `_embed` asks for: everything, some relations, or nothing. */
  readonly embed: true | ReadonlySet<string> | undefined;
  readonly headers: IncomingMessage['headers'];
  /** The request itself, for routes with `body: 'stream'`. */
  readonly raw: IncomingMessage;
  /** Parsed body of routes with `body: 'parsed'`; an empty object when there was none. */
  readonly body: unknown;
  /** How the body came: none, json, form or multipart. */
  readonly bodyKind: 'none' | 'json' | 'form' | 'multipart' | 'stream';
  /** Aborts when the client goes away or the time is up; made when it is asked for. */
  readonly signal: () => AbortSignal;
}

/** What a permission sees. It is a pure function: no I/O, so that `Allow` can ask it for every method of a route. */
export interface Subject<D, S> {
  readonly deps: D;
  readonly actor: Actor;
  readonly subject: S;
  readonly args: Readonly<Record<string, unknown>>;
  readonly sent: ReadonlySet<string>;
}

export interface Call<D, A = Record<string, unknown>, S = unknown> {
  readonly deps: D;
  readonly actor: Actor;
  readonly args: A;
  readonly sent: ReadonlySet<string>;
  readonly subject: S;
  readonly request: RequestInfo;
  readonly log: Log;
  /** `<SITE_URL>/rest`, the start of every link. */
  readonly root: string;
  readonly context: Context;
}

/** Why a caller may not: 401 for strangers and 403 for users unless `status` says otherwise. */
export interface Denial {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly data?: Record<string, unknown>;
}

/**
 * Asked without a subject where there is none to judge by: by OPTIONS, for `Allow` when the path names nothing, and
 * before the body of a stranger is read. What the caller may do in general counts then.
 */
export type Permission<D, S> = (call: Subject<D, S | undefined>) => Denial | undefined;

export const anyone = (): undefined => undefined;

export interface Reply<R> {
  readonly status: number;
  readonly kind: 'item' | 'deleted' | 'list' | 'plain' | 'text' | 'stream';
  readonly row?: R;
  readonly rows?: readonly R[];
  /** Of lists too long to be held: the rows behind `rows`, read when those before are with the client (db/pieces.ts). */
  readonly rest?: AsyncIterable<readonly R[]>;
  readonly value?: unknown;
  readonly headers: Record<string, string>;
  /** Lists only: how many rows the caller may see in all. */
  readonly total?: number;
  /** Of lists that were made by hand. */
  readonly paging?: Paging;
  /** What it shows, where neither rows nor the route say (shows.ts). */
  readonly tags?: readonly string[];
  /** What it was made of, where that is what other services told. */
  readonly seen?: Seen;
}

type Headers = Record<string, string>;

/** Makers of replies. Items and lists go through `present`, the context filter, `_fields` and `_embed`; plain values only through `_fields`. */
export const reply = {
  item: <R>(row: R, headers: Headers = {}): Reply<R> => ({ status: 200, kind: 'item', row, headers }),
  created: <R>(row: R, location: string | undefined, headers: Headers = {}): Reply<R> => ({
    status: 201,
    kind: 'item',
    row,
    headers: location === undefined ? headers : { Location: location, ...headers },
  }),
  /** What was deleted for good, as it was: presented in edit context, without links. */
  deleted: <R>(row: R): Reply<R> => ({ status: 200, kind: 'deleted', row, headers: {} }),
  /** With `total` the paging headers follow from `page` and `per_page` of the arguments. */
  list: <R>(rows: readonly R[], total?: number, headers: Headers = {}): Reply<R> => ({
    status: 200,
    kind: 'list',
    rows,
    total,
    headers,
  }),
  plain: (value: unknown, status = 200, headers: Headers = {}): Reply<never> => ({
    status,
    kind: 'plain',
    value,
    headers,
  }),
  /** Sent piece by piece, for as long as there are pieces or until the client goes away. */
  stream: (pieces: AsyncIterable<string>, contentType: string): Reply<never> => ({
    status: 200,
    kind: 'stream',
    value: pieces,
    headers: { 'Content-Type': contentType, 'Cache-Control': 'no-cache' },
  }),
  /** Sends browsers on, to be read with GET. Where to is the caller's to check. */
  seeOther: (location: string): Reply<never> => reply.text('', 'text/plain', 303, { Location: location }),
  /**
   * Sent as it is, with its own Content-Type; in pieces what is too long to be held as a whole. What fails before the first piece
   * is answered like any other fault.
   */
  text: (
    value: string | Buffer | AsyncGenerator<string | Buffer>,
    contentType: string,
    status = 200,
    headers: Headers = {},
  ): Reply<never> => ({
    status,
    kind: 'text',
    value,
    headers: { 'Content-Type': contentType, ...headers },
  }),
};

/** A reply made by hand, with what it shows. */
export const showing = <R>(made: Reply<R>, tags: readonly string[]): Reply<R> => ({ ...made, tags });

/** A list made by hand, which has pages. */
export const paged = <R>(made: Reply<R>, paging: Paging): Reply<R> => ({ ...made, paging });

/** A list whose other rows are read while it is sent. */
export const goingOn = <R>(made: Reply<R>, rest: AsyncIterable<readonly R[]>): Reply<R> => ({
  ...made,
  rest,
});

/** A reply made of what other services told. */
export const passingOn = <R>(made: Reply<R>, seen: Seen): Reply<R> => ({ ...made, seen });

/** What makes the items of a list the same for several callers (ready.ts). */
export interface Ready<D, A extends ArgTable = ArgTable, R = unknown> {
  /** SQL of the id and of the version of a row. */
  readonly id: string;
  readonly version: string;
  /** Names those who see the same of a version; undefined: nobody else sees what this caller does. */
  readonly key: (call: Call<D, ArgsOf<A>>) => string | undefined;
  /**
   * SQL of the versions of all rows that are embedded, where those of one key are shown the same of them, too: then the
   * text holds what is embedded. Asked for calls that embed everything.
   */
  readonly embedded?: (call: Call<D, ArgsOf<A>>) => string | undefined;
  /** Select list of what `present` takes, with the id; with `most`, texts of rows of more bytes are null, or cut. */
  readonly columns: (call: Call<D, ArgsOf<A>>, most?: number) => string;
  /** SQL of how many bytes the texts of a row have that `columns` selects. */
  readonly size: (call: Call<D, ArgsOf<A>>) => string;
  /**
   * What is selected of listed rows beside id and version, where items show something that a row does not hold: the handler
   * and `find` make it part of the version.
   */
  readonly listed?: (call: Call<D, ArgsOf<A>>) => string | undefined;
  /** Rows by id, those that the caller may see: since they were listed they may have become what he must not. */
  readonly find: (
    call: Call<D, ArgsOf<A>>,
    columns: string,
    ids: readonly number[],
  ) => Promise<readonly (R & Version)[]>;
}

export interface Version {
  readonly id: number;
  readonly version: string;
}

export interface Route<D, A extends ArgTable = ArgTable, S = unknown, R = unknown> {
  readonly methods: readonly Method[];
  /** Pattern below the namespace, as the index shows it: `/posts/(?P<id>[\d]+)`. */
  readonly path: string;
  readonly summary: string;
  /** What it does beyond its summary, for OpenAPI, which adds who may: those of services have one. */
  readonly description?: string;
  readonly args: A;
  /** Works and appears in OpenAPI, but not in the index, whose routes the contract fixes. */
  readonly unlisted?: boolean;
  /** Shape of one answered item; drives the context filter, OPTIONS and OpenAPI. */
  readonly schema?: ItemSchema;
  /** What is answered, where it is not an item of `schema`, or a list of such on a route with `page`. */
  readonly answers?: Answers;
  /** What the body holds beside the arguments. */
  readonly sends?: Sends;
  /** What this caller may not ask for, told before a right that he lacks. Throws 400; pure, as permissions are. */
  readonly check?: (call: Call<D, ArgsOf<A>, undefined>) => void;
  /**
   * Finds what the path names, once, before the permission is asked. Throws 404 when it is not there; answers undefined
   * where the permission refuses the caller without looking: `handle` never sees that.
   */
  readonly load?: (call: Call<D, ArgsOf<A>, undefined>) => Promise<S | undefined>;
  readonly permission: Permission<D, S>;
  /** `columns` is the select list of the rows to answer; only of routes with `ready`. */
  readonly handle: (call: Call<D, ArgsOf<A>, S>, columns: string) => Promise<Reply<R>> | Reply<R>;
  /** Lists whose items are made once for each version of a row and for all who see the same (ready.ts). */
  readonly ready?: Ready<D, A, R>;
  readonly present?: (row: R, call: Call<D, ArgsOf<A>, S>) => object;
  /** Which news make its answers old (shows.ts); any of the service unless it says so. */
  readonly shows?: Shows<Call<D, ArgsOf<A>, S>>;
  /** Writes answer in edit context whatever the client says, unless this names another one. */
  readonly context?: Context;
  /** How an error is told to whoever asked for something else than JSON; undefined: as to everybody. */
  readonly answerError?: (error: ApiError, request: RequestInfo) => Reply<never> | undefined;
  /** `stream` leaves the body unread for the handler; default `parsed`. */
  readonly body?: 'parsed' | 'stream';
  /** Bytes; default 1 MiB. */
  readonly bodyLimit?: number;
}

/** Any route, for tables of a service. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes argument, subject and row types
export type AnyRoute<D> = Route<D, any, any, any>;

/** Declares a route; the arguments, the subject and the row are inferred from its parts. */
export function route<D, const A extends ArgTable, S = undefined, R = never>(
  row: Route<D, A, S, R>,
): AnyRoute<D> {
  return row;
}

export interface Resource<D> {
  /** Plural noun, for OpenAPI tags and tests. */
  readonly name: string;
  /** What it is, in a sentence, for OpenAPI: those of services have one. */
  readonly description?: string;
  readonly routes: readonly AnyRoute<D>[];
  /** Error codes that only this resource answers with, told; those that several share stand in errors.ts of the service. */
  readonly codes?: CodeTable;
}
