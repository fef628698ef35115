/** Wrong credentials: how many, from where, and whom they leave alone. */
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall } from '../testing';
import { type Deps, PASSWORD, basic, signedIn, smallContent } from '../testing/small';
import { inMinutesOfTheirOwn } from './testing';
import { ECHO, HERE, from, startBehindProxy, statuses } from './testing/asked';

inMinutesOfTheirOwn();

let content: RunningService<Deps>;
let where: Record<string, string>;
beforeAll(async () => {
  content = await startSmall(smallContent);
  where = { ...addresses('CONTENT', content), CONTENT_GRPC: `127.0.0.1:${content.grpcPort}` };
});

const start = (settings: object = {}): Promise<RunningGateway> => startBehindProxy(where, settings);

describe('wrong credentials', () => {
  const wrong = (n: number): Record<string, string> => basic('editor', `wrong ${n}`);

  test('are so many an address, however many are tried at once; others and those who were right go on', async () => {
    const gateway = await start({ RATE_LIMIT_ATTEMPTS: 10, CREDENTIAL_SECONDS: 0.001 });
    const client = speaker(gateway.url);
    // Gateways that have just begun do not follow the news of users yet, and remember nobody.
    await until(async () => {
      await client.get(ECHO, from('198.51.100.1', signedIn));
      const before = content.deps.signIns;
      content.deps.held = Promise.reject(new Error('away'));
      content.deps.held.catch(() => undefined);
      const { status } = await client.get(ECHO, from('198.51.100.1', signedIn));
      content.deps.held = undefined;
      return status === 200 && content.deps.signIns > before;
    });
    const before = content.deps.signIns;
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) => client.get(ECHO, from(HERE, wrong(n)))),
    );
    expect(all.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = all.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    expect([refused[0]?.body.code, Number(refused[0]?.headers.get('retry-after')) > 0]).toEqual([
      'rest_too_many_attempts',
      true,
    ]);
    expect(content.deps.signIns).toBe(before + 10);
    // Also what is no credential at all.
    expect(await statuses(gateway, 1, from(HERE, { Authorization: 'Bearer x' }))).toEqual([429]);
    expect(await statuses(gateway, 1, from(HERE))).toEqual([200]);
    expect(await statuses(gateway, 1, from(HERE, signedIn))).toEqual([200]);
    expect(await statuses(gateway, 1, from('198.51.100.7', wrong(1)))).toEqual([401]);
    await gateway.stop();
  });

  test('do not keep those from an address who are right', async () => {
    const gateway = await start({ RATE_LIMIT_ATTEMPTS: 2 });
    // For limits they are one; each is asked for by itself.
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        speaker(gateway.url).get(ECHO, from(`2001:db8:1:2::${n}`, signedIn)),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await gateway.stop();
  });

  test('of others at an address are nothing to who was right before, also where nobody is remembered for outages', async () => {
    const gateway = await start({
      RATE_LIMIT_ATTEMPTS: 1,
      CREDENTIAL_SECONDS: 0.001,
      CREDENTIAL_OUTAGE_SECONDS: 0,
    });
    expect(await statuses(gateway, 1, from(HERE, signedIn))).toEqual([200]);
    expect(await statuses(gateway, 2, from(HERE, wrong(1)))).toEqual([401, 429]);
    const before = content.deps.signIns;
    expect(await statuses(gateway, 3, from(HERE, signedIn))).toEqual([200, 200, 200]);
    expect(content.deps.signIns).toBeGreaterThan(before);
    expect(await statuses(gateway, 1, from(HERE, basic('e@example.org', PASSWORD)))).toEqual([429]);
    await gateway.stop();
  });

  test('are ten times as many a network', async () => {
    const gateway = await start({ RATE_LIMIT_ATTEMPTS: 1 });
    const all: number[] = [];
    for (let n = 0; n < 11; n++)
      all.push(...(await statuses(gateway, 1, from(`2001:db8:7:${n}::1`, wrong(n)))));
    expect(all).toEqual([...Array<number>(10).fill(401), 429]);
    expect(await statuses(gateway, 1, from('2001:db8:8::1', wrong(1)))).toEqual([401]);
    await gateway.stop();
  });

  test('of one address are nothing to who comes from another with a credential that waits there', async () => {
    const gateway = await start({ RATE_LIMIT_ATTEMPTS: 1 });
    const ask = (address: string, credential: object): Promise<Answer> =>
      speaker(gateway.url).get(ECHO, from(address, credential));
    const { deps } = content;
    const before = deps.signIns;
    let release = (): void => undefined;
    deps.held = new Promise((resolve) => (release = resolve));
    const guess = ask(HERE, wrong(1));
    await until(() => deps.signIns === before + 1);
    const behind = ask(HERE, signedIn);
    // It has come by the time that what was sent after it is answered.
    await until(async () => (await statuses(gateway, 3, from(HERE))).every((status) => status === 200));
    const elsewhere = ask('198.51.100.1', signedIn);
    await until(() => deps.signIns === before + 2);
    deps.held = undefined;
    release();
    const answers = await Promise.all([guess, behind, elsewhere]);
    expect(answers.map(({ status }) => status)).toEqual([401, 429, 200]);
    await gateway.stop();
  });
});
