/** A worker of tests for the jobs that render texts. */
import { createLog } from '@sevenfold/chassis/log';
import { runJob } from '@sevenfold/chassis/queue/workers';
import type { Deps } from '../../deps';
import { embedJobs } from '../../stored-embeds/jobs';

const log = createLog('content', 'test', 'silent');

/** Runs the jobs that were not tried yet; answers how many, and the posts that were looked at. */
export async function workOnce(deps: Deps): Promise<{ readonly jobs: number; readonly posts: number[] }> {
  const { db } = deps;
  const jobs = await db.rows<{ id: number; post: number | null; name: string }>(
    `select id, (payload->>'id')::bigint as post, name from outbox where name = any($1) and done_at is null and attempts = 0
      order by id`,
    [embedJobs.map(({ name }) => name)],
  );
  for (const { id, name } of jobs) {
    const row = embedJobs.find((one) => one.name === name);
    await runJob({ db, deps, log }, row!, id, new AbortController().signal);
  }
  return { jobs: jobs.length, posts: jobs.flatMap(({ post }) => post ?? []) };
}

/** Until none is left. Answers the posts that were looked at. */
export async function workOff(deps: Deps): Promise<number[]> {
  const { jobs, posts } = await workOnce(deps);
  return jobs === 0 ? [] : [...posts, ...(await workOff(deps))];
}
