/** Begins to trace, where the configuration names a place to send spans to. */
import type { TracingConfig } from '../variables';
import type { Log } from '../log';
// Told by every process, whether or not it traces.
import './metrics';
import type * as Sdk from './sdk';
import { isTracing, traceWith } from './tracing';

/**
 * Loads what sends spans (sdk.ts), which costs nothing where it is off. One for each process, so of several services in one
 * process the first counts. Answers how to stop; throws where the configuration makes no sense.
 */
export function openTracing(
  config: TracingConfig,
  names: { readonly service: string; readonly role: string },
  log: Log,
): () => Promise<void> {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT || isTracing()) return () => Promise.resolve();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a part of the program, and run late
  const { openTracer } = require('./sdk') as typeof Sdk;
  const tracer = openTracer(config, names, log);
  traceWith(tracer);
  return async () => {
    traceWith(undefined);
    await tracer.stop();
  };
}
