/** Of old imports the totals stay, and what was accepted and not applied. */
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { until } from '@sevenfold/chassis/testing/until';
import { registerImport } from '../commands';
import { type ImportsSite, manager, sendBatches, startImports } from '../testing/service';
import { importSweeps } from './jobs';
import { readProgress } from './progress';

let site: ImportsSite;
beforeAll(async () => {
  site = await startImports({ ROLE: 'all' });
});
afterAll(() => site.stop());

const sweep = () => runSweep(importSweeps, 'old-imports', site.deps);

async function imported(): Promise<string> {
  const registered = await registerImport({ db: site.deps.db }, {});
  await sendBatches(site, registered, 2);
  await until(async () => (await site.row(registered.importId)).state === 'success');
  await site.deps.db.run(
    `insert into faults (import, batch, reason) select id, 1, 'It has no title.' from imports where import_id = $1`,
    [registered.importId],
  );
  return registered.importId;
}
const heard = (importId: string, days: number) =>
  site.deps.db.run('update imports set heard_at = now() - make_interval(days => $2) where import_id = $1', [
    importId,
    days,
  ]);
const kept = async (importId: string): Promise<number[]> => {
  const row = await site.deps.db.first<{ batches: number; faults: number }>(
    `select (select count(*) from batches b where b.import = i.id) as batches, (select count(*) from faults f where f.import = i.id) as faults
     from imports i where import_id = $1`,
    [importId],
  );
  return [row?.batches ?? -1, row?.faults ?? -1];
};
const progress = (importId: string) =>
  readProgress(site.deps, { importId, batchHash: '', page: 1, perPage: 10, batch: 0 }, manager);

test('single batches and faults go a year after the last sign, totals stay', async () => {
  const [old, young, failed] = [await imported(), await imported(), await imported()];
  await heard(old, 366);
  await heard(young, 364);
  await heard(failed, 366);
  await site.deps.db.run(
    `update batches set state = 'failed' where number = 2 and import = (select id from imports where import_id = $1)`,
    [failed],
  );
  await sweep();
  expect([await kept(old), await kept(young), await kept(failed)]).toEqual([
    [0, 0],
    [2, 1],
    [1, 0],
  ]);
  const told = await progress(old);
  expect(told).toMatchObject({ batches: [], faults: [], totalBatches: 0, totalFaults: 0 });
  expect(told.events?.created).toBe((await progress(young)).events?.created);
});

test('what is heard after that is kept again, and goes in its time', async () => {
  const old = await imported();
  await heard(old, 366);
  await sweep();
  await heard(old, 0);
  await site.deps.db.run(
    `insert into faults (import, reason) select id, 'Later.' from imports where import_id = $1`,
    [old],
  );
  await sweep();
  expect(await kept(old)).toEqual([0, 1]);
  await heard(old, 366);
  await site.deps.db.run(`update imports set cleared_at = now() - interval '400 days' where import_id = $1`, [
    old,
  ]);
  await sweep();
  expect(await kept(old)).toEqual([0, 0]);
});

test('with 0 days they are kept for good', async () => {
  const old = await imported();
  await heard(old, 4_000);
  await runSweep(importSweeps, 'old-imports', {
    ...site.deps,
    config: { ...site.deps.config, IMPORT_HISTORY_DAYS: 0 },
  });
  expect(await kept(old)).toEqual([2, 1]);
});
