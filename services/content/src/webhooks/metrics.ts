/** What is told of webhooks on `/metrics`. */
import type { ServiceGauge } from '@sevenfold/chassis/metrics';
import { Counter, Histogram } from 'prom-client';
import type { Deps } from '../deps';
import * as deliveries from './deliveries';
import * as store from './store';

export const deliveriesTotal = new Counter({
  name: 'webhook_deliveries_total',
  help: 'Tries of deliveries by their end: delivered, failed (comes again), given_up, put_off (something of ours was away)',
  labelNames: ['outcome'],
});
for (const outcome of ['delivered', 'failed', 'given_up', 'put_off']) deliveriesTotal.inc({ outcome }, 0);

export const attemptSeconds = new Histogram({
  name: 'webhook_attempt_seconds',
  help: 'Time that receivers of webhooks took, to their answer or to the end of the wait',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});

export const webhookGauges: readonly ServiceGauge<Deps>[] = [
  {
    name: 'webhooks',
    help: 'Webhooks by state: active, disabled, and those of the active ones at which nothing arrives at the moment (failing)',
    labels: ['state'],
    read: async ({ db }) =>
      (await store.countStates(db)).map(({ state, count }) => ({ labels: { state }, value: count })),
  },
  {
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries that have not arrived and are not given up',
    labels: [],
    read: async ({ db }) => [{ labels: {}, value: await deliveries.countWaiting(db) }],
  },
];
