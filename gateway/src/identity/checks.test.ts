/** Checks of credentials while the content service fails for a moment, and after that. */
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@sevenfold/chassis/errors';
import type { Pulse } from '@sevenfold/chassis/grpc/pulse';
import { createLog } from '@sevenfold/chassis/log';
import { until } from '@sevenfold/chassis/testing/until';
import type { AuthenticateResponse } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { errors } from '../edge/errors';
import { openWay } from '../relay/ways';
import { type Checks, type Credential, openChecks } from './checks';

const heard: Pulse = {
  isLost: () => false,
  noteAnswer: () => undefined,
  onLost: () => () => undefined,
  onBack: () => () => undefined,
  onLeft: () => () => undefined,
  stop: () => Promise.resolve(),
};

let isAway = false;
/** Instead of all others. */
let slow: Promise<AuthenticateResponse> | undefined;
const credentialOf = (id: number): Credential => ({
  name: `credential ${id}`,
  mayBeGuess: true,
  line: 'somewhere',
  ask: () =>
    slow ??
    (isAway
      ? Promise.reject(unavailable('The database'))
      : Promise.resolve({
          ok: true,
          credentialId: '1',
          user: { id, roles: [], capabilities: [] },
        } as unknown as AuthenticateResponse)),
  refused: () => errors.invalidCredentials('x', 'wrong'),
});

const ask = async (checks: Checks, id: number): Promise<boolean> => {
  const credential = credentialOf(id);
  try {
    await (checks.find(credential.name, credential.line) ?? checks.check(credential, 'request'));
    return true;
  } catch {
    return false;
  }
};

const open = (): Checks =>
  openChecks({
    identity: {
      streamIdentityNews: async function* (_: unknown, { signal }: { signal?: AbortSignal } = {}) {
        yield { userId: 0, number: 0 };
        await sleep(600_000, undefined, { signal }).catch(() => undefined);
      },
    },
    pulse: heard,
    actorSecret: 'x'.repeat(32),
    rememberMs: 1,
    outageMs: 300_000,
    way: openWay('content', 'sign-in', 64, heard, 30_000),
    log: createLog('gateway', 'api', 'silent'),
  });
const known = [1, 2, 3, 4, 5, 6];
const untilKnown = (checks: Checks): Promise<true> =>
  until(async () => {
    for (const id of known) await ask(checks, id);
    return known.every((id) => checks.isKnown(credentialOf(id).name));
  });

test('once the content service is well again whoever comes for the first time is let in, however many others ask', async () => {
  const checks = open();
  await untilKnown(checks);
  isAway = true;
  await sleep(20);
  // They were right lately, and are believed.
  for (const id of known) expect(await ask(checks, id)).toBe(true);
  isAway = false;
  let next = 0;
  const others = setInterval(() => void ask(checks, known[next++ % known.length] as number), 50);
  try {
    await sleep(3_000);
    expect(await ask(checks, 100)).toBe(true);
  } finally {
    clearInterval(others);
    await checks.close();
  }
});

test('while the content service is slow, whoever was right lately waits for it no more once somebody has', async () => {
  const checks = open();
  await untilKnown(checks);
  slow = new Promise(() => undefined);
  try {
    await until(() => known.every((id) => !checks.find(credentialOf(id).name, 'somewhere')));
    expect(await ask(checks, 1)).toBe(true);
    for (const id of [2, 3]) {
      const turn = new Promise((resolve) => setImmediate(() => resolve('waits')));
      expect(await Promise.race([ask(checks, id), turn])).toBe(true);
    }
  } finally {
    slow = undefined;
    await checks.close();
  }
});
