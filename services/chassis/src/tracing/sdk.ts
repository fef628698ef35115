/**
 * What sends spans: the SDK of OpenTelemetry, by OTLP over HTTP. Loaded only where a process is configured to trace
 * (tracing.ts). What waits to be sent is bounded, every sending ends in time, and a collector that is away, slow or full costs
 * spans and nothing else: they are counted.
 */
import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind as Kind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ConfigError } from '../config';
import type { TracingConfig } from '../variables';
import type { Log } from '../log';
import { logOutage } from '../outages';
import { within } from '../stop';
import { type Origin, type Span, type SpanKind, type Tracer, readTraceparent } from './spans';
import { spans } from './metrics';

/** A few seconds of a busy process; a span takes about a kilobyte. */
const MOST_WAITING = 4_096;
const MOST_AT_ONCE = 512;
const SEND_EVERY_MS = 2_000;
const SEND_MS = 5_000;
const STOP_MS = 3_000;
const LONGEST_VALUE = 200;
const MOST_ATTRIBUTES = 32;

const kinds: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  producer: Kind.PRODUCER,
  consumer: Kind.CONSUMER,
};

export function openTracer(
  config: TracingConfig,
  { service, role }: { readonly service: string; readonly role: string },
  log: Log,
): Tracer {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'sevenfold',
      'service.name': config.OTEL_SERVICE_NAME || (role === 'worker' ? `${service}-worker` : service),
      'process.pid': process.pid,
      ...readPairs('OTEL_RESOURCE_ATTRIBUTES', config.OTEL_RESOURCE_ATTRIBUTES ?? ''),
    }),
    sampler: samplerOf(config),
    spanLimits: {
      attributeValueLengthLimit: LONGEST_VALUE,
      attributeCountLimit: MOST_ATTRIBUTES,
      eventCountLimit: 1,
      linkCountLimit: 1,
    },
    spanProcessors: [processorOf(exporterOf(config), log)],
  });
  const sdk = provider.getTracer('sevenfold');
  return {
    start: ({ kind, name, attributes }, origin, link) => {
      const linked = link === undefined ? undefined : readTraceparent(link);
      const links = linked
        ? [{ context: { traceId: linked.traceId, spanId: linked.spanId, traceFlags: linked.flags } }]
        : [];
      return wrapped(sdk.startSpan(name, { kind: kinds[kind], attributes, links }, contextOf(origin)));
    },
    stop: async () => {
      await within(
        STOP_MS,
        provider.shutdown().catch(() => undefined),
      );
    },
  };
}

const own = new WeakMap<Span, Context>();

function contextOf(origin: Origin): Context {
  if (typeof origin === 'object') return own.get(origin) ?? ROOT_CONTEXT;
  const remote = origin === undefined ? undefined : readTraceparent(origin);
  if (!remote) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = remote;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags & 1, isRemote: true });
}

function wrapped(sdk: SdkSpan): Span {
  const { traceId, spanId, traceFlags } = sdk.spanContext();
  let over = false;
  const span: Span = {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
    isRecording: sdk.isRecording(),
    set: (attributes) => void sdk.setAttributes(attributes),
    rename: (name) => void sdk.updateName(name),
    fail: (error) => {
      // What an error says may hold values; its name is one of few.
      sdk.setStatus({ code: SpanStatusCode.ERROR });
      sdk.setAttribute('error.type', nameOf(error));
    },
    end: () => {
      if (over) return;
      over = true;
      sdk.end();
    },
  };
  own.set(span, trace.setSpan(ROOT_CONTEXT, sdk));
  return span;
}

function nameOf(error: Error & { readonly code?: unknown }): string {
  return typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : error.name;
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: TracingConfig): Sampler {
  const root = name?.endsWith('always_off')
    ? new AlwaysOffSampler()
    : name?.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(share ?? 1)
      : new AlwaysOnSampler();
  return name?.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function exporterOf(config: TracingConfig): SpanExporter {
  return new OTLPTraceExporter({
    url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
    headers: readPairs('OTEL_EXPORTER_OTLP_HEADERS', config.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    timeoutMillis: SEND_MS,
    concurrencyLimit: 2,
  });
}

/** What is not sent is counted, and one line tells that the collector does not take it. */
function processorOf(exporter: SpanExporter, log: Log): SpanProcessor {
  let waiting = 0;
  const batches = new BatchSpanProcessor({
    exporter: {
      export: (batch: ReadableSpan[], done) =>
        exporter.export(batch, (result) => {
          waiting -= batch.length;
          const code: number = result.code;
          const isSent = code === SENT;
          spans.inc({ outcome: isSent ? 'sent' : 'lost' }, batch.length);
          // The collector's own words may be long.
          if (!isSent) logOutage(log, 'Traces cannot be sent.', { reason: reasonOf(result.error) });
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    },
    maxQueueSize: MOST_WAITING,
    maxExportBatchSize: MOST_AT_ONCE,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_MS,
  });
  return {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd: (span) => {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
      if (waiting >= MOST_WAITING) return spans.inc({ outcome: 'lost' });
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

const SENT = 0;
const reasonOf = (error: Error | undefined): string => (error?.message ?? 'refused').slice(0, 200);

/** `name=value,name=value`, as the variables of OpenTelemetry have it: values are percent-encoded. */
function readPairs(variable: string, text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        if (at < 1) throw new ConfigError([`${variable}: must be pairs such as name=value,other=value`]);
        return [pair.slice(0, at).trim(), decoded(variable, pair.slice(at + 1).trim())];
      }),
  );
}

function decoded(variable: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError([`${variable}: a value is not percent-encoded as it should be`]);
  }
}
