/**
 * Where a request goes and what takes how long on its way, told as spans to whoever collects them (OTEL_…). Off unless
 * there is a place to send them (open.ts): else nothing of it is loaded, and each function here is one
 * comparison. Spans name what is done, never with which values: no addresses of people, no queries, no bodies.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Origin, Span, SpanRow, Tracer } from './spans';

let tracer: Tracer | undefined;
const current = new AsyncLocalStorage<Span | undefined>();

/** One for each process (open.ts); undefined: nothing is traced any more. */
export const traceWith = (one: Tracer | undefined): void => void (tracer = one);

export const isTracing = (): boolean => tracer !== undefined;

/** That of what runs; undefined outside of any, and where nothing is traced. */
export const currentSpan = (): Span | undefined => tracer && current.getStore();

/** Empty where there is nothing to go on from. */
export const traceparent = (): string => currentSpan()?.traceparent ?? '';

/** Undefined where nothing is traced. */
export const startSpan = (row: SpanRow, origin: Origin, link?: string): Span | undefined =>
  tracer?.start(row, origin, link);

/** Runs `work` as what the span measures; whoever started it ends it. */
export const inSpan = <T>(span: Span | undefined, work: () => T): T =>
  span ? current.run(span, work) : work();

/** What comes from elsewhere, or begins here: the span of its own that `work` may add to. */
export function arrive<T>(
  row: SpanRow,
  from: string,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = tracer?.start(row, from === '' ? undefined : from);
  return span ? run(span, () => work(span)) : work(undefined);
}

/** A step of what runs; of what nobody sees it is none. */
export function step<T>(row: () => SpanRow, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  const span = startStep(row);
  return span ? run(span, () => work(span)) : work(undefined);
}

/** The same, ended by the caller. */
export function startStep(row: () => SpanRow): Span | undefined {
  const parent = currentSpan();
  return parent?.isRecording ? tracer?.start(row(), parent) : undefined;
}

async function run<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await current.run(span, work);
    span.end();
    return result;
  } catch (error) {
    span.fail(error as Error);
    span.end();
    throw error;
  }
}
