/** How much of one import is kept before it is in the calendar: its sender waits, and loses nothing. */
import { createLog } from '@sevenfold/chassis/log';
import { runJob } from '@sevenfold/chassis/queue/workers';
import { applyBatches } from '../batches/apply';
import { registerImport } from '../commands';
import { type ImportsSite, report, startImports } from '../testing/service';

let site: ImportsSite;
beforeAll(async () => {
  // No worker of the service itself: nothing is applied until the test says so.
  site = await startImports({ ROLE: 'api', IMPORT_WAITING_MEGABYTES: 1 });
});
afterAll(() => site.stop());

const send = (importId: string, hash: string, index: number) =>
  site
    .as()
    .post(
      `/import/${importId}/batch`,
      report(hash, index, 4, { events: [{ title: `No ${index}`, description: 'x'.repeat(600_000) }] }),
    );
async function deliver(importId: string): Promise<void> {
  const { db } = site.deps;
  const job = await db.first<{ id: number }>(
    `select o.id from outbox o join imports i on o.payload->>'import' = i.id::text
     where i.import_id = $1 and o.done_at is null`,
    [importId],
  );
  const log = createLog('imports', 'test', 'silent');
  await runJob({ db, deps: site.deps, log }, applyBatches, job!.id, new AbortController().signal);
}

test('beyond its room a batch is refused until some are in the calendar, and then taken under the same hash', async () => {
  const { importId, batchHash } = await registerImport({ db: site.deps.db }, {});
  const first = await send(importId, batchHash, 0);
  const second = await send(importId, first.body.next_batch_hash, 1);
  expect([first.status, second.status]).toEqual([200, 200]);
  const before = await site.row(importId);
  const refused = await send(importId, second.body.next_batch_hash, 2);
  expect([refused.status, refused.body.code, refused.body.data.done]).toEqual([
    429,
    'import_backlog_full',
    false,
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await site.row(importId)).toEqual(before);
  // Who missed the answer to the last that was taken gets it again, and others have their own room.
  expect((await send(importId, first.body.next_batch_hash, 1)).text).toBe(second.text);
  const other = await registerImport({ db: site.deps.db }, {});
  expect((await send(other.importId, other.batchHash, 0)).status).toBe(200);

  await deliver(importId);
  expect(await site.row(importId)).toMatchObject({ applied: 2, waiting_bytes: 0 });
  expect((await send(importId, second.body.next_batch_hash, 2)).status).toBe(200);
  expect((await site.row(importId)).waiting_bytes).toBeGreaterThan(600_000);
});

test('where nothing waits there is room, whatever a version that does not count has left', async () => {
  const { db } = site.deps;
  const { importId, batchHash } = await registerImport({ db }, {});
  await db.run('update imports set waiting_bytes = 9e9 where import_id = $1', [importId]);
  expect((await send(importId, batchHash, 0)).status).toBe(200);
  expect((await site.row(importId)).waiting_bytes).toBeLessThan(700_000);
});

test('what is applied makes room for as much', async () => {
  const { db } = site.deps;
  const { importId, batchHash } = await registerImport({ db }, {});
  const first = await send(importId, batchHash, 0);
  const { answer } = site.calendar;
  // A batch comes while the one before is brought to the calendar.
  let second: Awaited<ReturnType<typeof send>> | undefined;
  site.calendar.answer = async (request) => {
    second ??= await send(importId, first.body.next_batch_hash, 1);
    if (request.batches.some(({ key }) => key.endsWith('/2'))) throw new Error('not now');
    return answer(request);
  };
  try {
    await deliver(importId);
  } finally {
    site.calendar.answer = answer;
  }
  expect(await site.row(importId)).toMatchObject({ accepted: 2, applied: 1 });
  const waits = (await site.row(importId)).waiting_bytes as number;
  expect([waits > 600_000, waits < 700_000]).toEqual([true, true]);
});
