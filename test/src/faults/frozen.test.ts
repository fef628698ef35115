/**
 * What the site notices of a service whose process is frozen (SIGSTOP) and goes on later, on a whole stack of real
 * processes: nothing, outside of the service's own namespace. Its connections stay open all the while.
 */
import { until } from '@sevenfold/chassis/testing/until';
import { type TestStack, startTestStack } from '../support/stack';

const NAMESPACES: Readonly<Record<string, readonly string[]>> = {
  content: ['/rest/core/v2/posts', '/rest/core/v2/users/me'],
  calendar: ['/rest/calendar/events/v1/events', '/rest/calendar/events/v1/categories'],
  seo: ['/rest/seo/v1/statistics'],
  spamfilter: ['/rest/spamfilter/v1/settings'],
};
/** Rounds of every witness before the freeze, while it is known, and after the thaw. */
const ROUNDS = 10;

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ LOG_LEVEL: 'error' });
}, 180_000);
afterAll(() => stack?.stop(), 60_000);

const statusOf = async (url: string): Promise<number> => {
  const response = await fetch(url, { headers: { Authorization: stack.administrator } });
  await response.arrayBuffer();
  return response.status;
};

/** What a service answers that is not there. */
const AWAY: readonly unknown[] = [502, 503, 504];

/** Asks one after the other, again and again, and keeps what was not answered as ever. */
async function watch(urls: readonly string[]) {
  const usual = new Map<string, number>();
  for (const url of urls)
    await until(async () => {
      usual.set(url, await statusOf(url));
      return !AWAY.includes(usual.get(url));
    });
  const wrong: string[] = [];
  let rounds = 0;
  let over = false;
  const work = (async () => {
    for (; !over; rounds++)
      for (const url of urls) {
        const status = await statusOf(url).catch((error: Error) => error.message);
        if (status !== usual.get(url)) wrong.push(`${status} ${url}`);
      }
  })();
  return {
    wrong,
    rounds: () => rounds,
    stop: () => {
      over = true;
      return work;
    },
  };
}

test.each(['content', 'calendar'])(
  'while the %s service is frozen and after the thaw all others answer everybody, and so do the probes',
  async (frozen) => {
    const own = (NAMESPACES[frozen] as readonly string[]).map((path) => stack.url + path);
    const all = (status: number) =>
      until(async () => (await Promise.all(own.map(statusOf))).every((one) => one === status));
    const others = Object.entries(NAMESPACES).filter(([name]) => name !== frozen);
    const probed = [
      stack.url,
      ...Object.entries(stack.run().services).flatMap(([name, { http }]) => (name === frozen ? [] : [http])),
    ];
    // What a service has yet to learn after its start is learned before anything is frozen.
    await all(200);
    const witnesses = await Promise.all([
      ...others.map(([, paths]) => watch(paths.map((path) => stack.url + path))),
      watch([`${stack.url}/rest/`]),
      ...probed.map((url) => watch([`${url}/healthz`, `${url}/readyz`])),
    ]);
    const rounds = async (): Promise<void> => {
      const before = witnesses.map((one) => one.rounds());
      await until(() => witnesses.every((one, index) => one.rounds() >= before[index]! + ROUNDS));
    };
    try {
      await rounds();
      const thaw = stack.freeze(frozen);
      try {
        await all(503);
        await rounds();
      } finally {
        thaw();
      }
      await all(200);
      await rounds();
    } finally {
      await Promise.all(witnesses.map((one) => one.stop()));
    }
    expect(witnesses.flatMap(({ wrong }) => wrong)).toEqual([]);
  },
);
