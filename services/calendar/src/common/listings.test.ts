/** Lists by what is kept beside the rows: the same before and after what was noted is written, and as a recount of the rows says. */
import { rowsRead } from '@sevenfold/chassis/testing/looked-at';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { idsIn, linkedKinds, removeAll } from '../testing/linked';
import { type CalendarSite, startCalendar } from '../testing/service';
import { listingSweep } from './listings';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site?.stop());
beforeEach(() => removeAll(site.deps.db));

const db = () => site.deps.db;
const fold = () => listingSweep.run(site.deps);
const notes = async () => (await db().rows('select from listing_notes')).length;
const change = (table: string, id: number, changes: string) =>
  db().run(`update ${table} set ${changes} where id = $1`, [id]);

const COMING = { start_local: '2090-01-01 10:00:00' };
const OVER = { start_local: '2020-01-01 10:00:00' };

describe.each(linkedKinds)('$many', ({ many, make, linkOf }) => {
  const shown = async (query: string) => {
    const { body, headers } = await site.by('anonymous').get(`/${many}?per_page=50&${query}`);
    return { ids: idsIn({ body }, many), total: Number(headers.get('x-total')) };
  };
  const named = many === 'venues' ? 'e.venue_id = t.id' : 't.id = any(e.organizer_ids)';
  const eventOf = (which: string) =>
    `exists (select from events e where e.status = 'publish' and ${named} and ${which})`;
  const [some, coming] = [eventOf('true'), eventOf('e.end_utc >= now()')];
  const asked: readonly [query: string, condition: string][] = [
    ['', 'true'],
    ['has_events=1', some],
    ['has_events=0', `not ${some}`],
    ['only_with_upcoming=1', coming],
    ['has_events=1&only_with_upcoming=1', coming],
    ['has_events=0&only_with_upcoming=1', 'false'],
  ];
  const check = async (after: string): Promise<void> => {
    for (const [query, condition] of asked) {
      const ids = (
        await db().rows<{ id: number }>(
          `select id from ${many} t where t.status = 'publish' and ${condition} order by date_utc desc, id desc`,
        )
      ).map(({ id }) => id);
      expect([after, query, await shown(query)]).toEqual([after, query, { ids, total: ids.length }]);
    }
  };

  test('whatever is written, at once and when it was noted', async () => {
    const [one, other] = [await make(db()), await make(db(), { date_utc: '2020-01-01 00:00:00Z' })];
    await make(db(), { status: 'draft' });
    const over = await makeEvent(db(), { ...OVER, ...linkOf(one.id) });
    const late = await makeEvent(db(), { ...COMING, ...linkOf(other.id) });
    const link = (id: number) => (many === 'venues' ? `venue_id = ${id}` : `organizer_ids = array[${id}]`);
    const steps: [what: string, run: () => Promise<unknown>][] = [
      ['made', () => Promise.resolve()],
      ['moved', () => change('events', late.id, link(one.id))],
      ['moved back', () => change('events', late.id, link(other.id))],
      ['hidden', () => change('events', over.id, `status = 'draft'`)],
      ['shown', () => change('events', over.id, `status = 'publish'`)],
      ['later', () => change('events', over.id, `end_utc = '2091-01-01Z'`)],
      ['over', () => change('events', over.id, `end_utc = '2021-01-01Z'`)],
      ['older', () => change(many, one.id, `date_utc = '2010-01-01Z'`)],
      ['unpublished', () => change(many, one.id, `status = 'trash'`)],
      ['published', () => change(many, one.id, `status = 'publish'`)],
      [
        'two at once',
        () => db().run(`update ${many} set status = 'draft' where id = any($1)`, [[one.id, other.id]]),
      ],
      [
        'two again',
        () => db().run(`update ${many} set status = 'publish' where id = any($1)`, [[one.id, other.id]]),
      ],
      ['event gone', () => db().run('delete from events where id = $1', [late.id])],
      ['gone', () => db().run(`delete from ${many} where id = $1`, [one.id])],
    ];
    for (const [what, run] of steps) {
      await run();
      await check(what);
      if (what === 'later') continue; // Noted twice before it is written.
      await fold();
      expect([what, await notes()]).toEqual([what, 0]);
      await check(`${what}, written`);
    }
  });

  test('pages go through what is written and what is noted in one order', async () => {
    const made: number[] = [];
    for (let n = 0; n < 9; n++) {
      const { id } = await make(db(), { date_utc: `20${10 + ((n * 4) % 9)}-01-01 00:00:00Z` });
      await makeEvent(db(), linkOf(id));
      if (n === 5) await fold();
      made.push(id);
    }
    await change(many, made[0] as number, `date_utc = '2016-06-01Z'`);
    const all = (await shown('has_events=1')).ids;
    expect(new Set(all)).toEqual(new Set(made));
    await check('noted in part');
    for (const page of [1, 2, 3, 4, 5]) {
      const { ids, total } = await shown(`has_events=1&per_page=2&page=${page}`);
      expect([ids, total]).toEqual([all.slice((page - 1) * 2, page * 2), 9]);
    }
    expect((await site.by('anonymous').get(`/${many}?has_events=1&per_page=2&page=6`)).status).toBe(404);
  });

  test('a change whose transaction is still open when others are written is not lost', async () => {
    const [one, other] = [await make(db()), await make(db())];
    await db().transaction(async (tx) => {
      await makeEvent(tx, { ...COMING, ...linkOf(one.id) });
      await makeEvent(db(), { ...COMING, ...linkOf(other.id) });
      await fold();
      await check('one is open');
    });
    await check('both are there');
    await fold();
    await check('both are written');
  });

  test('neither the rows nor their events are counted: only what is kept of them is looked at', async () => {
    const [used, free] = [await make(db()), await make(db())];
    await makeEvent(db(), { ...COMING, ...linkOf(used.id) });
    await fold();
    await db().run('update listed_counts set n = n + 1000, used = used + 300 where kind = $1', [many]);
    await db().run(
      `update listed_${many} set last_end = case when id = $1 then timestamptz '2090-01-01Z' end`,
      [free.id],
    );
    expect(await shown('')).toEqual({ ids: [free.id, used.id], total: 1002 });
    expect(await shown('has_events=1')).toEqual({ ids: [free.id], total: 301 });
    expect(await shown('has_events=0')).toEqual({ ids: [used.id], total: 701 });
    expect(await shown('only_with_upcoming=1')).toEqual({ ids: [free.id], total: 1 });
    await db().run('update listed_counts set n = n - 1000, used = used - 300 where kind = $1', [many]);
    await db().run(
      `update listed_${many} set last_end = case when id = $1 then timestamptz '2090-01-01Z' end`,
      [used.id],
    );
  });
});

describe('events', () => {
  const WINDOW = 'start_date=2030-05-01&end_date=2030-05-03';
  const listed = async () => {
    // Rows that are written here are heard of a moment later.
    site.deps.memory.forget('events');
    const { body, headers } = await site.by('anonymous').get(`/events?${WINDOW}`);
    return {
      ids: (body.events as { id: number }[]).map(({ id }) => id),
      total: Number(headers.get('x-total')),
    };
  };
  const at = async (start: string, status = 'publish'): Promise<number> =>
    (await makeEvent(db(), { start_local: start, end_local: start, status })).id;

  test('their number is that of the days, first and last included', async () => {
    const first = await at('2030-05-01 00:00:00');
    const last = await at('2030-05-03 23:59:59');
    const draft = await at('2030-05-02 12:00:00', 'draft');
    await at('2030-04-30 23:59:59');
    await at('2030-05-04 00:00:00');
    const check = async (ids: number[]): Promise<void> => {
      expect(await listed()).toEqual({ ids, total: ids.length });
      await fold();
      expect(await listed()).toEqual({ ids, total: ids.length });
    };
    await check([first, last]);
    await change('events', draft, `status = 'publish'`);
    await check([first, draft, last]);
    await change('events', first, `start_local = '2030-04-01 10:00:00', end_local = '2030-04-01 10:00:00'`);
    await check([draft, last]);
    await change('events', draft, `start_local = '2030-05-03 11:00:00'`);
    await check([draft, last]);
    await db().run('delete from events where id = $1', [draft]);
    await check([last]);
  });

  test('are not counted', async () => {
    const id = await at('2030-05-02 10:00:00');
    await fold();
    await db().run(`update event_days set n = n + 500 where day = '2030-05-02'`);
    expect(await listed()).toEqual({ ids: [id], total: 501 });
    await db().run(`update event_days set n = n - 500 where day = '2030-05-02'`);
  });
});

test('a statement leaves one note, and none where nothing that is listed changes', async () => {
  const [venue, organizer] = [await makeVenue(db()), await makeOrganizer(db())];
  const event = await makeEvent(db(), { venue_id: venue.id, organizer_ids: [organizer.id] });
  await fold();
  expect(await notes()).toBe(0);
  await change('events', event.id, `title_raw = 'Other', featured = true`);
  await change('venues', venue.id, `name = 'Other'`);
  await change('organizers', organizer.id, `name = 'Other'`);
  await makeVenue(db(), { status: 'draft' });
  await makeEvent(db(), { venue_id: venue.id, status: 'draft' });
  expect(await notes()).toBe(0);
  await db().run(`update events set end_utc = end_utc + interval '1 day'`);
  expect(await notes()).toBe(1);
});

test('what is written at once costs the same however many notes wait', async () => {
  await fold();
  const note = (times: number) =>
    db().run(`insert into listing_notes (venues) select '{0}' from generate_series(1, $1::int)`, [times]);
  // As PostgreSQL knows the table: of many pages, and empty.
  await note(1_000);
  await db().run('delete from listing_notes');
  await db().run('analyze listing_notes');
  await note(3_000);
  const looked = await rowsRead(db(), 'listing_notes', (tx) => tx.run('select fold_listings(100)'));
  expect(looked).toBeLessThan(10_000);
  await fold();
  expect(await notes()).toBe(0);
});
