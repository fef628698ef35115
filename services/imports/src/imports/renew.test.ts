/** A hash that came into wrong hands: with another one it opens nothing any more, and the import goes on. */
import { registerImport, renewHash } from '../commands';
import { type ImportsSite, report, startImports } from '../testing/service';
import { readProgress } from './progress';
import { stranger } from '@sevenfold/chassis/actor';

let site: ImportsSite;
beforeAll(async () => {
  site = await startImports({ ROLE: 'api' });
});
afterAll(() => site.stop());

const batch = (importId: string, body: object) => site.as().post(`/import/${importId}/batch`, body);
const state = (importId: string, batch_hash: string, status: string) =>
  site.as().post(`/import/${importId}/state`, {
    ...{ batch_hash, status, message: 'Mine now.', message_slug: 'own:slug', percentage_complete: 40 },
  });
const progress = (importId: string, batchHash: string) =>
  readProgress(site.deps, { importId, batchHash, page: 1, perPage: 1, batch: 0 }, stranger);

test('neither batch nor state nor progress comes through the one before; the new one goes on where it stood', async () => {
  const { importId, batchHash } = await registerImport(site.deps, {});
  const first = report(batchHash, 0, 3);
  const { body: answer } = await batch(importId, first);
  const leaked = answer.next_batch_hash as string;
  const { batchHash: renewed } = await renewHash(site.deps, importId);
  const before = await site.row(importId);
  for (const refused of [
    await batch(importId, report(leaked, 1, 3)),
    await state(importId, leaked, 'success'),
  ])
    expect([refused.status, refused.body.code]).toEqual([400, 'rest_invalid_param']);
  await expect(progress(importId, leaked)).rejects.toMatchObject({ status: 401 });
  // A repeat tells no more than its answer did.
  expect((await batch(importId, first)).body.next_batch_hash).toBe(leaked);
  expect(await site.row(importId)).toEqual(before);
  expect((await progress(importId, renewed)).totalBatches).toBe(1);
  expect((await state(importId, renewed, 'pending')).status).toBe(200);
  expect((await batch(importId, report(renewed, 1, 3))).status).toBe(200);
});

test('one that went silent stays so; one that takes nothing more, or is not there, has no hash to renew', async () => {
  const { importId } = await registerImport(site.deps, {});
  await site.deps.db.run(`update imports set state = 'stalled' where import_id = $1`, [importId]);
  const { batchHash } = await renewHash(site.deps, importId);
  expect((await site.row(importId)).state).toBe('stalled');
  expect((await state(importId, batchHash, 'failed')).status).toBe(200);
  await expect(renewHash(site.deps, importId)).rejects.toMatchObject({ status: 400 });
  await expect(renewHash(site.deps, 'nobody')).rejects.toMatchObject({ status: 404 });
});
