/** Runs one sweep of a list now, as its time would. */
import type { Sweep } from '../queue/sweeps';

export async function runSweep<D>(sweeps: readonly Sweep<D>[], name: string, deps: D): Promise<void> {
  const sweep = sweeps.find((one) => one.name === name);
  if (!sweep) throw new Error(`There is no sweep ${name}.`);
  await sweep.run(deps);
}
