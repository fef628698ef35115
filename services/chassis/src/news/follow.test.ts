/** Whoever follows the news of a service hears each of them in turn, or that he may have missed some. */
import { type NewsServiceServer, NewsServiceService } from '@sevenfold/proto/gen/sevenfold/chassis/v1/news';
import { type Dial, type Remote, dialer } from '../grpc/dial';
import { createLog } from '../log';
import { type Freezable, startFreezable } from '../testing/freezable';
import { type SampleDeps, sampleService } from '../testing/sample';
import { TEST_ACTOR_SECRET, type TestService, startTestService } from '../testing/service';
import { until } from '../testing/until';
import type { PoolClient } from 'pg';
import { followNews } from './follow';
import { messageIn } from './wrote';

let site: TestService<SampleDeps>;
let line: Freezable;
beforeAll(async () => {
  site = await startTestService(sampleService, {});
  // Its line to the database is up a moment after it is.
  const remote = site.dial<NewsServiceServer>(NewsServiceService, 'calendar');
  await until(async () => {
    await tell(0, 1);
    return (await remote.latest({})).id !== '';
  });
  remote.close();
  line = await startFreezable(site.service.grpcPort);
});
afterAll(async () => {
  await line.stop();
  await site.stop();
});

const MANY = 30_000;
/** So many messages, in one commit and in order. */
const tell = (first: number, count: number): Promise<unknown> =>
  site.deps.db.run(
    `select pg_notify('news', pg_current_xact_id()::text || ' note:' || n) from generate_series($1::int, $2::int) as n`,
    [first, first + count - 1],
  );

test('one who reads slowly hears them without a gap up to where the stream ends, which tells him of it', async () => {
  const remote = site.dial<NewsServiceServer>(NewsServiceService, 'calendar');
  const heard: string[] = [];
  const news = remote.follow({})[Symbol.asyncIterator]();
  const next = async (): Promise<boolean> => {
    const { value, done } = await news.next();
    // Beats and marks are no news.
    if (value?.tags.startsWith('note:')) heard.push(...value.tags.split('|'));
    return done === true;
  };
  await next();
  await tell(1, MANY);
  // The service has heard all of them.
  await remote.latest({});
  await expect(until(next)).rejects.toThrow('keeps up');
  expect(heard.length).toBeLessThan(MANY);
  expect(heard).toEqual(heard.map((_, at) => `note:${at + 1}`));
  remote.close();
});

test('after a silence nobody is sure of what had been on its way', async () => {
  const told: string[] = [];
  const news = followNews({
    // The gateway itself does not ask for the latest.
    dial: dialer({ caller: 'calendar', actorSecret: TEST_ACTOR_SECRET }),
    service: 'sample',
    address: `127.0.0.1:${line.port}`,
    log: createLog('news', 'test', 'silent'),
    onNews: (_, tags) => told.push(...tags),
    onGap: () => told.push('gap'),
  });
  /** As often as it takes: where the machine is silent for a while itself, what was told then is part of a gap. */
  const hears = async (note: number): Promise<void> => {
    await until(async () => {
      await tell(note, 1);
      return told.includes(`note:${note}`);
    });
    await until(() => news.caughtUp());
  };
  try {
    await hears(1);
    told.length = 0;
    line.freeze();
    await tell(2, 3);
    await until(() => !news.isSure());
    line.thaw();
    await until(() => news.isSure());
    // More than one where the machine is silent for as long itself.
    expect(told.filter((tag) => tag !== 'gap')).toEqual([]);
    expect(told).toContain('gap');
    await hears(5);
    expect(new Set(told.filter((tag) => tag !== 'gap'))).toEqual(new Set(['note:5']));
  } finally {
    await news.stop();
  }
});

test('of several that are told together each is known, and who heard only the first of them lacks what all tell', async () => {
  const told: (readonly [id: string, tags: readonly string[], place: number])[] = [];
  const news = followNews({
    dial: dialer({ caller: 'calendar', actorSecret: TEST_ACTOR_SECRET }),
    service: 'sample',
    address: `127.0.0.1:${site.service.grpcPort}`,
    log: createLog('news', 'test', 'silent'),
    onNews: (id, tags) => told.push([id, tags, news.record.now()]),
    onGap: () => (told.length = 0),
  });
  try {
    await until(() => news.isSure());
    await until(async () => {
      told.length = 0;
      await tell(1, 5);
      await until(() => news.caughtUp());
      return told.length >= 5;
    });
    expect(told.flatMap(([, tags]) => tags)).toEqual([1, 2, 3, 4, 5].map((note) => `note:${note}`));
    // Each with an id and a place of its own, in the order of commits.
    expect(new Set(told.map(([id]) => id)).size).toBe(5);
    expect(told.map(([, , place]) => place)).toEqual([0, 1, 2, 3, 4].map((at) => (told[0]?.[2] ?? 0) + at));
    expect(told.every(([id]) => news.knows(id))).toBe(true);
    const [, , first] = told[0] as (typeof told)[0];
    expect(news.record.isFresh(['note:1', 'note:5'], first)).toBe(false);
    expect(news.record.isFresh(['note:6'], first)).toBe(true);
    expect(news.record.isFresh(['note:5'], news.record.now())).toBe(true);
  } finally {
    await news.stop();
  }
});

test('a process of another release has heard the same, so nobody waits in vain for what it says', async () => {
  const dial = dialer({ caller: 'calendar', actorSecret: TEST_ACTOR_SECRET });
  const news = followNews({
    // While releases stand side by side, one tells the news and the other is asked which was the last.
    dial: <S>(...of: Parameters<Dial>) => {
      const remote = dial<NewsServiceServer>(...of);
      const latest: typeof remote.latest = async (...asked) => ({
        id: `${messageIn((await remote.latest(...asked)).id)}else`,
      });
      return { ...remote, latest } as unknown as Remote<S>;
    },
    service: 'sample',
    address: `127.0.0.1:${site.service.grpcPort}`,
    log: createLog('news', 'test', 'silent'),
    onNews: () => undefined,
    onGap: () => undefined,
  });
  try {
    await until(() => news.isSure());
    await until(() => news.caughtUp());
    expect(news.knows(`${messageIn(news.heard())}else`)).toBe(true);
  } finally {
    await news.stop();
  }
});

test('what is followed anew where nothing was heard yet may have missed something', async () => {
  const told: string[] = [];
  const news = followNews({
    dial: dialer({ caller: 'calendar', actorSecret: TEST_ACTOR_SECRET }),
    service: 'sample',
    address: `127.0.0.1:${site.service.grpcPort}`,
    log: createLog('news', 'test', 'silent'),
    onNews: (_, tags) => told.push(...tags),
    onGap: () => told.push('gap'),
  });
  const { pool } = site.deps.db;
  const held: PoolClient[] = [];
  try {
    await until(() => news.isSure());
    // No mark can be put among the news, so the service does not come to know where it stands.
    while (held.length < (pool.options.max ?? 0)) held.push(await pool.connect());
    const [asker] = held as [PoolClient];
    const beaten = async (): Promise<unknown> =>
      (await asker.query<{ at: Date }>(`select query_start as at ${LISTENERS} and query = ''`)).rows[0]?.at;
    await asker.query(`select pg_terminate_backend(pid) ${LISTENERS}`);
    await until(() => !news.isSure());
    told.length = 0;
    news.beginAnew();
    for (let beats = 0; beats < 3; beats++) {
      const before = String(await beaten());
      await until(async () => String(await beaten()) !== before);
    }
    held.splice(0).forEach((one) => one.release());
    await until(() => news.isSure());
    expect(told[0]).toBe('gap');
  } finally {
    held.forEach((one) => one.release());
    await news.stop();
  }
});

const LISTENERS = `from pg_stat_activity where datname = current_database() and application_name like '%-listener'`;
