/** How silence is told from work, from refusal and from one silent replica among others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../log';
import { type Freezable, startFreezable } from '../testing/freezable';
import { freePort } from '../ports';
import { together } from '../testing/together';
import { until } from '../testing/until';
import { dialer } from './dial';
import { type Pulse, followPulse, pulseService } from './pulse';
import { type GrpcServer, startGrpcServer } from './serve';

const log = createLog('test', 'api', 'silent');
const actorSecret = 'test';
let server: GrpcServer;
const doors: Freezable[] = [];
const pulses: Pulse[] = [];

beforeAll(async () => {
  server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [pulseService()],
    actorSecret,
    log,
  });
});
afterAll(async () => {
  await Promise.all(pulses.map((pulse) => pulse.stop()));
  await Promise.all(doors.map((door) => door.stop()));
  await server.stop(1000);
});
const scenario = together();

async function door(): Promise<Freezable> {
  const made = await startFreezable(server.port);
  doors.push(made);
  return made;
}

/** Follows whoever answers there, and counts what it is told. */
function follow(...ports: number[]): Pulse & { readonly told: string[] } {
  const address = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join()}`;
  const pulse = followPulse({
    dial: dialer({ caller: 'gateway', actorSecret }),
    service: 'sample',
    address,
    log,
  });
  pulses.push(pulse);
  const told: string[] = [];
  pulse.onLost(() => told.push('lost'));
  pulse.onBack(() => told.push('back'));
  return { ...pulse, told };
}

scenario('silence is noticed, and so is its end', async () => {
  const way = await door();
  const pulse = follow(way.port);
  for (let turn = 1; turn <= 2; turn++) {
    way.freeze();
    await until(() => pulse.isLost());
    way.thaw();
    await until(() => !pulse.isLost());
    expect(pulse.told).toEqual(Array.from({ length: turn }, () => ['lost', 'back']).flat());
  }
});

scenario('also of a service that was silent from the start', async () => {
  const way = await door();
  way.freeze();
  const pulse = follow(way.port);
  await until(() => pulse.isLost());
  way.thaw();
  await until(() => !pulse.isLost());
});

scenario('a second of silence is the silence of somebody busy', async () => {
  const way = await door();
  const pulse = follow(way.port);
  for (let turn = 0; turn < 3; turn++) {
    way.freeze();
    await sleep(1_000);
    way.thaw();
    await sleep(300);
  }
  expect(pulse.told).toEqual([]);
});

scenario('an answer by another way is a sign of life', async () => {
  const way = await door();
  const pulse = follow(way.port);
  way.freeze();
  await until(() => pulse.isLost());
  pulse.noteAnswer();
  expect([pulse.isLost(), pulse.told]).toEqual([false, ['lost', 'back']]);
  const answers = setInterval(() => pulse.noteAnswer(), 50);
  await sleep(2_500);
  clearInterval(answers);
  expect(pulse.told).toEqual(['lost', 'back']);
  await until(() => pulse.isLost());
});

scenario('one silent replica of two is not the silence of the service', async () => {
  const [one, two] = [await door(), await door()];
  const pulse = follow(one.port, two.port);
  for (const way of [one, two]) {
    way.freeze();
    await sleep(2_500);
    way.thaw();
    await sleep(300);
  }
  expect(pulse.told).toEqual([]);
  one.freeze();
  two.freeze();
  await until(() => pulse.isLost());
  two.thaw();
  await until(() => !pulse.isLost());
});

scenario('whoever refuses connections is not silent, whether known before or not', async () => {
  const nobody = follow(await freePort());
  const way = await door();
  const pulse = follow(way.port);
  way.freeze();
  await until(() => pulse.isLost());
  await way.stop();
  await until(() => !pulse.isLost());
  await sleep(2_500);
  expect([pulse.told, nobody.told]).toEqual([['lost', 'back'], []]);
});

scenario('the end of beats that came is told, and no refusal after it', async () => {
  const nobody = follow(await freePort());
  const way = await door();
  const pulse = follow(way.port);
  const left: string[] = [];
  nobody.onLeft(() => left.push('nobody'));
  pulse.onLeft(() => left.push('somebody'));
  way.freeze();
  await until(() => pulse.isLost());
  way.thaw();
  await until(() => !pulse.isLost());
  expect(left).toEqual([]);
  await way.stop();
  await until(() => left.length > 0);
  await sleep(1_000);
  expect(left).toEqual(['somebody']);
});

scenario('a stop ends what is followed at once, also of somebody silent', async () => {
  const way = await door();
  const pulse = follow(way.port);
  way.freeze();
  await until(() => pulse.isLost());
  await pulse.stop();
});
