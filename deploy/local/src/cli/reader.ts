/** What this site shows its first administrator, asked of the services as they run (chassis/grpc/read.ts). */
import { ApiError } from '@sevenfold/chassis/errors';
import { type Remote, dialer } from '@sevenfold/chassis/grpc/dial';
import { readGrpcTls } from '@sevenfold/chassis/tls';
import type { Deps } from '@sevenfold/content/deps';
import { findActor } from '@sevenfold/content/users/actors';
import { findFirstAdministrator } from '@sevenfold/content/users/store';
import { type ReadServiceServer, ReadServiceService } from '@sevenfold/proto/gen/sevenfold/chassis/v1/read';
import { grpcAddress } from './sites';

export interface Reader {
  /** Undefined for what is not there. */
  readonly read: (namespace: string, path: string) => Promise<unknown>;
  readonly close: () => void;
}

const READ_MS = 30_000;

export async function openReader({ config, db }: Deps): Promise<Reader> {
  const actor = await findActor(db, await findFirstAdministrator(db));
  const dial = dialer({ caller: 'cli', actorSecret: config.ACTOR_SECRET, tls: readGrpcTls(config) });
  const at = (service: 'content' | 'calendar'): Remote<ReadServiceServer> =>
    dial<ReadServiceServer>(ReadServiceService, { service, address: grpcAddress(service) });
  const services = { content: at('content'), calendar: at('calendar') };
  return {
    read: async (namespace, path) => {
      const service = namespace === 'core/v2' ? services.content : services.calendar;
      try {
        const { status, json } = await service.read({ path }, { actor, deadlineMs: READ_MS });
        return status === 200 ? (JSON.parse(json) as unknown) : undefined;
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) return undefined;
        throw error;
      }
    },
    close: () => Object.values(services).forEach((service) => service.close()),
  };
}
