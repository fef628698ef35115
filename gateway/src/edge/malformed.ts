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
  ERR_HTTP_REQUEST_TIMEOUT: () => apiError('request_timeout', 408, 'The request did not arrive in time.'),
};
const badRequest = (): ApiError => apiError('bad_request', 400, 'The request is not valid HTTP.');

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

export function answerMalformed(server: Server): void {
  server.on(
    'clientError',
    (error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse }) => {
      // An answer that has begun cannot be followed by another.
      if (!socket.writable || socket._httpMessage?.headersSent || error.code === 'ECONNRESET') {
        socket.destroy();
        return;
      }
      const fault = (faults[error.code ?? ''] ?? badRequest)();
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
    },
  );
}
