/** What a service is, as data: what it offers, what it stands on, and what it is like once it runs. service.ts brings it up. */
import { type Router } from 'express';
import type { ConfigOf } from './config';
import {
  type databaseVariables,
  type redisVariables,
  type TracingConfig,
  type serviceVariables,
} from './variables';
import type { Listener } from './db/listen';
import type { Apart, Connections } from './db/shares';
import type { Database } from './db/sql';
import type { CodeTable } from './errors';
import type { Dial } from './grpc/dial';
import type { RpcService } from './grpc/method';
import type { Resource } from './http/route';
import type { EmbedLoaders } from './http/send';
import type { HeardNews } from './http/remembered';
import type { Log } from './log';
import type { Relay } from './queue/relay';
import type { Workload } from './queue/workload';

export type ServiceConfig = Omit<ConfigOf<typeof serviceVariables>, keyof TracingConfig> &
  TracingConfig &
  Partial<ConfigOf<typeof databaseVariables>> &
  Partial<ConfigOf<typeof redisVariables>>;

export interface Base<C> {
  readonly config: C;
  readonly log: Log;
  /** Only for services with migrations. */
  readonly db: Database;
  /** Hears of commits; only for services with migrations. */
  readonly listener: Listener;
  /** Connections that the service declares apart; only for services with migrations. */
  readonly apart: Apart;
  /** `<SITE_URL>/rest` */
  readonly root: string;
  /** Opens calls to another service, signed with the name of this one. */
  readonly dial: Dial;
}

export interface ServiceDefinition<D, C extends ServiceConfig = ServiceConfig> extends Workload<D> {
  readonly name: string;
  readonly namespace: string;
  readonly title: string;
  readonly description: string;
  readonly resources: readonly Resource<D>[];
  /** Error codes of its own, from its errors.ts; those of a single resource stand with it. */
  readonly codes?: CodeTable;
  readonly embeds?: EmbedLoaders<D>;
  /** Folder of the numbered SQL files; a service without one has no database. */
  readonly migrations?: string;
  /** File of recorded exchanges, which its OpenAPI document shows (http/openapi-examples.ts). */
  readonly examples?: string;
  /** How many connections to it a process opens at most. */
  readonly connections?: Connections;
  /** Makes what handlers need: stores, clients, caches. */
  readonly open: (base: Base<C>) => D | Promise<D>;
  readonly close?: (deps: D) => void | Promise<void>;
  readonly rpc?: (deps: D) => readonly RpcService[];
  /**
   * Ids of the news heard last of other services that answers show something of; empty where that is not known, or where what is shown
   * may be older. Asked before and behind whatever makes an answer.
   */
  readonly heard?: (deps: D) => Readonly<Record<string, string>>;
  /** News of those, for answers that are remembered; what shows something of others is not. */
  readonly otherNews?: (deps: D) => Readonly<Record<string, HeardNews>>;
  /** Once, after the migrations and before the first request of an api process. */
  readonly prepare?: (deps: D, base: Base<C>) => Promise<void>;
  /** Routes outside `/rest`, such as files. */
  readonly mount?: (router: Router, deps: D) => void;
}

export interface RunningService<D> {
  readonly url: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly deps: D;
  readonly db: Database;
  readonly relay?: Relay;
  /** What is answered over gRPC, once it is. */
  readonly rpc: readonly RpcService[];
  /** Resolves when everything is up; rejects when the service was stopped before. */
  readonly ready: Promise<void>;
  /** Takes little longer than LEAVE_SECONDS and SHUTDOWN_SECONDS at most; what hangs then is left to the end of the process. */
  stop(): Promise<void>;
}
