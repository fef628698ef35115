/** Several replicas behind one address: all get their share, and none of them goes with a call of somebody's. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeServiceService,
  type DescribeServiceServer,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import type { ServiceDefinition } from '@grpc/grpc-js';
import pino from 'pino';
import { anyone } from '../http/route';
import { type Freezable, startFreezable } from '../testing/freezable';
import { until } from '../testing/until';
import { type Remote, dial } from './dial';
import { type GrpcServer, startGrpcServer } from './serve';
import { rpcService } from './method';

const log = pino({ level: 'silent' });

interface Changes {
  change: DescribeServiceServer['describe'];
}
/** What is never tried again by itself: a call that is lost is seen. */
const changes: ServiceDefinition = {
  change: { ...DescribeServiceService.describe, path: '/sevenfold.testing.ChangeService/Change' },
};

interface Replica {
  readonly door: Freezable;
  readonly server: GrpcServer;
  served(): number;
}

async function startReplica(port = 0, ageMs?: number, takesMs = 0): Promise<Replica> {
  let served = 0;
  const answer = { title: '', namespace: '' } as never;
  const handle = async (): Promise<never> => {
    served += 1;
    if (takesMs > 0) await sleep(takesMs, undefined, { ref: false });
    return answer;
  };
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      rpcService<Changes>(changes, { change: { callers: ['gateway'], permission: anyone, handle } } as never),
    ],
    actorSecret: 'test',
    log,
    ...(ageMs && { connectionAgeMs: ageMs }),
  });
  return { door: await startFreezable(server.port, port), server, served: () => served };
}

const connect = (...replicas: readonly Replica[]): Remote<Changes> =>
  dial<Changes>(changes, {
    service: 'sample',
    address: `ipv4:${replicas.map(({ door }) => `127.0.0.1:${door.port}`).join(',')}`,
    caller: 'gateway',
    actorSecret: 'test',
  });

const stop = async (replicas: readonly Replica[]): Promise<void> => {
  for (const { server, door } of replicas) {
    await server.stop(1000);
    await door.stop();
  }
};

/** Many callers at once until told otherwise; answers what failed. */
function callOn(remote: Remote<Changes>): () => Promise<string[]> {
  const faults: string[] = [];
  let over = false;
  const caller = async (): Promise<void> => {
    while (!over)
      await remote
        .change({}, { deadlineMs: 30_000 })
        .catch((error: Error) => faults.push(String(error.cause)));
  };
  const callers = Array.from({ length: 8 }, caller);
  return async () => {
    over = true;
    await Promise.all(callers);
    return faults;
  };
}

test('two replicas get the same share', async () => {
  const replicas = await Promise.all([startReplica(), startReplica()]);
  const remote = connect(...replicas);
  try {
    const [one, two] = replicas;
    // Both are there before anything is counted.
    await until(async () => {
      await remote.change({}, { deadlineMs: 30_000 });
      return one.served() > 0 && two.served() > 0;
    });
    const before = [one.served(), two.served()];
    for (let call = 0; call < 40; call += 1) await remote.change({}, { deadlineMs: 30_000 });
    expect([one.served() - before[0]!, two.served() - before[1]!]).toEqual([20, 20]);
  } finally {
    remote.close();
    await stop(replicas);
  }
});

test('one that goes takes no call along, and one that comes back gets its share again', async () => {
  const replicas = await Promise.all([startReplica(), startReplica()]);
  const [stays, goes] = replicas;
  const remote = connect(stays, goes);
  const end = callOn(remote);
  try {
    await until(() => stays.served() > 50 && goes.served() > 50);
    await goes.server.stop(10_000);
    const { port } = goes.door;
    await goes.door.stop();
    const alone = stays.served();
    await until(() => stays.served() > alone + 50);
    const again = await startReplica(port);
    replicas.push(again);
    await until(() => again.served() > 50);
    expect(await end()).toEqual([]);
  } finally {
    await end();
    remote.close();
    await stop(replicas.filter((one) => one !== goes));
  }
});

test('connections of a bounded age are made anew without a lost call, so that new replicas get theirs', async () => {
  // Longer than this process may stand still: one that was too old before its first call would be used by none.
  const replicas = await Promise.all([startReplica(0, 400), startReplica(0, 400)]);
  const remote = connect(...replicas);
  const end = callOn(remote);
  try {
    await until(() => replicas.every(({ door }) => door.accepted() >= 8));
    expect(await end()).toEqual([]);
    expect(replicas.every((one) => one.served() > 0)).toBe(true);
  } finally {
    await end();
    remote.close();
    await stop(replicas);
  }
});

test('a call that has begun goes on for longer than its connection', async () => {
  const replicas = [await startReplica(0, 100, 11_000)];
  const remote = connect(...replicas);
  try {
    expect(await remote.change({}, { deadlineMs: 90_000 })).toBeDefined();
  } finally {
    remote.close();
    await stop(replicas);
  }
});

test('a stop does not wait for such a call longer than it may', async () => {
  const replica = await startReplica(0, 100, 60_000);
  const remote = connect(replica);
  const outcome = remote.change({}, { deadlineMs: 90_000 }).catch((error: Error) => error);
  await until(() => replica.served() === 1);
  // It has come of age.
  await sleep(300);
  await replica.server.stop(100);
  expect(await outcome).toMatchObject({ status: 503 });
  remote.close();
  await replica.door.stop();
});
