/** What the gateway tells of the ways to the services: whether they are open, and what was refused because they are not. */
import { tellGauge } from '@sevenfold/chassis/metrics';
import { Counter } from 'prom-client';
import type { Breaker } from './breaker';

const OPEN = {
  name: 'gateway_breaker_open',
  help: 'Whether requests to a service are refused at once: it is silent, or failed too often in a row',
  labels: ['upstream'],
};
const SILENT = {
  name: 'gateway_upstream_silent',
  help: 'Whether nothing at all comes from a service that was reached before',
  labels: ['upstream'],
};
const refused = new Counter({
  name: 'gateway_breaker_refused_total',
  help: 'Requests that were refused because the breaker was open',
  labelNames: ['upstream'],
});

/** The same breaker, its refusals counted under the name of its way. */
export function counted(breaker: Breaker, upstream: string): Breaker {
  refused.inc({ upstream }, 0);
  return {
    ...breaker,
    mayPass: () => {
      const may = breaker.mayPass();
      if (!may) refused.inc({ upstream });
      return may;
    },
  };
}

interface Way {
  readonly name: string;
  readonly breaker: Breaker;
  readonly pulse: { isLost(): boolean };
}

/** Answers how to stop telling. */
export function tellWays(ways: readonly Way[]): () => void {
  const of = (value: (way: Way) => boolean) => () =>
    ways.map((way) => ({ labels: { upstream: way.name }, value: value(way) ? 1 : 0 }));
  const stops = [
    tellGauge(
      OPEN,
      of(({ breaker }) => breaker.isOpen()),
    ),
    tellGauge(
      SILENT,
      of(({ pulse }) => pulse.isLost()),
    ),
  ];
  return () => stops.forEach((stop) => stop());
}
