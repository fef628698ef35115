/** Notes of changed links are folded into maps, where there are any. */
import { recountMaps } from '@sevenfold/chassis/db/link-maps';
import { makeEvent } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';
import { linkLists, linksTo } from './event-links';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site?.stop());

const db = () => site.deps.db;
const fold = async (): Promise<number | undefined> =>
  (await db().first<{ n: number }>('select fold_links(50) as n'))?.n;
const linked = { category_ids: [1], tag_ids: [2], organizer_ids: [3] };

/** Lists that a note was looked at for. */
async function watchFolds(): Promise<() => Promise<string[]>> {
  await db().run('create table looked_at (list text)');
  for (const list of linkLists)
    await db().run(
      `alter function map_noted_${list} rename to plain_${list};
       create function map_noted_${list}(noted bigint[]) returns void language sql as
         $$ insert into looked_at values ('${list}'); select plain_${list}(noted) $$`,
      undefined,
      { planFor: 'values' },
    );
  return async () =>
    (await db().rows<{ list: string }>('delete from looked_at returning list')).map(({ list }) => list);
}

test('notes are worked on for lists that have maps; maps that are made later hold what was noted before', async () => {
  const lookedAt = await watchFolds();
  await makeEvent(db(), linked);
  await makeEvent(db(), linked);
  expect(await fold()).toBe(2);
  expect(await fold()).toBe(0);
  expect(await lookedAt()).toEqual([]);

  // A map for what more than one names.
  await db().run(`select map_many_tags(1)`);
  await makeEvent(db(), linked);
  expect(await fold()).toBe(1);
  expect(await lookedAt()).toEqual(['tags']);
  const known = await db().first<{ n: number }>(
    'select bit_count(bits)::int as n from link_maps where target = 2',
  );
  expect(known?.n).toBe(3);

  await db().run('select map_links(1)');
  await db().run(`update events set status = 'draft' where id = (select min(id) from events)`);
  expect(await fold()).toBe(1);
  expect(await lookedAt()).toEqual([...linkLists]);
  for (const list of linkLists) expect(await recountMaps(db(), linksTo(list))).toBe(0);
});
