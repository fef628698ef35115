/**
 * What holds for every connection of a listener. One exchange at a time runs on it: Node begins all requests that were
 * sent ahead, and those behind the first never hear of the end of their socket. Few may wait. And an answer that comes
 * before its request is whole is not destroyed by closing the connection on what the client still sends.
 */
import type http from 'node:http';
import type { Socket } from 'node:net';
import { isChunked } from './chunks';

/** How many requests may stand behind the one that runs, and how many bytes they may be; a connection with more is cut. */
const MOST_WAITING = 64;
const MOST_WAITING_BYTES = 64 * 1024;

/** How long, in looks of a second each, and how many bytes of a refused body are read and dropped. */
const LINGER_LOOKS = 30;
const LINGER_BYTES = 64 * 1024 * 1024;
const LOOK_MS = 1_000;

/** As long as those of gRPC (grpc/serve.ts). */
const CONNECTION_AGE_MS = 300_000;

const LINE = Symbol('line');

interface Line {
  readonly socket: Socket;
  /** When its clients are sent to look for another one. */
  readonly until: number;
  running?: http.ServerResponse;
  /** When that began, by the clock of `performance`. */
  since: number;
  waiting: Waiting[];
}

interface Waiting {
  readonly response: http.ServerResponse;
  /** How many bytes of the connection were read when it came. */
  readonly at: number;
}

type Connection = Socket & { [LINE]?: Line };
/** A response knows its line by itself: its request may have lost the socket when it ends. */
type Begun = http.ServerResponse & { [LINE]?: Line };

export interface Connections {
  /** Answers that are begun and not over. */
  readonly running: ReadonlySet<http.ServerResponse>;
  /** From now on each answer is the last one on its connection. */
  letGo(): void;
}

/**
 * `serve` is called for each request when its turn has come. Must be called before the first request. Past its age an answer is the
 * last one on its connection: whoever balances does it connection by connection, so one that is kept busy would go to the
 * same replica for ever, and a new one would get nothing.
 */
export function watchConnections(
  server: http.Server,
  serve: http.RequestListener,
  ageMs = CONNECTION_AGE_MS,
): Connections {
  const running = new Set<http.ServerResponse>();
  let lettingGo = false;

  const begin = (line: Line, response: Begun): void => {
    line.running = response;
    response[LINE] = line;
    running.add(response);
    line.since = performance.now();
    if (lettingGo || line.since > line.until || isFollowed(response.req)) response.shouldKeepAlive = false;
    // It closes once: `once` would make a function for each.
    response.on('close', ended);
    // A late write to an answer that is over already is nobody's fault; unheard, it would end the process.
    response.on('error', ignore);
    response.req.on('error', ignore);
    serve(response.req, response);
  };
  // One function for all answers instead of one for each.
  function ended(this: Begun): void {
    running.delete(this);
    const line = this[LINE] as Line;
    line.running = undefined;
    const next = line.waiting.shift()?.response;
    if (!next) return;
    // An answer that closes its connection leaves the rest without one.
    if (next.socket && line.socket.writable) begin(line, next);
    else line.waiting = [];
  }
  const take = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const socket = request.socket as Connection;
    if (!socket.writable) return;
    const line = (socket[LINE] ??= openLine(socket, ageMs));
    if (!line.running) return begin(line, response);
    const at = socket.bytesRead;
    const bytes = at - (line.waiting[0]?.at ?? at);
    if (line.waiting.length < MOST_WAITING && bytes <= MOST_WAITING_BYTES)
      line.waiting.push({ response, at });
    else socket.destroy();
  };

  server.on('request', take);
  // Whoever reads the body says when it may come; an expectation that nobody knows is none.
  server.on('checkContinue', take);
  server.on('checkExpectation', take);
  server.on('connection', lingerWhenRefused);
  return {
    running,
    letGo: () => {
      lettingGo = true;
      for (const response of running) response.shouldKeepAlive = false;
    },
  };
}

function openLine(socket: Socket, ageMs: number): Line {
  const since = performance.now();
  return { socket, waiting: [], since, until: since + ageMs * spread() };
}

const ignore = (): void => undefined;

/** What was connected at the same moment does not end at the same moment. */
const spread = (): number => 0.9 + 0.2 * Math.random();

/**
 * Node closes a connection with its last answer by this method. Bytes that were not read then make the kernel reset the
 * connection, and the client may lose an answer that it has not read yet.
 */
function lingerWhenRefused(socket: Connection): void {
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const request = socket[LINE]?.running?.req;
    if (request && isComing(request) && !request.destroyed) linger(socket, request);
    else close();
  };
}

function linger(socket: Socket, request: http.IncomingMessage): void {
  // The client sees the end of the answer, and may go on sending.
  socket.end();
  request.unpipe();
  // Where its body was waited with, nothing of the connection is read until it goes on.
  request.resume();
  if (isChunked(request)) setImmediate(dropUnread, socket);
  else request.once('end', () => socket.destroy());
  const most = socket.bytesRead + LINGER_BYTES;
  let before = -1;
  let looks = 0;
  const timer = setInterval(() => {
    const { bytesRead } = socket;
    looks += 1;
    if (bytesRead === before || bytesRead > most || looks >= LINGER_LOOKS) socket.destroy();
    before = bytesRead;
  }, LOOK_MS);
  socket.once('close', () => clearInterval(timer));
}

/**
 * What comes in chunks is no longer looked at: one byte each, they would cost more than all that is asked for meanwhile. Where it
 * ends is not seen then; a client that has sent all of it hangs up, or is silent.
 */
function dropUnread(socket: Socket): void {
  if (socket.destroyed) return;
  const drop = (): void => undefined;
  // The parser lets go of the connection's bytes once somebody else listens for them.
  socket.on('data', drop);
  for (const listener of socket.listeners('data'))
    if (listener !== drop) socket.off('data', listener as () => void);
  socket.on('end', () => socket.destroy());
  socket.resume();
}

/** Whether nobody waits for an answer on it. */
export const isIdle = (socket: Socket): boolean => (socket as Connection)[LINE]?.running === undefined;

/** Whether the request has a body, known by its head. */
export const hasBody = (request: http.IncomingMessage): boolean =>
  isChunked(request) || (request.headers['content-length'] ?? '0') !== '0';

/**
 * Whether something may stand behind a request that offers another protocol. What comes in one piece with it is lost on Node, and the
 * next piece taken for the beginning of a request, though it may be the body of one.
 */
function isFollowed(request: http.IncomingMessage): boolean {
  if (request.headers.upgrade === undefined) return false;
  return hasBody(request) || request.socket.bytesRead !== headLength(request);
}

/** Bytes, where it is written as usual: other blanks make it another number than those that were read. */
function headLength({ method = '', url = '', httpVersion, rawHeaders }: http.IncomingMessage): number {
  const line = `${method} ${url} HTTP/${httpVersion}\r\n`.length;
  return rawHeaders.reduce((sum, part) => sum + part.length + 2, line + 2);
}

/** Whether some of its body has not arrived yet. */
export const isComing = (request: http.IncomingMessage): boolean => !request.complete && hasBody(request);

/**
 * Since when a request has been coming whose answer has not begun, by the clock of `performance`; undefined where there is none, or
 * where all of it is here.
 */
export function comingSince(socket: Socket): number | undefined {
  const line = (socket as Connection)[LINE];
  const response = line?.running;
  return response && !response.headersSent && isComing(response.req) ? line.since : undefined;
}

/** Whether the client waits to be told before it sends its body. */
export const expectsContinue = (request: http.IncomingMessage): boolean =>
  request.headers.expect !== undefined &&
  /100-continue/i.test(request.headers.expect) &&
  request.httpVersionMajor === 1 &&
  request.httpVersionMinor === 1;
