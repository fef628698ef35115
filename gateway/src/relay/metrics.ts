/** What the gateway tells of the ways to the services: whether they are open, and what was refused because they are not. */
import { tellGauge } from '@sevenfold/chassis/metrics';
import type { Pulse } from '@sevenfold/chassis/grpc/pulse';
import { Counter } from 'prom-client';
import type { Breaker } from './breaker';
import type { Bulkhead } from './bulkhead';

const OPEN = {
  name: 'gateway_breaker_open',
  help: 'Whether requests of a kind to a service are refused at once: it is silent, or failed too often in a row',
  labels: ['upstream', 'kind'],
};
const SILENT = {
  name: 'gateway_upstream_silent',
  help: 'Whether nothing at all comes from a service that was reached before',
  labels: ['upstream'],
};
const refused = new Counter({
  name: 'gateway_breaker_refused_total',
  help: 'Requests that were refused because the breaker was open',
  labelNames: ['upstream', 'kind'],
});

const RUNNING = {
  name: 'gateway_running',
  help: 'What runs of a kind of work on the way to a service',
  labels: ['upstream', 'kind'],
};
const WAITING = {
  name: 'gateway_waiting',
  help: 'What waits for room on the way to a service',
  labels: ['upstream', 'kind'],
};
const turnedAway = new Counter({
  name: 'gateway_busy_refused_total',
  help: 'Requests that were refused because too much of their kind ran and waited, or did so for too long',
  labelNames: ['upstream', 'kind'],
});

interface Labels {
  readonly upstream: string;
  readonly kind: string;
}

/** Counts one that found no room. */
export function countRefused(labels: Labels): () => void {
  turnedAway.inc(labels, 0);
  return () => turnedAway.inc(labels);
}

/** The same breaker, its refusals counted under the name of its way. */
export function counted(breaker: Breaker, labels: Labels): Breaker {
  refused.inc(labels, 0);
  return {
    ...breaker,
    mayPass: (address) => {
      const may = breaker.mayPass(address);
      if (!may) refused.inc(labels);
      return may;
    },
  };
}

/** What is told of a way to a service. */
interface Told extends Labels {
  readonly breaker: Pick<Breaker, 'isOpen'>;
  readonly bulkhead: Pick<Bulkhead, 'running' | 'waiting'>;
  readonly pulse: Pick<Pulse, 'isLost'>;
}

/** Answers how to stop telling. */
export function tellWays(ways: readonly Told[]): () => void {
  const of = (value: (way: Told) => number) => () =>
    ways.map((way) => ({ labels: { upstream: way.upstream, kind: way.kind }, value: value(way) }));
  const services = ways.filter(({ kind }) => kind === 'reads');
  const stops = [
    tellGauge(
      OPEN,
      of(({ breaker }) => Number(breaker.isOpen())),
    ),
    tellGauge(
      RUNNING,
      of(({ bulkhead }) => bulkhead.running()),
    ),
    tellGauge(
      WAITING,
      of(({ bulkhead }) => bulkhead.waiting()),
    ),
    tellGauge(SILENT, () =>
      services.map(({ upstream, pulse }) => ({ labels: { upstream }, value: Number(pulse.isLost()) })),
    ),
  ];
  return () => stops.forEach((stop) => stop());
}
