/** Lists that change while they are read: what is left is told once, whatever comes and goes, and the end is an end. */
import { type Client, createClient } from '@sevenfold/client';
import { type Asked, type Said, type Scripted, refusal, startScripted } from './scripted';

/** Rows, the way the site lists them; pages that are not there are what the two halves of the interface make of them. */
interface Rows {
  ids: number[];
  readonly client: Client;
  readonly site: Scripted;
}

const running: Scripted[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

async function listed(ids: number[], more: Record<string, string> = {}): Promise<Rows> {
  const rows = { ids };
  const site = await startScripted(({ path }: Asked): Said => {
    const { pathname, searchParams } = new URL(path, 'http://site.test');
    const [page, size] = ['page', 'per_page'].map((name) => Number(searchParams.get(name))) as [
      number,
      number,
    ];
    const [total, pages] = [rows.ids.length, Math.ceil(rows.ids.length / size)];
    const isEvents = pathname.endsWith('/events');
    if (page > Math.max(pages, 1) || (page > 1 && total === 0))
      return isEvents
        ? {
            ...refusal(404),
            body: { code: 'event-archive-page-not-found', message: 'x', data: { status: 404 } },
          }
        : {
            ...refusal(400),
            body: { code: 'rest_post_invalid_page_number', message: 'x', data: { status: 400 } },
          };
    const fields = searchParams.get('_fields')?.replaceAll('events.', '').split(',');
    const items = rows.ids
      .slice((page - 1) * size, page * size)
      .map((id) => ({ id, slug: `s-${id}` }))
      .map((row) => (fields ? picked(row, fields) : { id: row.id }));
    return {
      headers: { 'X-Total': String(total), 'X-Total-Pages': String(pages), ...more },
      body: isEvents ? { events: items, total } : items,
    };
  });
  running.push(site);
  return Object.assign(rows, { site, client: createClient({ url: site.url }) });
}

const picked = (row: object, fields: readonly string[]): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)));

const upTo = (most: number): number[] => Array.from({ length: most }, (_, place) => place + 1);
const size = { per_page: 10 };

/** The ids, with something done after each. */
async function walk(
  list: AsyncIterable<{ id: number }>,
  after: (id: number) => void = () => undefined,
): Promise<number[]> {
  const told: number[] = [];
  for await (const { id } of list) {
    told.push(id);
    after(id);
  }
  return told;
}

test.each([0, 1, 9, 10, 11, 30])('%d rows are told in their order', async (count) => {
  const { client, site } = await listed(upTo(count));
  expect(await walk(client.posts.list(size))).toEqual(upTo(count));
  expect(site.asked).toHaveLength(Math.max(1, Math.ceil(count / 10)));
  expect(await walk(client.calendar.events.list(size))).toEqual(upTo(count));
});

test('pages are as large as they may be, unless something else is asked for', async () => {
  const { client, site } = await listed(upTo(250));
  expect(await walk(client.posts.list({ categories: [3, 5], _embed: ['author'] }))).toEqual(upTo(250));
  expect(site.asked.map(({ path }) => path)).toEqual(
    [1, 2, 3].map((page) => `/core/v2/posts?categories=3,5&_embed=author&per_page=100&page=${page}`),
  );
  await client.calendar.events.list().page(5);
  expect(site.asked.at(-1)?.path).toBe('/calendar/events/v1/events?per_page=50&page=5');
});

test('a page comes with its totals, which may be lower bounds; one that is not there is an error', async () => {
  const { client } = await listed(upTo(25));
  expect(await client.posts.list(size).page(3)).toEqual({
    items: [21, 22, 23, 24, 25].map((id) => ({ id })),
    page: 3,
    total: 25,
    totalPages: 3,
    isLowerBound: false,
  });
  await expect(client.posts.list(size).page(4)).rejects.toMatchObject({
    code: 'rest_post_invalid_page_number',
  });
  const { client: other } = await listed([1], { 'X-Total-Relation': 'gte' });
  expect(await other.posts.list(size).page(1)).toMatchObject({ total: 1, isLowerBound: true });
});

test('fields are those of the items, wherever in an answer these stand', async () => {
  const { client, site } = await listed(upTo(2));
  const rows = { items: [{ slug: 's-1' }, { slug: 's-2' }] };
  expect(await client.posts.list({ _fields: ['slug'] }).page(1)).toMatchObject(rows);
  expect(await client.calendar.events.list({ _fields: ['slug'] }).page(1)).toMatchObject(rows);
  expect(await client.calendar.events.list({ _fields: ['events.slug', 'events'] }).page(1)).toMatchObject(
    rows,
  );
  expect(site.asked.map(({ path }) => new URL(path, 'http://site.test').searchParams.get('_fields'))).toEqual(
    ['slug', 'events.slug', 'events.slug,events'],
  );
});

test('so many are skipped, and pages begin behind them', async () => {
  const site = await startScripted(({ path }) => {
    const { searchParams } = new URL(path, 'http://site.test');
    const [offset, count] = ['offset', 'per_page'].map((name) => Number(searchParams.get(name))) as [
      number,
      number,
    ];
    const items = upTo(28).slice(offset, offset + count);
    const total = items.length === 0 ? 0 : 28;
    return { headers: { 'X-Total': String(total), 'X-Total-Pages': '3' }, body: items.map((id) => ({ id })) };
  });
  running.push(site);
  const { posts } = createClient({ url: site.url });
  expect(await walk(posts.list({ ...size, offset: 5 }))).toEqual(upTo(28).slice(5));
  expect(site.asked.map(({ path }) => path)).toEqual(
    [5, 15, 25].map((offset) => `/core/v2/posts?per_page=10&offset=${offset}`),
  );
  expect(await posts.list({ ...size, offset: 5 }).page(2)).toMatchObject({ total: 23, totalPages: 3 });
  expect(await walk(posts.list({ ...size, offset: 50 }))).toEqual([]);
});

test('whoever stops asks for no more', async () => {
  const { client, site } = await listed(upTo(100));
  for await (const { id } of client.posts.list(size)) if (id === 10) break;
  expect(site.asked).toHaveLength(1);
});

describe('while it is read', () => {
  test.each([1, 10, 11, 25, 95, 100])('all %d are deleted as they come', async (count) => {
    for (const list of [
      (rows: Rows) => rows.client.posts.list(size),
      (rows: Rows) => rows.client.calendar.events.list(size),
    ]) {
      const rows = await listed(upTo(count));
      const told = await walk(list(rows), (id) => (rows.ids = rows.ids.filter((one) => one !== id)));
      expect(told).toHaveLength(count);
      expect([rows.ids, [...told].sort((a, b) => a - b)]).toEqual([[], upTo(count)]);
    }
  });

  test('every third is deleted by somebody: none of the others is left out', async () => {
    const rows = await listed(upTo(200));
    const gone = new Set(upTo(200).filter((id) => id % 3 === 0));
    const told = await walk(rows.client.posts.list(size), (id) => {
      if (id % 20 === 10) rows.ids = rows.ids.filter((one) => !(gone.has(one) && one < id + 40));
    });
    expect(new Set(told).size).toBe(told.length);
    expect(upTo(200).filter((id) => !gone.has(id) && !told.includes(id))).toEqual([]);
  });

  test('new ones come first: none is told twice', async () => {
    const rows = await listed(upTo(60));
    let next = 1_000;
    const told = await walk(rows.client.posts.list(size), (id) => {
      if (id % 7 === 0) rows.ids = [(next += 1), ...rows.ids];
    });
    expect(told).toEqual(upTo(60));
  });

  test.each<[string, (rows: Rows) => AsyncIterable<{ slug?: string }>]>([
    ['of the site', ({ client }) => client.posts.list({ ...size, _fields: ['slug'] })],
    ['of the calendar', ({ client }) => client.calendar.events.list({ ...size, _fields: ['slug'] })],
  ])(
    'rows go that are told without their ids: none of the others is told twice (%s)',
    async (_name, list) => {
      const rows = await listed(upTo(30));
      const told: (string | undefined)[] = [];
      for await (const { slug } of list(rows))
        if (told.push(slug) === 15) rows.ids = rows.ids.filter((id) => id > 2);
      expect([...told].sort()).toEqual(
        upTo(30)
          .map((id) => `s-${id}`)
          .sort(),
      );
    },
  );

  test('what is told apart by another name is not told twice, either', async () => {
    const names = upTo(9).map((id) => `imp_${id}`);
    const site = await startScripted(({ path }) => {
      const { searchParams } = new URL(path, 'http://site.test');
      const [page, count] = ['page', 'per_page'].map((name) => Number(searchParams.get(name))) as [
        number,
        number,
      ];
      const items = names.slice((page - 1) * count, page * count);
      return {
        headers: {
          'X-Total': String(names.length),
          'X-Total-Pages': String(Math.ceil(names.length / count)),
        },
        body: items.map((name) => ({ import_id: name })),
      };
    });
    running.push(site);
    const before = [...names];
    const told: unknown[] = [];
    for await (const one of createClient({ url: site.url }).console.imports.list({ per_page: 3 }))
      if (told.push(one.import_id) % 3 === 1) names.unshift(`imp_new_${told.length}`);
    expect(told).toEqual(before);
    const fields = { per_page: 3, _fields: ['state'] as const };
    await createClient({ url: site.url }).console.imports.list(fields)[Symbol.asyncIterator]().next();
    expect(site.asked.at(-1)?.path).toContain('_fields=state,import_id&');
  });

  test('almost everything goes at once, before the place and after it', async () => {
    const rows = await listed(upTo(600));
    const kept = upTo(600).filter((id) => id > 400);
    const told = await walk(rows.client.posts.list(size), (id) => {
      if (id === 500) rows.ids = rows.ids.filter((one) => one > 400);
    });
    expect(new Set(told).size).toBe(told.length);
    expect(kept.filter((id) => !told.includes(id))).toEqual([]);
    const empty = await listed(upTo(100));
    expect(
      await walk(empty.client.posts.list(size), (id) => {
        if (id === 50) empty.ids = [];
      }),
    ).toEqual(upTo(50));
  });

  test('rows that come and go without end keep nobody for ever', async () => {
    const rows = await listed(upTo(40));
    // Each page that is asked for has one row less than the one before, after having had one more.
    const answered = rows.site.asked;
    const told = await walk(rows.client.posts.list(size), () => {
      rows.ids = answered.length % 2 === 0 ? upTo(40) : upTo(39);
    });
    expect(told.length).toBeLessThanOrEqual(40);
    expect(answered.length).toBeLessThan(40);
  });

  test('another error is an error', async () => {
    const site = await startScripted(({ path }) =>
      path.endsWith('page=2')
        ? refusal(400)
        : { headers: { 'X-Total': '20', 'X-Total-Pages': '2' }, body: [{ id: 1 }] },
    );
    running.push(site);
    const list = createClient({ url: site.url }).posts.list(size);
    await expect(walk(list)).rejects.toMatchObject({ code: 'code_400' });
  });
});
