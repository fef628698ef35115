/** The one way into the index, on rows made by hand: what counts, who wins an address, and what came too late. */
import { createTestDatabase } from '@sevenfold/chassis/testing/database';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { rowsRead } from '@sevenfold/chassis/testing/looked-at';
import path from 'node:path';
import { resolve } from '../addresses/resolve';
import * as addresses from '../addresses/store';
import type { Deps } from '../deps';
import { type Built, tombstone } from './build';
import { ticket } from './queue';
import { write } from './write';

let db: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const made = await createTestDatabase(path.resolve(__dirname, '../../migrations'));
  const log = createLog('write', 'test', 'silent');
  db = openDatabase({ url: made.url, size: 4, application: 'write', log });
  drop = () => made.drop();
});
afterAll(async () => {
  await db.close();
  await drop();
});
beforeEach(async () => {
  for (const table of ['indexables', 'addresses', 'heard_addresses', 'links', 'waiting'])
    await db.run(`delete from ${table}`);
});

let reading = 0;

interface Told {
  readonly at?: string;
  readonly links?: readonly string[];
  readonly isPublic?: boolean;
  readonly status?: string;
  readonly author?: number;
  readonly objects?: readonly number[];
  readonly name?: string;
  readonly readNo?: number;
}

const post = (id: number, told: Told = {}): Built => ({
  row: {
    ...tombstone({ objectType: 'post', objectId: id }, told.readNo ?? (reading += 1)),
    objectSubtype: 'post',
    status: told.status ?? 'publish',
    isPublic: told.isPublic ?? true,
    permalink: `http://site.test/${told.at ?? `p${id}`}/`,
    shown: told.name ?? '',
    author: told.author ?? 0,
    objects: told.objects ?? [],
  },
  paths: [told.at ?? `p${id}`, `?p=${id}`],
  links: told.links ?? [],
});
const gone = (id: number): Built => ({
  row: tombstone({ objectType: 'post', objectId: id }, (reading += 1)),
  paths: [],
  links: [],
});

const put = (...all: Built[]): Promise<number> => db.transaction((tx) => write(tx, all));

/** id → [outgoing, incoming] */
const counts = async (): Promise<Record<number, [number, number]>> => {
  const rows = await db.rows<{ id: number; o: number; i: number }>(
    'select object_id as id, link_count as o, incoming_link_count as i from indexables order by 1',
  );
  return Object.fromEntries(rows.map(({ id, o, i }) => [id, [o, i]]));
};
const at = async (url: string): Promise<[number, number | string]> => {
  const deps = { db, siteUrl: 'http://site.test' } as Deps;
  const { status, location, objectId } = await resolve(deps, url);
  return [status, status === 301 ? location : objectId];
};

test('links count on both sides, whatever comes first; to oneself and to nowhere they do not', async () => {
  await put(post(1, { links: ['p2', '?p=3', 'p1', 'nowhere'] }));
  expect(await counts()).toEqual({ 1: [0, 0] });
  await put(post(2, { links: ['p1', '?p=1'] }), post(3));
  expect(await counts()).toEqual({ 1: [2, 2], 2: [2, 1], 3: [0, 1] });
  await put(post(1, { links: ['p2'] }));
  expect(await counts()).toEqual({ 1: [1, 2], 2: [2, 1], 3: [0, 0] });
});

test('links follow what moves, are dead while it is hidden, and count for nothing in what is hidden', async () => {
  await put(post(1, { links: ['old'] }), post(2, { at: 'old' }));
  await put(post(2, { at: 'new' }));
  expect(await counts()).toEqual({ 1: [1, 0], 2: [0, 1] });
  await put(post(2, { at: 'new', isPublic: false, status: 'trash' }));
  expect(await counts()).toEqual({ 1: [0, 0], 2: [0, 0] });
  await put(post(2, { at: 'old' }));
  expect(await counts()).toEqual({ 1: [1, 0], 2: [0, 1] });
  await put(post(1, { links: ['old'], isPublic: false, status: 'draft' }));
  expect(await counts()).toEqual({ 1: [1, 0], 2: [0, 0] });
  await put(gone(1), gone(2));
  expect(await counts()).toEqual({ 1: [0, 0], 2: [0, 0] });
  expect(await db.rows('select * from links')).toEqual([]);
});

test('an address leads to where its object is, to who has it now, and back when that is gone', async () => {
  await put(post(1, { at: 'hello' }), post(3, { links: ['hello'] }));
  await put(post(1, { at: 'world' }));
  expect(await at('http://site.test/hello/')).toEqual([301, 'http://site.test/world/']);
  await put(post(2, { at: 'hello' }));
  expect(await at('/hello')).toEqual([200, 2]);
  expect(await counts()).toEqual({ 1: [0, 0], 2: [0, 1], 3: [1, 0] });
  await put(post(1, { at: 'hello-2' }));
  expect(await at('/world/')).toEqual([301, 'http://site.test/hello-2/']);
  await put(gone(2));
  expect(await at('/hello')).toEqual([301, 'http://site.test/hello-2/']);
  expect(await counts()).toMatchObject({ 1: [0, 1], 2: [0, 0] });
  await put(gone(1));
  expect(await at('/hello')).toEqual([410, 0]);
  expect(await at('/?p=1')).toEqual([410, 0]);
  expect(await at('/?p=77')).toEqual([404, 0]);
});

test('of the addresses that a thing had the last ones lead to it, however often it is renamed', async () => {
  await put(post(1, { at: 'n0' }), post(2, { links: ['n0', 'n9'] }));
  expect(await counts()).toEqual({ 1: [0, 1], 2: [1, 0] });
  const last = addresses.MOST_HELD + 5;
  for (let n = 1; n <= last; n++) await put(post(1, { at: `n${n}` }));
  const here = `http://site.test/n${last}/`;
  expect(await at('/n4/')).toEqual([404, 0]);
  expect(await at('/n5/')).toEqual([301, here]);
  expect(await at('/?p=1')).toEqual([301, here]);
  expect(await counts()).toEqual({ 1: [0, 1], 2: [1, 0] });
  await put(post(3, { at: 'third' }));
  for (let n = 0; n <= last; n++) await hear(3, `heard-${n}`);
  await put(post(3, { at: 'third' }));
  expect(await at('/heard-5/')).toEqual([404, 0]);
  expect(await at('/heard-6/')).toEqual([301, 'http://site.test/third/']);
  // With the present one, and the one with the number.
  const kept = addresses.MOST_HELD + 2;
  expect(
    await db.rows(
      'select object_id as id, count(*)::int as n from addresses where object_id <> 2 group by 1 order by 1',
    ),
  ).toEqual([
    { id: 1, n: kept },
    { id: 3, n: kept },
  ]);
});

test('of two that had an address once, the last is meant', async () => {
  await put(post(1, { at: 'a' }));
  await put(post(1, { at: 'b' }));
  await put(post(2, { at: 'a' }));
  await put(post(2, { at: 'c' }));
  expect(await at('/a')).toEqual([301, 'http://site.test/c/']);
  await put(post(1, { at: 'a' }));
  await put(post(1, { at: 'd' }));
  expect(await at('/a')).toEqual([301, 'http://site.test/d/']);
});

const hear = (id: number, ...paths: string[]): Promise<void> =>
  db.transaction((tx) =>
    addresses.hear(
      tx,
      'post',
      paths.map((path) => ({ id, path })),
    ),
  );

test('an address that was had between two readings leads on as well, and links to it count', async () => {
  await put(post(1, { at: 'a' }), post(2, { links: ['b'] }));
  await hear(1, 'b', 'c');
  // Nothing of it is told before the thing itself is written.
  expect([await at('/b'), await counts()]).toEqual([[404, 0], { 1: [0, 0], 2: [0, 0] }]);
  await put(post(1, { at: 'c' }));
  for (const path of ['/a', '/b'])
    expect([path, await at(path)]).toEqual([path, [301, 'http://site.test/c/']]);
  expect([await at('/c'), await counts()]).toEqual([[200, 1], { 1: [0, 1], 2: [1, 0] }]);
  expect(await db.rows('select * from heard_addresses')).toEqual([]);
});

test('what is heard late changes nothing of what is there, makes no circle, and is gone with its thing', async () => {
  await put(post(1, { at: 'a' }));
  await put(post(1, { at: 'b' }));
  await hear(1, 'a', 'b', 'x');
  await put(post(2, { at: 'x' }));
  await put(post(1, { at: 'b' }));
  expect([await at('/a'), await at('/b'), await at('/x')]).toEqual([
    [301, 'http://site.test/b/'],
    [200, 1],
    [200, 2],
  ]);
  await hear(3, 'y');
  await put(gone(3), gone(1));
  expect([await at('/y'), await at('/a')]).toEqual([
    [410, 0],
    [410, 0],
  ]);
});

test('two that swap their addresses lead to each other in no circle', async () => {
  await put(post(1, { at: 'a' }), post(2, { at: 'b' }));
  await put(post(1, { at: 'b' }), post(2, { at: 'a' }));
  expect([await at('/a'), await at('/b')]).toEqual([
    [200, 2],
    [200, 1],
  ]);
});

test('what was read earlier never overwrites what was read later, nor does it bring back what is gone', async () => {
  const early = (reading += 1);
  await put(post(1, { at: 'late' }));
  expect(await put(post(1, { at: 'early', readNo: early }))).toBe(0);
  await put(gone(2));
  expect(await put(post(2, { readNo: early }))).toBe(0);
  expect(await at('/late')).toEqual([200, 1]);
  expect(await at('/p2')).toEqual([404, 0]);
});

const waiting = (): Promise<number[]> =>
  db
    .rows<{ id: number }>('select object_id as id from waiting order by 1')
    .then((all) => all.map(({ id }) => id));

test('what shows something of a thing is read anew when that looks different, and not otherwise', async () => {
  await put(post(1, { name: 'one' }), post(2, { objects: [1] }), post(3));
  await db.run('delete from waiting');
  await put(post(1, { name: 'one', links: ['p3'] }));
  expect(await waiting()).toEqual([]);
  await put(post(1, { name: 'other' }));
  expect(await waiting()).toEqual([2]);
  expect(await db.rows('select name from outbox')).toEqual([{ name: 'index-objects' }]);
});

test('a lot that shows something of a thing waits behind what changed by itself', async () => {
  const waiting = (): Promise<object[]> =>
    db.rows('select in_lots, count(*)::int as n from waiting where object_type = $1 group by 1', ['post']);
  const author = (id: number, name: string): Built => {
    const { row, ...rest } = post(id, { name });
    return { ...rest, row: { ...row, objectType: 'user', objectSubtype: 'user' } };
  };
  const of = (id: number, from: number, to: number): Built[] =>
    Array.from({ length: to - from }, (_, n) => post(from + n, { author: id }));
  await put(author(90_001, 'a'), author(90_002, 'a'), ...of(90_001, 1, 503), ...of(90_002, 503, 506));
  await db.run('delete from waiting');
  await put(author(90_001, 'b'));
  expect(await waiting()).toEqual([{ in_lots: true, n: 502 }]);
  await put(author(90_002, 'b'));
  expect(await waiting()).toEqual(
    expect.arrayContaining([
      { in_lots: true, n: 502 },
      { in_lots: false, n: 3 },
    ]),
  );
  await put(author(90_001, 'c'));
  expect(await waiting()).toHaveLength(2);
  expect(await db.first('select is_open, lots_open from promised')).toEqual({
    is_open: true,
    lots_open: true,
  });
});

describe('what was read before something it shows was written', () => {
  // As jobs do it, of the same numbers as the writing itself.
  const draw = async (): Promise<number> => (reading = await ticket(db));
  const hidden = { isPublic: false, status: 'private' } as const;

  test.each([
    ['had no row yet', false],
    ['had a row', true],
  ])('is read anew where that %s', async (_what, wasThere) => {
    if (wasThere) await put(post(1, { name: 'public', readNo: await draw() }));
    const early = await draw();
    // Another job hears of the change, and finds nothing that shows it.
    await put(post(1, { ...hidden, name: 'hidden', readNo: await draw() }));
    expect(await waiting()).toEqual([]);
    await put(post(2, { objects: [1], readNo: early }));
    expect(await waiting()).toEqual([2]);
    await db.run('delete from waiting');
    await put(post(2, { objects: [1], readNo: await draw() }));
    expect(await waiting()).toEqual([]);
  });

  test('and was written before it is read anew, too', async () => {
    await put(post(2, { objects: [1], readNo: await draw() }));
    expect(await waiting()).toEqual([]);
    await put(post(1, { ...hidden, name: 'hidden', readNo: await draw() }));
    expect(await waiting()).toEqual([2]);
  });

  test.each([
    ['a venue, which events were told with', 'venue', []],
    ['a picture, which may have been asked for before it changed', 'attachment', [2]],
  ])('in the same reading is read anew, unless that is %s', async (_what, objectSubtype, again) => {
    const readNo = await draw();
    const { row, ...rest } = post(1, { name: 'one', readNo });
    await put({ row: { ...row, objectSubtype }, ...rest }, post(2, { objects: [1], readNo }));
    expect(await waiting()).toEqual(again);
  });

  test('that is a venue of an earlier reading is left where both are written together, as pieces of one job are', async () => {
    const venue = (readNo: number): Built => {
      const { row, ...rest } = post(1, { name: `Hall ${readNo}`, readNo });
      return { row: { ...row, objectSubtype: 'venue' }, ...rest };
    };
    const event = (readNo: number): Built => post(2, { objects: [1], readNo });
    const [first, second, third, fourth] = [await draw(), await draw(), await draw(), await draw()];
    await put(venue(first), event(second));
    expect(await waiting()).toEqual([]);
    // Of a writing by itself nobody knows when its reading was over.
    await put(venue(third));
    await db.run('delete from waiting');
    await put(event(fourth));
    expect(await waiting()).toEqual([2]);
    await db.run('delete from waiting');
    // What the event shows was asked for before.
    const [fifth, sixth] = [await draw(), await draw()];
    await put(venue(sixth), event(fifth));
    expect(await waiting()).toEqual([2]);
  });

  test('is left where that looks as before', async () => {
    await put(post(1, { name: 'one', readNo: await draw() }));
    const early = await draw();
    await put(post(1, { name: 'one', links: ['p3'], readNo: await draw() }));
    await put(post(2, { objects: [1], readNo: early }));
    expect(await waiting()).toEqual([]);
  });
});

test('what shows the hundreds of things that were written is found without going through the whole index', async () => {
  // Most of a site shows the same few things: PostgreSQL then takes any of them for common.
  const many = 12_000;
  await put(post(1));
  await db.run(
    `insert into indexables (object_type, object_id, object_subtype, status, is_public, version, made_for, read_no, permalink, objects)
     select 'post', 10 + n, 'event', 'publish', true, '', '', 0, '', array[1 + n % 3] from generate_series(1, ${many}) as n`,
  );
  await db.run('analyze indexables');
  const others = Array.from({ length: 500 }, (_, at) => post(20_000 + at));
  const read = await rowsRead(db, 'indexables', (tx) => write(tx, [post(1, { name: 'other' }), ...others]));
  expect(await db.first('select count(*)::int as n from waiting')).toEqual({ n: many / 3 });
  expect(read).toBeLessThan(many);
});

test('addresses that are told of are looked up, however few there were when PostgreSQL last counted them', async () => {
  await db.run('analyze addresses');
  const many = 12_000;
  await db.run(
    `insert into addresses (path_key, object_type, object_id, path, is_current, held)
     select md5('there/' || n)::uuid, 'post', n, 'there/' || n, true, 1 from generate_series(1, ${many}) as n`,
  );
  const told = Array.from({ length: 100 }, (_, at) => [
    { id: at + 1, path: `there/${at + 1}` },
    { id: many + at + 1, path: `new/${at}` },
  ]).flat();
  const read = await rowsRead(db, 'addresses', (tx) => addresses.hear(tx, 'post', told));
  expect(await db.first('select count(*)::int as n from heard_addresses')).toEqual({ n: 100 });
  expect(read).toBeLessThan(many / 2);
});
