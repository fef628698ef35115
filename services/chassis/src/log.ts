/**
 * Structured logs: one JSON line an event, with service, role and request id. Secrets are cut out by path; a request's
 * body, credentials and query values never reach a line.
 */
import pino, { type Logger } from 'pino';

export type Log = Logger;

export function createLog(service: string, role: string, level: string): Log {
  return pino({
    level,
    base: { service, role, pid: process.pid },
    redact: {
      paths: ['*.password', '*.authorization', '*.secret', '*.key', 'req.headers.authorization'],
      censor: '[hidden]',
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: pino.stdSerializers.errWithCause },
  });
}
