/**
 * Searches of every kind are bounded: all lists that take `search`, each with more rows than a search counts, small and as
 * if it were large. Which rows, the folder of the resource says.
 */
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Resource } from '@sevenfold/chassis/http/route';
import { type Searched, believed } from '@sevenfold/chassis/testing/searched';
import { calendarService } from '@sevenfold/calendar/service';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { contentService } from '@sevenfold/content/service';

const load = createRequire(__filename);

let calendar: CalendarSite;
beforeAll(async () => {
  calendar = await startCalendar();
});
afterAll(() => calendar?.stop());

// One more than a search counts.
const MANY = 10_001;

/** Terms of the content service, searched by its list of terms. */
const elsewhere = ['content calendar_events_cat', 'calendar categories', 'calendar tags'];

interface Kind extends Searched {
  readonly service: string;
  /** Of its list. */
  readonly name: string;
}

/** What the folders of resources bring. */
function kindsOf(service: string): Kind[] {
  const src = path.resolve(__dirname, '../../../services', service, 'src');
  return readdirSync(src)
    .map((folder) => path.join(src, folder, 'testing/searched.ts'))
    .filter(existsSync)
    .flatMap((file) => {
      const { searched } = load(file) as { searched: Record<string, Searched> };
      return Object.entries(searched).map(([name, rows]) => ({ ...rows, name, service }));
    });
}
const kinds = ['content', 'calendar'].flatMap(kindsOf);

const withSearch = [contentService, calendarService].flatMap(({ name: service, resources }) =>
  (resources as readonly Resource<never>[]).flatMap(({ name, routes }) =>
    routes.some(({ methods, args }) => methods.includes('GET') && 'search' in args)
      ? [`${service} ${name}`]
      : [],
  ),
);

test('every list that takes a search brings rows', () => {
  expect(withSearch.sort()).toEqual(
    [...kinds.map(({ name, service }) => `${service} ${name}`), ...elsewhere].sort(),
  );
});

describe.each(kinds)('$name', ({ name, service, table, insert, query = '' }) => {
  const site = () => (service === 'content' ? calendar.content : calendar);
  const { namespace } = service === 'content' ? contentService : calendarService;
  const base = () => `${site().url}/rest/${namespace}`;
  const get = (search: string) => site().by('anonymous').get(`/${name}?search=${search}${query}`);
  const totals = ({ status, headers }: { status: number; headers: Headers }) => [
    status === 200 ? headers.get('x-total') : status,
    headers.get('x-total-relation'),
  ];
  const idsOf = ({ body }: { body: Record<string, { id: number }[]> | { id: number }[] }) =>
    (Array.isArray(body) ? body : (body[name] ?? [])).map(({ id }) => id);

  beforeAll(async () => {
    const { db } = site().deps;
    await db.run(insert, [1, MANY, 'common']);
    await db.run(insert, [MANY + 1, MANY + 1, 'xylophone']);
    await db.run(`analyze ${table}`);
  });

  test('a total is exact up to 10,000 rows and says when there are more; pages end there', async () => {
    expect(totals(await get('xylophone'))).toEqual(['1', null]);
    expect(totals(await get('needle'))).toEqual(['10000', 'gte']);
    expect(idsOf(await get('needle&page=1000'))).toHaveLength(10);
    expect(await get('needle&page=1001')).toMatchObject({
      status: 400,
      body: { code: 'rest_search_window' },
    });
  });

  test.each(['ab cd ', 'abc def ', '<a '])(
    'what is far longer than anybody types is answered: %j',
    async (words) => {
      const status = await askWithBody(base(), `/${name}`, { search: words.repeat(60_000) });
      // Posts refuse what is longer than a search may be.
      expect([200, 400]).toContain(status);
    },
  );

  test('of a large table the first pages are those of a small one', async () => {
    const pages = ['needle', 'needle&page=2', 'xylophone', 'e'].map((search) => `${search}&per_page=10`);
    const ask = async () => {
      const answers = [];
      for (const page of pages) answers.push(idsOf(await get(page)));
      return answers;
    };
    const small = await ask();
    // As few as make it large, and so many more than there are that a sample finds next to nothing.
    for (const count of [50_000, 1_000_000]) {
      await believed(site().deps.db, table, count);
      forget();
      expect(await ask()).toEqual(small);
    }
    await believed(site().deps.db, table, 50_000);
    forget();
    expect(small.map((ids) => ids.length).slice(0, 3)).toEqual([10, 10, 1]);
    // How many it says is for the sample to tell; that there are more is sure.
    expect(totals(await get('needle'))[1]).toBe('gte');
    await site().deps.db.run(`analyze ${table}`);
  });
});

/** As it comes from a POST that stands for a GET: addresses have no room for so much. */
const askWithBody = (base: string, place: string, body: object): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    const sent = request(base + place, { method: 'GET', headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject).end(text);
  });

/** What is remembered of lists is forgotten when their rows change. */
function forget(): void {
  calendar.deps.memory.forget('events');
  calendar.content.deps.memory.forget('posts');
}
