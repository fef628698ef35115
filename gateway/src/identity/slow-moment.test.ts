import { setTimeout as sleep } from 'node:timers/promises';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { addresses, startSmall, startTestGateway } from '../testing';
import { signedInAsOther, smallContent } from '../testing/small';

test('a moment in which checks are slow leaves nobody outside', async () => {
  const content = await startSmall(smallContent);
  const gateway = await startTestGateway({ ...addresses('CONTENT', content), CREDENTIAL_SECONDS: 0.05 });
  const client = speaker(gateway.url);
  const as = (n: number): Promise<number> =>
    client.get('/rest/core/v2/closed', signedInAsOther(n)).then(({ status }) => status);
  const known = [1, 2, 3, 4, 5, 6];
  await until(async () => (await Promise.all(known.map(as))).every((status) => status === 200));
  await sleep(300);
  await Promise.all(known.map(as));
  let go = (): void => undefined;
  content.deps.held = new Promise((resolve) => (go = resolve));
  await sleep(100);
  expect(await Promise.all(known.map(as))).toEqual(known.map(() => 200));
  await sleep(700);
  content.deps.held = undefined;
  go();
  let n = 0;
  const asked: Promise<number>[] = [];
  const others = setInterval(() => void asked.push(as(known[n++ % 6] as number)), 50);
  const got: number[] = [];
  for (let at = 0; at < 6; at++) {
    await sleep(1_000);
    got.push(await as(20 + at));
  }
  clearInterval(others);
  await Promise.all(asked);
  expect(got.at(-1)).toBe(200);
});
