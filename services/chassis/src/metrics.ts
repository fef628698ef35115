/**
 * What a process tells on `/metrics` of states that live elsewhere (rows of a table, connections of a pool): read when
 * somebody asks, in bounded time, and left out where it cannot be read. What happens in the process itself is counted
 * where it happens. deploy/METRICS.md lists them all.
 */
import { Gauge } from 'prom-client';
import { within } from './stop';

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface GaugeRow {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** As a service declares it: told by its workers. */
export interface ServiceGauge<D> extends GaugeRow {
  readonly read: (deps: D) => Promise<readonly Sample[]>;
}

export type ReadSamples = () => readonly Sample[] | Promise<readonly Sample[]>;

/** Whoever collects waits some seconds for the whole page. */
const READ_MS = 2_000;

type Source = () => Promise<readonly Sample[]>;

const gauges = new Map<string, Map<symbol, Source>>();

/**
 * Adds a source to the gauge of this name, such as one of several pools; answers how to take it away again. A gauge has no
 * samples while nobody tells any.
 */
export function tellGauge(row: GaugeRow, read: ReadSamples): () => void {
  let sources = gauges.get(row.name);
  if (!sources) gauges.set(row.name, (sources = openGauge(row)));
  const source = Symbol(row.name);
  sources.set(source, bounded(read));
  return () => void sources.delete(source);
}

function openGauge({ name, help, labels }: GaugeRow): Map<symbol, Source> {
  const sources = new Map<symbol, Source>();
  const gauge = new Gauge({
    name,
    help,
    labelNames: [...labels],
    collect: async () => {
      const samples = await Promise.all(Array.from(sources.values(), (read) => read()));
      gauge.reset();
      for (const { labels: own, value } of samples.flat()) gauge.set(own, value);
    },
  });
  return sources;
}

/** Nothing instead of a fault: the metrics of the rest are wanted most when something is away. One reading at a time. */
function bounded(read: ReadSamples): Source {
  let running: Promise<readonly Sample[]> | undefined;
  const run = async (): Promise<readonly Sample[]> => {
    try {
      return await read();
    } catch {
      return [];
    }
  };
  return async () => {
    running ??= run().finally(() => (running = undefined));
    return (await within(READ_MS, running)) ?? [];
  };
}
