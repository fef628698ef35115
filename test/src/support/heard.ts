/**
 * Whether gateways have heard all that was committed until now: news come in the order of commits, so what is changed last is
 * heard last. For tests of what is kept of things that were made behind the gateway's back, whose news may come after the first
 * reads, and would make those old.
 */
import type { Speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';

export interface Sentinel {
  /** Where its text is read. */
  readonly path: string;
  /** Writes its text where no gateway sees it. */
  readonly change: (to: string) => Promise<unknown>;
}

let changes = 0;

export async function allHeard(
  { path, change }: Sentinel,
  doors: readonly Pick<Speaker, 'get'>[],
): Promise<void> {
  const next = (): string => `Sentinel ${(changes += 1)}`;
  const first = next();
  await change(first);
  for (const door of doors)
    await until(async () => {
      const { text, headers } = await door.get(path);
      return text.includes(first) && headers.get('x-cache') === 'hit';
    });
  // What is kept of it goes with the news of one of the two changes, and both come after all that is asked about.
  const second = next();
  await change(second);
  for (const door of doors) await until(async () => (await door.get(path)).text.includes(second));
}
