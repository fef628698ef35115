import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost, makeTerm } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { postJobs, postSweeps, publishDue } from './jobs';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const soon = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const jobsOf = (id: number): Promise<{ run_at: string }[]> =>
  site.deps.db.rows(
    `select run_at from outbox where kind = 'job' and channel = 'content.posts' and name = 'publish-post'
        and (payload->>'id')::bigint = $1 order by id`,
    [id],
  );
const due = { status: 'future', date_gmt: '2024-01-01 00:00:00Z', date_local: '2023-12-31 19:00:00' };

describe('a date ahead', () => {
  test('makes publish mean future, promises a job for that moment where it is near, and hides the post till then', async () => {
    const { status, body } = await site
      .by('author')
      .post('/posts', { title: 'Later', status: 'publish', date_gmt: soon(600) });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'future', slug: 'later', link: `http://site.test/?p=${body.id}` });
    const jobs = await jobsOf(body.id);
    expect(jobs.map((job) => `${job.run_at.slice(0, 19).replace(' ', 'T')}`)).toEqual([body.date_gmt]);
    expect((await site.by('anonymous').get(`/posts/${body.id}`)).status).toBe(401);
  });

  test('moved, it promises another job; untouched, it does not', async () => {
    const { body } = await site
      .by('author')
      .post('/posts', { title: 'Moved', status: 'future', date_gmt: soon(600) });
    await site.by('author').post(`/posts/${body.id}`, { title: 'Same date' });
    expect(await jobsOf(body.id)).toHaveLength(1);
    await site.by('author').post(`/posts/${body.id}`, { date_gmt: soon(900) });
    expect(await jobsOf(body.id)).toHaveLength(2);
  });

  test('far ahead promises nothing until it is near, and then once', async () => {
    const { body } = await site
      .by('author')
      .post('/posts', { title: 'Far', status: 'future', date_gmt: soon(86_400) });
    for (const days of [2, 3, 36_500])
      await site.by('author').post(`/posts/${body.id}`, { date_gmt: soon(days * 86_400) });
    await postSweeps[0]!.run(site.deps);
    expect(await jobsOf(body.id)).toEqual([]);
    const near = soon(1_800);
    await site.deps.db.run('update posts set date_gmt = $2 where id = $1', [body.id, near]);
    for (let round = 0; round < 2; round++) await postSweeps[0]!.run(site.deps);
    const jobs = await jobsOf(body.id);
    expect(jobs.map(({ run_at }) => run_at.slice(0, 19).replace(' ', 'T'))).toEqual([near.slice(0, 19)]);
  });

  test('a published post with a new date ahead is scheduled; a past date publishes what was scheduled', async () => {
    const { body } = await site.by('author').post('/posts', { title: 'Back and forth', status: 'publish' });
    const ahead = await site.by('author').post(`/posts/${body.id}`, { date_gmt: soon(3600) });
    expect(ahead.body.status).toBe('future');
    const again = await site.by('author').post(`/posts/${body.id}`, { status: 'publish' });
    expect(again.body.status).toBe('future');
    const past = await site.by('author').post(`/posts/${body.id}`, { date: '2024-01-01T00:00:00' });
    expect(past.body).toMatchObject({ status: 'publish', date: '2024-01-01T00:00:00' });
  });

  test('a draft with a date ahead stays one; future with a past date is published', async () => {
    const draft = await site.by('author').post('/posts', { title: 'x', date_gmt: soon(3600) });
    expect(draft.body.status).toBe('draft');
    const past = await site
      .by('author')
      .post('/posts', { title: 'x', status: 'future', date: '2024-01-01T00:00:00' });
    expect(past.body.status).toBe('publish');
  });
});

describe('publishing what is due', () => {
  const run = (id: number): Promise<void> => {
    const [job] = postJobs;
    return site.deps.db.transaction((tx) =>
      (job as (typeof postJobs)[number]).handle({ tx, payload: { id }, deps: site.deps } as never, undefined),
    );
  };
  const statusOf = async (id: number): Promise<string> =>
    (await site.by('editor').get(`/posts/${id}?_fields=status`)).body.status;
  const events = (id: number): Promise<object[]> =>
    site.deps.db.rows(
      `select payload from outbox where channel = 'content.post.changed' and (payload->>'id')::bigint = $1`,
      [id],
    );

  test('the job publishes once, counts terms once and says so once', async () => {
    const term = await makeTerm(site.deps.db);
    const { id } = await makePost(site.deps.db, { ...due, categories: [term.id] });
    await run(id);
    await run(id);
    expect(await statusOf(id)).toBe('publish');
    expect(await events(id)).toEqual([
      {
        payload: {
          id,
          type: 'post',
          status: 'publish',
          before_status: 'future',
          link: expect.stringMatching(/^\/2024\/01\/02\/post-\d+\/$/) as string,
        },
      },
    ]);
    expect(await site.deps.db.first('select own_count from terms where id = $1', [term.id])).toEqual({
      own_count: 1,
    });
  });

  test('the job waits for whoever writes the post at that very moment', async () => {
    const { db } = site.deps;
    const { id } = await makePost(db, due);
    let publishing = Promise.resolve();
    await db.transaction(async (tx) => {
      await tx.run('select from posts where id = $1 for update', [id]);
      publishing = run(id);
      await Promise.race([publishing, untilLocked(db, 'update posts%')]);
    });
    await publishing;
    expect(await statusOf(id)).toBe('publish');
  });

  test('it leaves alone what was moved, withdrawn or deleted meanwhile', async () => {
    const later = await makePost(site.deps.db, { ...due, date_gmt: soon(600) });
    const withdrawn = await makePost(site.deps.db, { ...due, status: 'draft' });
    for (const id of [later.id, withdrawn.id, 999999]) await run(id);
    expect([await statusOf(later.id), await statusOf(withdrawn.id)]).toEqual(['future', 'draft']);
  });

  test('the sweep publishes all that nobody did, and two sweeps share the work', async () => {
    const ids = [];
    for (let index = 0; index < 5; index++) ids.push((await makePost(site.deps.db, due)).id);
    const done = await Promise.all([1, 2].map(() => site.deps.db.transaction((tx) => publishDue(tx))));
    expect(done[0]! + done[1]!).toBe(5);
    const left = await makePost(site.deps.db, due);
    await postSweeps[0]!.run(site.deps);
    for (const id of [...ids, left.id]) expect(await statusOf(id)).toBe('publish');
  });
});

test('a worker publishes on time', async () => {
  const other = await startContent({ ROLE: 'all' });
  try {
    const { id } = (
      await other.by('author').post('/posts', { title: 'On time', status: 'publish', date_gmt: soon(2) })
    ).body;
    await until(async () => (await other.by('anonymous').get(`/posts/${id}`)).status === 200);
  } finally {
    await other.stop();
  }
});
