/** All that a stack tells, to be compared with what it told before. */
import { until } from '@sevenfold/chassis/testing/until';
import { localStatus } from '@sevenfold/local/status/local';
import type { TestStack } from './stack';
import { type Told, walk } from './walk';

/** As told to strangers and to the administrator, when nothing waits to be done any more: indexes and mail follow writes. */
export async function everythingOf(stack: TestStack, siteUrl: string): Promise<Told> {
  let quiet = 0;
  await until(async () => {
    const rows = await localStatus(stack.run(), {});
    quiet = rows.some(({ waiting }) => waiting !== null && waiting > 0) ? 0 : quiet + 1;
    // What was heard of a moment ago may only now become work.
    return quiet === 2;
  });
  const who = { url: stack.url, siteUrl };
  const told = await walk(who);
  for (const [key, value] of await walk({ ...who, authorization: stack.administrator }))
    told.set(`administrator ${key}`, value);
  return told;
}
