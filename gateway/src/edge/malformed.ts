/** Requests that are no HTTP, or too much of it: Node gives a bare status line, clients of this interface get its body. */
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '@sevenfold/chassis/errors';
import { JSON_TYPE } from './answer';
import { apiError, errors } from './errors';

const faults: Readonly<Record<string, () => ApiError>> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    apiError('payload_too_large', 413, 'The chunk extensions are too large.'),
  // Other servers take such letters as they come, and clients that send them do not know that they do.
  HPE_INVALID_URL: () =>
    apiError(
      'bad_request',
      400,
      'The address of the request cannot be read. It must begin with a slash, and have letters beyond ASCII percent-encoded, as %C3%A4 for ä.',
    ),
  ERR_HTTP_REQUEST_TIMEOUT: () => apiError('request_timeout', 408, 'The request did not arrive in time.'),
};
const badRequest = (): ApiError => apiError('bad_request', 400, 'The request is not valid HTTP.');

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

type Connection = Duplex & { readonly _httpMessage?: ServerResponse };

export function answerMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Connection) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, (faults[error.code ?? ''] ?? badRequest)());
  });
  // Unheard, Node would hang up without a word.
  server.on('connect', (_request, socket: Connection) => {
    socket.on('error', () => socket.destroy());
    // Node has let go of the socket, and an answer that still runs would wait for ever.
    socket.on('drain', () => socket._httpMessage?.emit('drain'));
    refuse(socket, apiError('bad_request', 400, 'CONNECT is for proxies, and this is none.'));
  });
}

function refuse(socket: Connection, fault: ApiError): void {
  const running = socket._httpMessage;
  // It may be done already, and whoever heard of a fault would do it again. What came behind it gets no answer.
  if (running?.req.complete) endWith(running, socket);
  // An answer that has begun cannot be followed by another.
  else if (!socket.writable || running?.headersSent) socket.destroy();
  else answer(socket, fault);
}

/** Called for each piece that comes behind it. */
function endWith(running: ServerResponse, socket: Duplex): void {
  if (!running.shouldKeepAlive) return;
  running.shouldKeepAlive = false;
  // Its head has promised another one.
  if (running.headersSent) running.once('finish', () => socket.end());
}

function answer(socket: Duplex, fault: ApiError): void {
  const body = JSON.stringify(fault.body());
  socket.end(
    [
      `HTTP/1.1 ${fault.status} ${REASONS[fault.status] ?? ''}`,
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      'X-Robots-Tag: noindex',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}
