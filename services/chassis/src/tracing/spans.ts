/** What a span is to those who make them, and how it is named to other processes (W3C Trace Context). */
import type { Attributes } from '@opentelemetry/api';

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

export interface SpanRow {
  readonly kind: SpanKind;
  readonly name: string;
  readonly attributes?: Attributes;
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** For whoever goes on with it in another process. */
  readonly traceparent: string;
  /** Whether anybody will see it: what nobody sees has no steps of its own. */
  readonly isRecording: boolean;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** What it fails of, although it goes on. */
  fail(error: Error): void;
  /** Once. */
  end(): void;
}

/** What a span goes on from: one that runs here, one elsewhere (a traceparent), or nothing. */
export type Origin = Span | string | undefined;

export interface Tracer {
  /** `link` is one elsewhere that it is to be found by, without being part of it. */
  start(row: SpanRow, origin: Origin, link?: string): Span;
  /** Sends what is left, in bounded time. */
  stop(): Promise<void>;
}

const FORM = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/;

export interface RemoteSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

/** Undefined where the text is not what the standard (W3C Trace Context) says. */
export function readTraceparent(text: string): RemoteSpan | undefined {
  // Of the version that is known nothing may follow, and the last version is none.
  if (text.length > 128 || text.startsWith('ff') || (text.startsWith('00') && text.length !== 55))
    return undefined;
  const [, traceId = '', spanId = '', flags = ''] = FORM.exec(text) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
