/**
 * Tests of what is kept. While the news of a service are silent nothing kept is shown, and after a gap nothing that was kept
 * before; a machine that has much else to do makes such moments. What failed while there was one is tried again from the
 * beginning; what failed without one has failed. `isVain`: whether something else happened of which the test could not but fail.
 */
import { until } from '@sevenfold/chassis/testing/until';
import { type MetricValue, register } from 'prom-client';

export const steadily = (
  name: string,
  look: () => Promise<void>,
  isVain: () => Promise<boolean> = () => Promise.resolve(false),
): void =>
  test(name, () =>
    until(async () => {
      const before = await doubts();
      try {
        await look();
        return true;
      } catch (error) {
        if ((await doubts()) === before && !(await isVain())) throw error;
        return false;
      }
    }).then(() => undefined),
  );

/** How often a gateway of this process could not trust what it had kept. */
async function doubts(): Promise<number> {
  const bypassed = await total('gateway_cache_reads_total', ({ labels }) => labels.result === 'bypass');
  return bypassed + (await total('gateway_cache_gaps_total'));
}

type Value = MetricValue<string>;

async function total(name: string, counts: (value: Value) => boolean = () => true): Promise<number> {
  const values = (await register.getSingleMetric(name)?.get())?.values ?? [];
  return values.filter(counts).reduce((sum, { value }) => sum + value, 0);
}
