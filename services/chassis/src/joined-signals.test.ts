/** What joins signals for a while leaves nothing with them, however long they live. */
import { getEventListeners } from 'node:events';
import {
  PulseServiceService,
  type PulseServiceServer,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/pulse';
import { dialer } from './grpc/dial';
import type { Implementation, RpcContext } from './grpc/method';
import { followPulse, pulseService } from './grpc/pulse';
import { promptly } from './grpc/promptly';
import { startGrpcServer } from './grpc/serve';
import { joined } from './joined-signals';
import { createLog } from './log';

/** Of everything that was ever joined with it. */
const entriesOf = (signal: AbortSignal): number => {
  const dependants = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const kept = dependants && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[dependants];
  return getEventListeners(signal, 'abort').length + (kept?.size ?? 0);
};

test('the first of them ends it, for its reason; what has left is not ended any more', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const first = joined([one.signal, undefined, other.signal]);
  const gone = joined([one.signal]);
  gone.leave();
  const reason = new Error('enough');
  one.abort(reason);
  other.abort(new Error('late'));
  expect([first.signal.reason, gone.signal.aborted]).toEqual([reason, false]);
  expect(joined([other.signal, one.signal]).signal.reason).toMatchObject({ message: 'late' });
});

test('calls and streams of another service leave nothing, whether they end or are left', async () => {
  const log = createLog('test', 'api', 'silent');
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [pulseService()],
    actorSecret: 'test',
    log,
  });
  const dial = dialer({ caller: 'gateway', actorSecret: 'test' });
  const target = { service: 'sample', address: `127.0.0.1:${server.port}` };
  const pulse = followPulse({ dial, log, ...target });
  const living = new AbortController();
  const { signal } = living;
  const remote = dial<PulseServiceServer>(PulseServiceService, { ...target, pulse, endsStreams: true });
  for (let n = 0; n < 20; n++) for await (const _ of remote.watch({}, { signal, deadlineMs: 60_000 })) break;
  const call = promptly((_request, given) => Promise.resolve(given?.signal?.aborted), {
    pulse,
    service: 'sample',
    reads: true,
  });
  for (let n = 0; n < 20; n++) expect(await call({}, { signal })).toBe(false);
  expect(entriesOf(signal)).toBe(0);
  remote.close();
  await pulse.stop();
  await server.stop(1_000);
});

test('what a service streams until it stops leaves nothing', async () => {
  const stopping = new AbortController();
  const { watch } = pulseService().methods as unknown as Implementation<PulseServiceServer>;
  for (let n = 0; n < 20; n++) {
    const calling = new AbortController();
    const beats = watch.handle({}, { signal: calling.signal, stopping: stopping.signal } as RpcContext);
    for await (const _ of beats) calling.abort();
  }
  expect(entriesOf(stopping.signal)).toBe(0);
});
