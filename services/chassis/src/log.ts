/**
 * Structured logs: one JSON line an event, with service, role and request id. Secrets are cut out by path; a request's
 * body, credentials and query values never reach a line. What the lines cannot be written to never stops the process
 * (log-destination.ts), and an outage is one line (outages.ts).
 */
import pino, { type Logger } from 'pino';
import { type LogDestination, standardOutput } from './log-destination';
import { requestId } from './request-id';
import { currentSpan } from './tracing/tracing';

export type Log = Logger;

export function createLog(
  service: string,
  role: string,
  level: string,
  destination: LogDestination = standardOutput(),
): Log {
  return pino(
    {
      level,
      base: { service, role, pid: process.pid },
      redact: {
        paths: ['*.password', '*.authorization', '*.secret', '*.key', 'req.headers.authorization'],
        censor: '[hidden]',
      },
      mixin: () => {
        const id = requestId();
        const span = currentSpan();
        if (span)
          return { ...(id !== '' && { requestId: id }), trace_id: span.traceId, span_id: span.spanId };
        return id === '' ? {} : { requestId: id };
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination,
  );
}

/**
 * What a line tells of an error beside its type, message and stack. Whatever else libraries hang on it may be what was
 * asked, a row or a whole connection: `client` and `detail` of pg, `command` of ioredis under BullMQ.
 */
const TOLD = [
  'code',
  'status',
  'errno',
  'syscall',
  'address',
  'port',
  'severity',
  'constraint',
  'table',
  'column',
];

/** The error and its causes. */
function describeError(error: Error): unknown {
  const whole = pino.stdSerializers.errWithCause(error) as unknown;
  return isDescribed(whole) ? toTell(whole) : whole;
}

type Described = Readonly<Record<string, unknown>>;
const isDescribed = (value: unknown): value is Described => typeof value === 'object' && value !== null;

function toTell(whole: Described): Described {
  const { type, message, stack, cause, aggregateErrors } = whole;
  const more = TOLD.flatMap((name) =>
    name in whole && !isDescribed(whole[name]) ? [[name, whole[name]]] : [],
  );
  return {
    type,
    message,
    stack,
    ...(Object.fromEntries(more) as Described),
    ...(isDescribed(cause) && { cause: toTell(cause) }),
    ...(Array.isArray(aggregateErrors) && {
      aggregateErrors: aggregateErrors.filter(isDescribed).map(toTell),
    }),
  };
}

const LONGEST_PATH = 400;
const HIDDEN = '[hidden]';

/** A path as lines have it: bounded, and without what looks like a mail address, which anybody may write into one. */
export function pathToLog(path: string): string {
  const told = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
  if (!told.includes('@') && !/%40/.test(told)) return told;
  return told
    .split('/')
    .map((part) => (part.includes('@') || part.includes('%40') ? HIDDEN : part))
    .join('/');
}
