/**
 * What a worker process does: it carries the outbox to Redis, works off jobs and what other services tell, and repeats
 * its sweeps. Where the instance has an id, only on a Redis that is its own.
 */
import type { Listener } from '../db/listen';
import type { Database } from '../db/sql';
import { type Claim, keepClaim } from '../instance';
import type { Log } from '../log';
import { tellGauge } from '../metrics';
import { type Consumers, startConsumers } from './events';
import { tellOutbox } from './metrics';
import { closeRedis, openRedis } from './redis';
import { watchPolicy } from './policy';
import { type Relay, startRelay } from './relay';
import { startSweeps } from './sweeps';
import { type Workers, startWorkers } from './workers';
import type { Workload } from './workload';

export interface WorkOptions<D> {
  /** Name of the service. */
  readonly name: string;
  readonly workload: Workload<D>;
  readonly deps: D;
  readonly db: Database;
  readonly listener: Listener;
  readonly redisUrl: string;
  readonly redisCa: Buffer | undefined;
  readonly prefix: string;
  readonly takeOverMs?: number;
  readonly instanceId: string | undefined;
  readonly log: Log;
  /** Redis belongs to another instance: nothing is taken from it any more. */
  readonly onForeign: (error: Error) => void;
}

export interface Work {
  readonly relay?: Relay;
  /** Waits for what is under way. */
  stop(): Promise<void>;
  /** After it has stopped. */
  disconnect(): Promise<void>;
}

interface Queues {
  claim?: Claim;
  consumers?: Consumers;
  workers?: Workers;
  relay?: Relay;
}

export function startWork<D>(options: WorkOptions<D>): Work {
  const { workload, deps, db, log, redisUrl, redisCa, prefix, takeOverMs, instanceId } = options;
  const redis = openRedis(redisUrl, log, redisCa);
  watchPolicy(redis, log);
  const queues: Queues = {};
  const start = (): void => {
    queues.relay = startRelay({ db, listener: options.listener, redis, prefix, log });
    queues.workers = startWorkers({ jobs: workload.jobs ?? [], deps, db, redis, prefix, takeOverMs, log });
    const { name: group } = options;
    const { subscriptions = [] } = workload;
    if (subscriptions.length > 0)
      queues.consumers = startConsumers({
        group,
        subscriptions,
        deps,
        db,
        redisUrl,
        redisCa,
        prefix,
        claimAfterMs: takeOverMs && 2 * takeOverMs,
        log,
      });
  };
  if (!instanceId) start();
  else
    queues.claim = keepClaim({
      redis,
      prefix,
      id: instanceId,
      onOurs: start,
      onForeign: (error) => {
        options.onForeign(error);
        void stopQueues(queues);
      },
    });
  const stopTelling = [
    tellOutbox(db, queuesOf(workload)),
    ...(workload.gauges ?? []).map((gauge) => tellGauge(gauge, () => gauge.read(deps))),
  ];
  const sweeper = startSweeps(workload.sweeps ?? [], deps, db, log);
  return {
    get relay() {
      return queues.relay;
    },
    stop: async () => {
      stopTelling.forEach((stop) => stop());
      await queues.claim?.stop();
      await Promise.all([sweeper.stop(), stopQueues(queues)]);
    },
    disconnect: () => closeRedis(redis),
  };
}

const queuesOf = ({ jobs = [] }: Workload<never>): string[] => [...new Set(jobs.map(({ queue }) => queue))];

/** Once, whoever asks again: what has stopped is forgotten. */
async function stopQueues(queues: Queues): Promise<void> {
  const { consumers, workers, relay } = queues;
  queues.consumers = queues.workers = queues.relay = undefined;
  await Promise.all([consumers?.stop(), workers?.stop()]);
  await relay?.stop();
}
