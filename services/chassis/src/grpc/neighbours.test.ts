/** Several interfaces dialled together: whose beats are followed, what their silence ends, and what closing leaves. */
import {
  type PulseServiceServer,
  PulseServiceService,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/pulse';
import { createLog } from '../log';
import { type Freezable, startFreezable } from '../testing/freezable';
import { until } from '../testing/until';
import { type Target, dialer } from './dial';
import { dialAll } from './neighbours';
import { followPulse, pulseService } from './pulse';
import { type GrpcServer, startGrpcServer } from './serve';

const log = createLog('test', 'api', 'silent');
const actorSecret = 'test';
const dial = dialer({ caller: 'gateway', actorSecret });
let server: GrpcServer;
let door: Freezable;
beforeAll(async () => {
  server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [pulseService()],
    actorSecret,
    log,
  });
});
beforeEach(async () => {
  door = await startFreezable(server.port);
});
afterEach(() => door.stop());
afterAll(() => server.stop(1_000));

const at = (more: Partial<Target> = {}): Target => ({
  service: 'sample',
  address: `127.0.0.1:${door.port}`,
  ...more,
});
/** The one stream that every service has; it has no end of its own. */
const open = (target: Target) =>
  dialAll<{ one: PulseServiceServer; other: PulseServiceServer }>(dial, log, {
    one: [PulseServiceService, target],
    other: [PulseServiceService, target],
  });

test('a stream ends when the service falls silent, where all streams have an end; new ones are refused at once', async () => {
  const remotes = open(at({ endsStreams: true }));
  let messages = 0;
  const read = async (): Promise<void> => {
    for await (const _ of remotes.one.watch({}, { deadlineMs: 120_000 })) messages += 1;
  };
  const reading = read();
  reading.catch(() => undefined);
  await until(() => messages > 0);
  door.freeze();
  await expect(reading).rejects.toMatchObject({ status: 503, code: 'service_unavailable' });
  await expect(read()).rejects.toMatchObject({ status: 503 });
  door.thaw();
  await until(async () => {
    messages = 0;
    const again = read();
    const failed = again.then(
      () => true,
      () => true,
    );
    await until(async () => messages > 0 || (await Promise.race([failed, Promise.resolve(false)])));
    return messages > 0;
  });
  await remotes.close();
});

test('any other stream goes on over a silence', async () => {
  const remotes = open(at());
  const pulse = followPulse({ dial, log, ...at() });
  let messages = 0;
  let ended = false;
  const reading = (async () => {
    for await (const _ of remotes.one.watch({}, { deadlineMs: 120_000 })) messages += 1;
  })().then(
    () => (ended = true),
    () => (ended = true),
  );
  await until(() => messages > 0);
  door.freeze();
  await until(() => pulse.isLost());
  door.thaw();
  const before = messages;
  await until(() => messages > before);
  expect(ended).toBe(false);
  await Promise.all([remotes.close(), pulse.stop()]);
  await door.stop();
  await reading;
});
