/** All that a stack tells, to be compared with what it told before. */
import { quiet } from './quiet';
import type { TestStack } from './stack';
import { type Told, walk } from './walk';

const LONGEST_MS = 300_000;

/** As told to strangers and to the administrator, when nothing waits to be done any more: indexes and mail follow writes. */
export async function everythingOf(stack: TestStack, siteUrl: string): Promise<Told> {
  expect(await quiet(stack, LONGEST_MS)).toBe('');
  const who = { url: stack.url, siteUrl };
  const told = await walk(who);
  for (const [key, value] of await walk({ ...who, authorization: stack.administrator }))
    told.set(`administrator ${key}`, value);
  return told;
}
