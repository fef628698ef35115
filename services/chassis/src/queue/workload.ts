/** What services declare that their workers do (work.ts). */
import type { ServiceGauge } from '../metrics';
import type { Subscription } from './events';
import type { Job } from './jobs';
import type { Sweep } from './sweeps';

export interface Workload<D> {
  readonly jobs?: readonly Job<D>[];
  readonly subscriptions?: readonly Subscription<D>[];
  readonly sweeps?: readonly Sweep<D>[];
  /** What its workers tell on `/metrics` of the state of its database. */
  readonly gauges?: readonly ServiceGauge<D>[];
}

export const hasWork = ({ jobs, subscriptions, sweeps }: Workload<never>): boolean =>
  jobs !== undefined || subscriptions !== undefined || sweeps !== undefined;
