/** How a channel to another service is kept and balanced, and which methods of it are tried again: those that change nothing. */
import type { ServiceDefinition } from '@grpc/grpc-js';
import { MOST_MESSAGE_BYTES } from './serve';

/** Names of methods that change nothing. */
export const READS = /^(get|list|find|describe|authenticate|count|stream)/i;

export function channelOptions(definition: ServiceDefinition): Record<string, string | number> {
  const reads = Object.values(definition)
    .map((method) => method.path.split('/').slice(1) as [string, string])
    .filter(([, name]) => READS.test(name));
  return {
    'grpc.service_config': JSON.stringify({
      loadBalancingConfig: [{ round_robin: {} }],
      methodConfig: [
        {
          name: reads.map(([service, method]) => ({ service, method })),
          retryPolicy: {
            maxAttempts: 4,
            initialBackoff: '0.05s',
            maxBackoff: '0.5s',
            backoffMultiplier: 2,
            retryableStatusCodes: ['UNAVAILABLE'],
          },
        },
      ],
    }),
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.initial_reconnect_backoff_ms': 100,
    // Less than the tries of a read take together: one that meets a service which has just come up waits for it.
    'grpc.max_reconnect_backoff_ms': 200,
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
    'grpc.max_receive_message_length': MOST_MESSAGE_BYTES,
    'grpc.max_send_message_length': MOST_MESSAGE_BYTES,
    // A proxy that the environment names is for what goes out: it need not know the way between services, not even to this machine.
    'grpc.enable_http_proxy': 0,
  };
}
