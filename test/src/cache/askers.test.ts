/** What is kept of what is asked for: by many together, some of whom leave, by readers who have it, by caches on the way, in bad times. */
import http from 'node:http';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { type Answer, type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { lockWaits } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import { makeEvent } from '@sevenfold/calendar/testing/factories';
import { makePost, makeTerm } from '@sevenfold/content/testing/factories';
import { Client } from 'pg';
import { type Sentinel, allHeard } from '../support/heard';
import { type Site, startSite } from '../support/site';
import { steadily } from '../support/steadily';

const POSTS = '/rest/core/v2/posts';
const EVENTS = '/rest/calendar/events/v1/events';
const MANY = 20;
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1';
const PLAIN = { 'Accept-Encoding': 'identity' };
let pages = 0;

let site: Site;
let sharing: RunningGateway | undefined;
/** Knows nothing of one of the services. */
let lacking: RunningGateway | undefined;
let stranger: Speaker;
let sentinel: Sentinel;
/** Holds what is locked. */
let keeper: Client;

beforeAll(async () => {
  site = await startSite();
  sharing = await site.gateway({ CACHE_SHARED_SECONDS: 604_800 });
  lacking = await site.gateway({ SPAMFILTER_HTTP: NOWHERE, SPAMFILTER_GRPC: new URL(NOWHERE).host });
  stranger = site.client;
  const { id } = await makeTerm(db(), { taxonomy: 'post_tag', name: 'Sentinel' });
  sentinel = {
    path: `/rest/core/v2/tags/${id}`,
    change: (to) => db().run('update terms set name = $2 where id = $1', [id, to]),
  };
  keeper = new Client({ connectionString: db().pool.options.connectionString });
  await keeper.connect();
});
afterAll(async () => {
  await keeper?.end();
  for (const one of [sharing, lacking, site]) await one?.stop();
});

const db = (): Site['content']['deps']['db'] => site.content.deps.db;
const calendar = (): CalendarDeps['db'] => (site.service('calendar').deps as CalendarDeps).db;
const how = ({ headers }: Answer): string | null => headers.get('x-cache');

/** Reads of the table wait for as long as `work` runs. */
async function whileLocked<T>(table: 'posts' | 'terms', work: () => Promise<T>): Promise<T> {
  await keeper.query(`begin; lock table ${table} in access exclusive mode`);
  try {
    return await work();
  } finally {
    await keeper.query('rollback');
  }
}

/** How often the database is asked what these requests ask, which wait for the lock. */
const reading = (): Promise<number> => lockWaits(db(), 'select p.id%where p.id = $1%');

/** What was sent before to the gateway has come. */
const cameThrough = async (to = stranger): Promise<void> => {
  for (let round = 0; round < 3; round++) await to.get('/rest/');
};

/** The gateway that has heard of what was made, but for the last change of the sentinel (support/heard.ts), whose news may come yet. */
let heardAt: Speaker;
const heard = async (door: Speaker): Promise<void> => {
  heardAt = door;
  await allHeard(sentinel, [door]);
  await until(async () => how(await door.get(sentinel.path)) === 'hit');
};
/** These news have come since: whoever asked behind them wanted what is newer. */
const isOverrun = async (): Promise<boolean> => how(await heardAt.get(sentinel.path)) !== 'hit';

const expectShared = (others: readonly Answer[]): void =>
  expect(new Set(others.map(how))).toEqual(new Set(['shared']));

/** A reader who may leave. */
function reader(path: string): http.ClientRequest {
  const request = http.get(`${site.url}${path}`, { agent: false }, (response) => response.resume());
  return request.on('error', () => undefined);
}

steadily(
  'whoever asked first leaves, and the others still ask the service once',
  async () => {
    const { id } = await makePost(db());
    await heard(stranger);
    const path = `${POSTS}/${id}`;
    const others = await whileLocked('posts', async () => {
      const first = reader(path);
      await until(async () => (await reading()) === 1);
      const asked = Array.from({ length: MANY }, () => stranger.get(path));
      await cameThrough();
      first.destroy();
      await cameThrough();
      expect(await reading()).toBe(1);
      return asked;
    });
    const answers = await Promise.all(others);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expectShared(answers);
  },
  isOverrun,
);

/** Many read it while the service is asked for it, once, as `asking` counts. */
async function readTogether(door: Speaker, path: string, asking: () => Promise<number>): Promise<void> {
  const all = await whileLocked('posts', async () => {
    const asked = [door.get(path)];
    await until(async () => (await asking()) === 1);
    for (let other = 0; other < MANY; other++) asked.push(door.get(path));
    await cameThrough(door);
    expect(await asking()).toBe(1);
    return asked;
  });
  const [first, ...others] = await Promise.all(all);
  expect([first?.status, new Set(others.map(({ text }) => text))]).toEqual([200, new Set([first?.text])]);
  expectShared(others);
}

steadily(
  'while a service is away, what shows nothing of it is still asked for once',
  async () => {
    const there = speaker((lacking as RunningGateway).url);
    const { id } = await makePost(db());
    await heard(there);
    await readTogether(there, `${POSTS}/${id}`, reading);
  },
  isOverrun,
);

steadily(
  'so is a page',
  async () => {
    const there = speaker((lacking as RunningGateway).url);
    const slug = `made-once-${(pages += 1)}`;
    await makePost(db(), { slug, path: `2024/01/02/${slug}` });
    await heard(there);
    await readTogether(there, `/2024/01/02/${slug}/`, () =>
      lockWaits(db(), 'select id from posts p where path = $1%'),
    );
  },
  isOverrun,
);

steadily(
  'news of what it does not show keep nobody from waiting for it',
  async () => {
    const { id } = await makePost(db());
    const event = await makeEvent(calendar(), { title_html: 'Before' });
    await heard(stranger);
    const path = `${POSTS}/${id}`;
    const titleOf = async (): Promise<string> => (await stranger.get(`${EVENTS}/${event.id}`)).body.title;
    expect(await titleOf()).toBe('Before');
    const all = await whileLocked('posts', async () => {
      const asked = [stranger.get(path)];
      await until(async () => (await reading()) === 1);
      for (const title of ['First', 'Second', 'Third']) {
        await calendar().run('update events set title_html = $2 where id = $1', [event.id, title]);
        await until(async () => (await titleOf()) === title);
        for (let other = 0; other < MANY / 4; other++) asked.push(stranger.get(path));
      }
      await cameThrough();
      expect(await reading()).toBe(1);
      return asked;
    });
    const [, ...others] = await Promise.all(all);
    expectShared(others);
  },
  isOverrun,
);

steadily('what nobody waits for any more is not asked for any longer', async () => {
  const { id } = await makePost(db());
  await allHeard(sentinel, [stranger]);
  const path = `${POSTS}/${id}`;
  await whileLocked('posts', async () => {
    const both = [reader(path)];
    await until(async () => (await reading()) === 1);
    both.push(reader(path));
    await cameThrough();
    for (const one of both) one.destroy();
    // Whoever comes now asks by himself, and waits for nothing that was given up.
    await until(async () => {
      await cameThrough();
      const next = reader(path);
      await cameThrough();
      const isAsked = (await reading()) === 2;
      next.destroy();
      return isAsked;
    });
  });
});

test('readers who have a page already leave it for others when they ask first', async () => {
  await makePost(db(), { slug: 'had', path: '2024/01/02/had' });
  await makeEvent(calendar(), { slug: 'had', title_html: 'Had' });
  for (const path of ['/2024/01/02/had/', '/feed/', '/calendar.ics', '/events/had.ics', '/robots.txt']) {
    const tag = (await stranger.get(path, PLAIN)).headers.get('etag') as string;
    await until(async () => {
      // Nobody else asks by this address.
      const answer = await stranger.get(`${path}?again`, { ...PLAIN, 'If-None-Match': tag });
      expect([path, answer.status, answer.text]).toEqual([path, 304, '']);
      return how(answer) === 'hit';
    });
    const whole = await stranger.get(`${path}?again`, PLAIN);
    expect([path, whole.status, whole.headers.get('etag')]).toEqual([path, 200, tag]);
  }
});

test('caches on the way keep what ends by the clock no longer than it lasts', async () => {
  const { url } = sharing as RunningGateway;
  const seconds = async (path: string): Promise<number> => {
    const { headers } = await speaker(url).get(path);
    return Number(/s-maxage=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1]);
  };
  for (const path of [EVENTS, '/calendar.ics'])
    await until(async () => {
      const answer = await seconds(path);
      return answer >= 0 && answer <= 900;
    });
  await until(async () => (await seconds(POSTS)) === 604_800);
});

test('what stood in for a service that stands still is shown, but not kept', async () => {
  const { id: tag } = await makeTerm(db(), { taxonomy: 'post_tag', name: 'Before' });
  const { id } = await makeEvent(calendar(), { tag_ids: `{${tag}}` });
  const paths = [`${EVENTS}/${id}`, `/rest/calendar/events/v1/tags/${tag}`];
  const shown = async (path: string): Promise<string> => (await stranger.get(path)).text;
  for (const path of paths) await until(async () => (await shown(path)).includes('Before'));
  const administrator = await site.signIn(site.content.users.administrator);
  const renamed = await stranger.put(`/rest/core/v2/tags/${tag}`, { name: 'Behind' }, administrator);
  expect(renamed.status).toBe(200);
  await whileLocked('terms', async () => {
    for (const path of paths) {
      // What was kept before goes with the news of the new name.
      const first = await until(async () =>
        [await stranger.get(path)].find((answer) => how(answer) !== 'hit'),
      );
      const second = await stranger.get(path);
      expect([path, first.status, second.status]).toEqual([path, 200, 200]);
      expect([path, how(second)]).not.toEqual([path, 'hit']);
    }
  });
  for (const path of paths) await until(async () => (await shown(path)).includes('Behind'));
});
