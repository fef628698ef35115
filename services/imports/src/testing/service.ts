/** A running imports service for one test file, with a calendar that answers as the test says over real gRPC. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { pulseService } from '@sevenfold/chassis/grpc/pulse';
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { TEST_ACTOR_SECRET, type TestService, startTestService } from '@sevenfold/chassis/testing/service';
import {
  type AppliedBatch,
  type ApplyBatchesRequest,
  type ApplyBatchesResponse,
  ImportServiceService,
  type ImportServiceServer,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Config } from '../config';
import type { Deps } from '../deps';
import { importsService } from '../service';

export const manager: Actor = {
  ...stranger,
  id: 1,
  username: 'admin',
  roles: ['administrator'],
  capabilities: new Set(['manage_imports']),
};
export const author: Actor = { ...stranger, id: 2, username: 'ann', capabilities: new Set(['edit_events']) };

export interface FakeCalendar {
  readonly address: string;
  /** What came, in order; batches of one call together. */
  readonly calls: ApplyBatchesRequest[];
  /** Replaced by tests that want faults. */
  answer: (request: ApplyBatchesRequest) => Promise<ApplyBatchesResponse>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates an event for each one it gets, with ids in the order of arrival; the same key gets the same answer. */
async function startCalendar(): Promise<FakeCalendar> {
  const port = await freePort();
  let server: GrpcServer | undefined;
  let ids = 1000;
  const known = new Map<string, AppliedBatch>();
  const apply = (key: string, eventsJson: string): AppliedBatch => {
    const events = JSON.parse(eventsJson) as ({ title?: string; uid?: string } | null)[];
    const none = { created: [], updated: [], skipped: [] };
    const result: AppliedBatch = {
      events: { ...none, created: events.filter((event) => event?.title).map(() => ++ids) },
      venues: { ...none, updated: events.length > 0 ? [7] : [] },
      organizers: none,
      categories: none,
      tags: none,
      skipped: events.flatMap((event, index) =>
        event?.title
          ? []
          : [{ index, uid: event?.uid ?? '', title: '', reason: 'It has no title.', leftAlone: false }],
      ),
      images: 0,
    };
    known.set(key, result);
    return result;
  };
  const calendar: FakeCalendar = {
    address: `127.0.0.1:${port}`,
    calls: [],
    answer: (request) =>
      Promise.resolve({
        batches: request.batches.map(({ key, eventsJson }) => known.get(key) ?? apply(key, eventsJson)),
      }),
    start: async () => {
      server = await startGrpcServer({
        host: '127.0.0.1',
        port,
        actorSecret: TEST_ACTOR_SECRET,
        log: createLog('calendar', 'test', 'silent'),
        services: [
          pulseService(),
          rpcService<ImportServiceServer>(ImportServiceService, {
            applyBatches: {
              callers: ['imports'],
              permission: anyone,
              handle: (request) => {
                calendar.calls.push(request);
                return calendar.answer(request);
              },
            },
          }),
        ],
      });
    },
    stop: async () => {
      await server?.stop(0);
      server = undefined;
    },
  };
  await calendar.start();
  return calendar;
}

export interface ImportsSite extends TestService<Deps> {
  readonly calendar: FakeCalendar;
  /** Of one import as the database has it. */
  row(importId: string): Promise<Record<string, unknown>>;
}

/** With a calendar of its own, unless one is given. */
export async function startImports(config: Partial<Config> = {}, given?: FakeCalendar): Promise<ImportsSite> {
  const calendar = given ?? (await startCalendar());
  const site = await startTestService(importsService, {
    IMPORT_INTERVAL: 10,
    IMPORT_AT_ONCE: 2,
    IMPORT_STALLED_AFTER: 1800,
    IMPORT_HISTORY_DAYS: 365,
    IMPORT_WAITING_MEGABYTES: 2_000,
    CALENDAR_GRPC: calendar.address,
    ...config,
  });
  return {
    ...site,
    calendar,
    row: async (importId) =>
      (await site.deps.db.first<Record<string, unknown>>('select * from imports where import_id = $1', [
        importId,
      ])) ?? {},
    stop: async () => {
      await site.stop();
      if (!given) await calendar.stop();
    },
  };
}

/** A report like those of senders: batch `index` (from 0) of `total`. */
export const report = (
  hash: string,
  index: number,
  total: number,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  batch_hash: hash,
  status: { data: { total: total * 2, done: index * 2 }, batch: { total, done: index } },
  percentage_complete: Math.round((100 * (index + 1)) / total),
  interval: 60,
  events: [0, 1].map((n) => ({ title: `Event ${index}-${n}`, uid: `u-${index}-${n}` })),
  ...more,
});

/** Sends so many batches to a registered import, one after the other: all that there are, or the first of `total`. */
export async function sendBatches(
  site: ImportsSite,
  { importId, batchHash }: { readonly importId: string; readonly batchHash: string },
  batches: number,
  total = batches,
): Promise<void> {
  let hash = batchHash;
  for (let index = 0; index < batches; index++) {
    const { status, body } = await site.as().post(`/import/${importId}/batch`, report(hash, index, total));
    if (status !== 200) throw new Error(`batch ${index} was answered with ${status}`);
    hash = body.next_batch_hash;
  }
}
