/** Maps of links say what the links say: after whatever is written, before and after it is folded in, and whatever has a map. */
import { linkSweeps } from '@sevenfold/chassis/db/link-maps';
import { type IdSet, inAny, inFirstAlone, isIn, sizeOf } from '@sevenfold/chassis/db/id-sets';
import { type Linked, linkedIds, linkedToAll } from '@sevenfold/chassis/db/links';
import { Conditions, withUsed } from '@sevenfold/chassis/db/sql';
import { numbers, pick } from '@sevenfold/chassis/chance';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { type ContentSite, startContent } from '../testing/service';
import { recountSweep } from './recount-links';
import { linksOf } from './track';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
  await db().run('delete from posts');
});
afterAll(() => site?.stop());

const db = () => site.deps.db;
const next = numbers(8);
const TERMS = Array.from({ length: 12 }, (_, n) => n + 1);
const LISTS = ['categories', 'tags'] as const;
const some = (): number[] => TERMS.filter((term) => next() < 1 / term);

const published = `type = 'post' and status = 'publish'`;

/** Ids by the maps, and their number, for some terms of one list, of each, of any and of one alone; and as the rows say. */
async function check(after: string): Promise<void> {
  const conditions = new Conditions();
  const named = (list: (typeof LISTS)[number]): Named => {
    const ids = [...new Set([pick(next, TERMS), pick(next, TERMS), pick(next, TERMS)])];
    const linked = { links: linksOf(list), ids };
    return { linked, set: linkedIds(conditions, linked), rows: `${list} && '{${ids.join()}}'` };
  };
  const [categories, tags] = [named('categories'), named('tags')];
  const sets: [set: IdSet, rows: string][] = [
    [categories.set, categories.rows],
    [tags.set, tags.rows],
    [linkedToAll(conditions, [categories.linked, tags.linked]), `${categories.rows} and ${tags.rows}`],
    [inAny([categories.set, tags.set]), `(${categories.rows} or ${tags.rows})`],
    [inFirstAlone(tags.set, categories.set), `${tags.rows} and not ${categories.rows}`],
  ];
  for (const [set, rows] of sets) {
    const { text, values } = withUsed(
      `select array(select p.id from posts p where ${isIn('posts', 'p.id', set)} order by 1) as ids, ${sizeOf(set)} as n`,
      conditions.values,
    );
    const found = await db().first(text, values);
    const { ids = [] } =
      (await db().first<{ ids: number[] }>(
        `select array(select id from posts where ${published} and ${rows} order by 1) as ids`,
      )) ?? {};
    expect([after, rows, found]).toEqual([after, rows, { ids, n: ids.length }]);
  }
}

interface Named {
  readonly linked: Linked;
  readonly set: IdSet;
  /** Condition of the rows. */
  readonly rows: string;
}

const insert = (count: number, status: string): Promise<number> =>
  db().run(
    `insert into posts (type, status, categories, tags, date_local, date_gmt, modified_local, modified_gmt)
     select 'post', $2, $3, $4, now(), now(), now(), now() from generate_series(1, $1::int)`,
    [count, status, some(), some()],
  );
const any = 'id = any(array(select id from posts order by random() limit 7))';
const steps: Record<string, () => Promise<unknown>> = {
  insert: () => insert(20, 'publish'),
  draft: () => insert(5, 'draft'),
  far: async () => {
    await db().run(`select setval('object_ids', nextval('object_ids') + 9000)`);
    await insert(3, 'publish');
  },
  // Ids that have no bit.
  beyond: async () => {
    await db().run(`select setval('object_ids', greatest(nextval('object_ids'), 4194300))`);
    await insert(3, 'publish');
  },
  terms: () => db().run(`update posts set categories = $1, tags = $2 where ${any}`, [some(), some()]),
  publish: () => db().run(`update posts set status = 'publish' where ${any}`),
  hide: () => db().run(`update posts set status = 'trash' where ${any}`),
  delete: () => db().run(`delete from posts where ${any}`),
  fold: () => runSweep(linkSweeps, 'fold-links', site.deps),
  'map those of many': () => db().run('select map_links(40)'),
  'map nearly all': () => db().run('select map_links(5)'),
};

test('whatever is written', async () => {
  await insert(100, 'publish');
  for (let n = 0; n < 150; n++) {
    const step = pick(next, Object.keys(steps));
    await steps[step]?.();
    await check(`${n}: ${step}`);
  }
  await runSweep(linkSweeps, 'fold-links', site.deps);
  expect(await db().rows('select from link_notes')).toEqual([]);
  await check('folded');
  await runSweep(linkSweeps, 'map-links', site.deps);
  expect(await db().rows('select from link_maps')).toEqual([]);
  await check('few are named by many');
});

test('a change whose transaction is still open when others are written is not lost', async () => {
  await db().run('select map_links(5)');
  await db().transaction(async (tx) => {
    await tx.run(`insert into posts (type, status, categories, date_local, date_gmt, modified_local, modified_gmt)
                  values ('post', 'publish', '{1,2,3}', now(), now(), now(), now())`);
    await insert(5, 'publish');
    await steps.fold?.();
    await steps['map nearly all']?.();
  });
  for (let n = 0; n < 5; n++) await check('written');
  await steps.fold?.();
  for (let n = 0; n < 5; n++) await check('folded');
});

test('a statement leaves one note, and none where no link changes', async () => {
  await steps.fold?.();
  await db().run(`update posts set title_raw = 'Other', sticky = true`);
  await insert(3, 'draft');
  expect(await db().rows('select from link_notes')).toEqual([]);
  await db().run(`update posts set tags = tags || 77::bigint where status = 'publish'`);
  expect(await db().rows('select from link_notes')).toHaveLength(1);
});

test('maps that are not what the rows say are counted anew, but for what is noted', async () => {
  await steps.fold?.();
  await steps['map nearly all']?.();
  await insert(5, 'publish');
  await db().run('update link_maps set bits = ~bits');
  await runSweep([recountSweep], 'recount-links', site.deps);
  for (let n = 0; n < 5; n++) await check('counted anew');
  await steps.fold?.();
  for (let n = 0; n < 5; n++) await check('folded after it');
});

test('where nobody folds them, notes are gone through up to a bound, and the links read beyond', async () => {
  await steps.fold?.();
  await steps['map nearly all']?.();
  const flip = () => db().run('update link_maps set bits = ~bits');
  await db().run(
    `insert into link_notes (ids) select array_agg(1000000000 + n) from generate_series(1, 100001) as n`,
  );
  await flip();
  for (let n = 0; n < 5; n++) await check('too many are noted');
  await db().run('delete from link_notes');
  await flip();
  for (let n = 0; n < 5; n++) await check('none is noted');
});

test('notes are forgotten where nothing has a map, and worked on for what gets one later', async () => {
  await db().run('select map_links(1000000)');
  expect(await db().rows('select from mapped_links')).toEqual([]);
  await insert(20, 'publish');
  await db().transaction(async (tx) => {
    // There is nothing that it could call.
    for (const list of LISTS) await tx.run(`alter function map_noted_${list} rename to plain_${list}`);
    expect(await tx.first('select fold_links(50) as n')).toEqual({ n: 1 });
    for (const list of LISTS) await tx.run(`alter function plain_${list} rename to map_noted_${list}`);
  });
  expect(await db().rows('select from link_notes')).toEqual([]);
  await steps['map nearly all']?.();
  for (let n = 0; n < 5; n++) await check('mapped later');
  await insert(20, 'publish');
  await steps.fold?.();
  for (let n = 0; n < 5; n++) await check('folded');
});
