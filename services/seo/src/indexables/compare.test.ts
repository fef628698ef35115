/** Comparisons with the owners: one at a time, another one for whatever the one under way may have missed; what differs waits. */
import { createHash } from 'node:crypto';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { runJob } from '@sevenfold/chassis/queue/workers';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import type { Deps } from '../deps';
import { read as readSettings } from '../settings/read';
import { put } from '../testing/indexables';
import { startSeo } from '../testing/service';
import { compareInTurn, compareJob, requestComparison } from './compare';
import { QUEUE } from './queue';

let seo: TestService<Deps>;
beforeAll(async () => {
  seo = await startSeo();
});
afterAll(() => seo.stop());
beforeEach(() => seo.deps.db.run('delete from outbox'));

interface Open {
  readonly id: number;
  readonly payload: unknown;
}
const open = (): Promise<Open[]> =>
  seo.deps.db.rows<Open>('select id, payload from outbox where name = $1 and done_at is null order by id', [
    compareJob.name,
  ]);
/** Nobody can be asked here. */
const tryAll = async (): Promise<void> => {
  const { db, log } = seo.deps;
  for (const { id } of await open())
    await runJob({ db, deps: seo.deps, log }, compareJob, id, new AbortController().signal);
};
const sweep = (): Promise<void> => seo.deps.db.transaction(compareInTurn);
const change = (): Promise<void> => seo.deps.db.transaction(requestComparison);
const begun = (): Promise<number> =>
  seo.deps.db.transaction((tx) => enqueue(tx, QUEUE, compareJob.name, { source: 'terms', afterId: 5_000 }));

test('while an owner is away there is one, however often it is time for another and whatever is changed', async () => {
  for (let round = 0; round < 6; round += 1) {
    await sweep();
    await change();
    await tryAll();
  }
  expect(await open()).toHaveLength(1);
});

test('one that has begun is enough for the clock, but not for who changed what rows are made by', async () => {
  await begun();
  await sweep();
  expect(await open()).toHaveLength(1);
  await change();
  await change();
  expect((await open()).map(({ payload }) => payload)).toEqual([
    { source: 'terms', afterId: 5_000 },
    { source: 'users', afterId: 0 },
  ]);
});

test('one that begins at that moment is none for a change, which waits for how it ends', async () => {
  const { db } = seo.deps;
  await change();
  const [first] = await open();
  let changing: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await tx.first('select from outbox where id = $1 for update', [first!.id]);
    changing = change();
    await untilLocked(db);
    await tx.run('update outbox set done_at = now() where id = $1', [first!.id]);
  });
  await changing;
  const [second, ...more] = await open();
  expect([second!.id > first!.id, more]).toEqual([true, []]);
});

test('what was made by rules of before waits for being made anew', async () => {
  const { db, config } = seo.deps;
  const { settings, madeFor } = await readSettings(db, config);
  // Its authors were named by text, and its terms were all of them.
  const before = createHash('sha256')
    .update(JSON.stringify([4, settings]))
    .digest('base64url')
    .slice(0, 16);
  await put(db, [{ id: 1 }, { id: 2 }]);
  await db.run('update indexables set made_for = case object_id when 1 then $1 else $2 end', [
    madeFor,
    before,
  ]);
  const [id, payload] = [0, { source: 'posts', afterId: 0 }];
  const call = { deps: seo.deps, payload, log: seo.deps.log, id, attempt: 1, failures: 0 };
  const { signal } = new AbortController();
  await db.transaction((tx) =>
    compareJob.handle({ ...call, tx, signal }, { ids: [1, 2], versions: ['1', '1'] }),
  );
  expect(await db.rows(`select object_id from waiting where object_type = 'post'`)).toEqual([
    { object_id: 2 },
  ]);
});
