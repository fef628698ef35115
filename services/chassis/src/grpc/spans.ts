/** How calls between services are called in traces. */
import { status } from '@grpc/grpc-js';
import type { Span, SpanRow } from '../tracing/spans';

/** Metadata by which a call says what it is part of. */
export const TRACEPARENT = 'traceparent';

/** `path` is `/package.Service/Method`. */
export function callSpan(kind: 'client' | 'server', path: string): SpanRow {
  const name = path.slice(1);
  const slash = name.indexOf('/');
  return {
    kind,
    name,
    attributes: {
      'rpc.system': 'grpc',
      'rpc.service': name.slice(0, slash),
      'rpc.method': name.slice(slash + 1),
    },
  };
}

export const noteEnd = (span: Span | undefined, code: status): void =>
  span?.set({ 'rpc.grpc.status_code': code });

/** Ends that say that something is wrong with the side that answers; the others are what the caller asked for. */
export const isFault = (code: status): boolean =>
  [
    status.UNKNOWN,
    status.DEADLINE_EXCEEDED,
    status.UNIMPLEMENTED,
    status.INTERNAL,
    status.UNAVAILABLE,
    status.DATA_LOSS,
  ].includes(code);
