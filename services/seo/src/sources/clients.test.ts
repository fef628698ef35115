/** Owners that fall silent: whoever indexes neither waits for them nor reads half of what they have. */
import { dialer } from '@sevenfold/chassis/grpc/dial';
import { pulseService } from '@sevenfold/chassis/grpc/pulse';
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { createLog } from '@sevenfold/chassis/log';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { type Owners, PATIENT, dialOwners } from './clients';

const log = createLog('seo', 'test', 'silent');
const actorSecret = 'test';
let server: GrpcServer;
let door: Freezable;
let owners: Owners;
beforeAll(async () => {
  server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [pulseService()],
    actorSecret,
    log,
  });
  door = await startFreezable(server.port);
  const address = `127.0.0.1:${door.port}`;
  const dial = dialer({ caller: 'seo', actorSecret });
  owners = dialOwners(dial, { CONTENT_GRPC: address, CALENDAR_GRPC: address }, log);
});
afterAll(async () => {
  await owners.close();
  await door.stop();
  await server.stop(1_000);
});

async function readAll(all: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of all);
}

const streamed = { afterId: 0, limit: 0, ids: [] };
/** The first word of what ended each. */
async function askAll(): Promise<unknown[]> {
  const ended = await Promise.allSettled([
    owners.settings.getSettings({}, PATIENT),
    owners.terms.getTerms({ ids: [1] }, PATIENT),
    owners.events.getEvents({ ids: [1] }, PATIENT),
    readAll(owners.posts.streamPosts({ ...streamed, types: [], statuses: [] })),
    readAll(owners.events.streamObjects(streamed)),
  ]);
  return ended.map((one) => one.status === 'rejected' && reasonOf(one.reason as Error));
}

/** What gRPC said, below all that was made of it; nothing where it was not asked. */
function reasonOf({ message, cause }: Error): string {
  if (cause instanceof Error) return reasonOf(cause);
  return /^\d+ (\w+)/.exec(message)?.[1] ?? 'not asked';
}

test('is known by their beats, for single calls and for streams', async () => {
  expect(await askAll()).toEqual(Array.from({ length: 5 }, () => 'UNIMPLEMENTED'));
  door.freeze();
  const ended = await askAll();
  expect(ended).toHaveLength(5);
  expect(ended).not.toContain('DEADLINE_EXCEEDED');
  expect(ended).not.toContain('UNIMPLEMENTED');
});
