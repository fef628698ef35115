/** Whether a stack has done all that follows from what was written: jobs, news, and the index with its sitemaps. */
import { setTimeout as sleep } from 'node:timers/promises';
import { localStatus } from '@sevenfold/local/status/local';
import type { StatusRow } from '@sevenfold/local/status/rows';
import { Client } from 'pg';
import type { TestStack } from './stack';

const LOOK_EVERY_MS = 500;

/** Waits until nothing is open, so long at most; answers what still is, in words, empty where nothing is. */
export async function quiet(stack: TestStack, longestMs: number): Promise<string> {
  const end = Date.now() + longestMs;
  // What was heard of a moment ago may only now become work.
  for (let times = 0; ; await sleep(LOOK_EVERY_MS)) {
    const open = await openWork(stack);
    times = open === '' ? times + 1 : 0;
    if (times === 2 || Date.now() > end) return open;
  }
}

async function openWork(stack: TestStack): Promise<string> {
  const rows = await localStatus(stack.run(), {});
  const busy = rows.filter((row) => (row.waiting ?? 0) > 0 || isUnknown(row)).map(({ name }) => name);
  if (await isIndexing(stack)) busy.push('the index');
  return busy.join(', ');
}

/** Of a disk that is almost full all is known. */
const isUnknown = ({ part, name, ok }: StatusRow): boolean => part === 'store' && name !== 'disk' && !ok;

async function isIndexing(stack: TestStack): Promise<boolean> {
  const client = new Client({ connectionString: stack.run().databases.seo });
  await client.connect();
  try {
    const { rows } = await client.query<{ open: boolean }>(
      'select exists (select from waiting) or exists (select from sitemap_changes) as open',
    );
    return rows[0]?.open ?? true;
  } finally {
    await client.end();
  }
}
