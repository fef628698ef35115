/** How the sending and the working off of jobs and domain events are called in traces. */
import type { SpanRow } from '../tracing/spans';

export function messageSpan(
  kind: 'producer' | 'consumer',
  what: 'job' | 'event',
  channel: string,
  name: string,
): SpanRow {
  const operation = kind === 'producer' ? 'send' : 'process';
  return {
    kind,
    name: `${operation} ${what === 'job' ? `${channel}/${name}` : channel}`,
    attributes: {
      'messaging.system': what === 'job' ? 'bullmq' : 'redis',
      'messaging.operation.name': operation,
      'messaging.operation.type': operation,
      'messaging.destination.name': channel,
      ...(what === 'job' && { 'sevenfold.job': name }),
    },
  };
}
