/** A refusal that repeats what was asked may be long: whoever asks learns of it, and nobody else waits because of him. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Site, startSite } from '../support/site';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

interface Got {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** The target goes out as it is written. */
const get = (target: string): Promise<Got> =>
  new Promise((resolve, reject) => {
    const since = performance.now();
    const { hostname, port } = new URL(site.url);
    http
      .get({ hostname, port, path: target, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            ms: Math.round(performance.now() - since),
            text: text.slice(0, 120),
          }),
        );
      })
      .on('error', reject);
  });

test('a long name of a category that is not there is refused, and calendars of others come', async () => {
  expect((await get('/calendar.ics?first')).status).toBe(200);
  const wrong = get(`/calendar.ics?categories=${'"'.repeat(17_000)}`);
  const others: Promise<Got>[] = [];
  for (let n = 0; n < 16; n++) {
    await sleep(500);
    others.push(get(`/calendar.ics?other=${n}`));
  }
  const [refused, ...got] = await Promise.all([wrong, ...others]);
  expect(got.map(({ status }) => status)).toEqual(got.map(() => 200));
  expect(refused.status).toBe(400);
});
