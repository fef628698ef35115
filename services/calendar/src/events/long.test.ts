/** Long texts: pages of them are made while they are sent, and say the same as they would at once. */
import { type FeedServiceServer, FeedServiceService } from '@sevenfold/proto/gen/sevenfold/calendar/v1/feeds';
import { findPublished } from '../feeds/store';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

const LONG = 100_000;
const WINDOW = 'start_date=2031-03-01&end_date=2031-03-31';
const long = (name: string): string => `<p>${name} ${'é'.repeat(LONG / 2)}</p>\n`;

type Thing = Record<string, unknown>;
const read = async (path: string, role: 'anonymous' | 'editor' = 'anonymous'): Promise<Thing> => {
  const { status, body } = await site.by(role).get(path);
  expect(status).toBe(200);
  return body as Thing;
};
/** As it is shown by itself, without what only that shows. */
const alone = async (path: string, role?: 'editor'): Promise<Thing> =>
  JSON.parse(
    JSON.stringify(await read(path, role), (name, value: unknown) =>
      name === 'json_ld' ? undefined : value,
    ),
  ) as Thing;
const isInPieces = async (path: string): Promise<boolean> =>
  (await site.by('anonymous').get(path)).headers.get('content-length') === null;

describe('events', () => {
  const ids: number[] = [];
  const at = (day: number) => ({ start_local: `2031-03-${String(day).padStart(2, '0')} 10:00:00` });
  beforeAll(async () => {
    const { db } = site.deps;
    const venue = await makeVenue(db, { description_html: long('Hall') });
    const organizer = await makeOrganizer(db, { description_html: long('Ann') });
    ids.push((await makeEvent(db, at(1))).id);
    ids.push((await makeEvent(db, { ...at(2), description_html: long('Own') })).id);
    // What it is linked to makes it long.
    ids.push((await makeEvent(db, { ...at(3), venue_id: venue.id })).id);
    ids.push((await makeEvent(db, { ...at(4), organizer_ids: [organizer.id] })).id);
    ids.push((await makeEvent(db, at(5))).id);
    ids.push((await makeEvent(db, { ...at(6), status: 'draft', description_html: long('Draft') })).id);
    site.deps.memory.forget('events');
  });

  test.each([
    ['anonymous', undefined, 5],
    ['editor', 'editor', 6],
  ] as const)('a page for %s', async (_, role, count) => {
    const statuses = role ? '&status=publish,draft' : '';
    const { events, ...about } = await read(`/events?${WINDOW}${statuses}`, role);
    const shown = events as Thing[];
    expect(shown.map(({ id }) => id)).toEqual(ids.slice(0, count));
    for (const event of shown) expect(event).toEqual(await alone(`/events/${event.id as number}`, role));
    expect(about).toMatchObject({
      total: count,
      total_pages: 1,
      rest_url: expect.stringContaining('/events/') as string,
    });
  });

  test('is sent in pieces, and one of short ones is not', async () => {
    expect(await isInPieces(`/events?${WINDOW}`)).toBe(true);
    expect(await isInPieces('/events?start_date=2031-03-05&end_date=2031-03-05')).toBe(false);
  });

  test('fields and readable text are as of any other page', async () => {
    expect(await read(`/events?${WINDOW}&_fields=events.id,total`)).toEqual({
      events: ids.slice(0, 5).map((id) => ({ id })),
      total: 5,
    });
    expect(await read(`/events?${WINDOW}&_fields=total`)).toEqual({ total: 5 });
    expect(Object.keys(await read(`/events?${WINDOW}&_fields=events.slug`))).toEqual(['events']);
    const { text, body } = await site.by('anonymous').get(`/events?${WINDOW}&_pretty`);
    expect(text).toBe(JSON.stringify(body, null, 4));
    expect((body as { events: unknown[] }).events).toHaveLength(5);
  });

  test('a feed reads the beginning of each', async () => {
    const rows = await findPublished(site.deps.db, ids, 1_000);
    expect(rows.map(({ id, descriptionHtml }) => [id, descriptionHtml.length <= 1_000])).toEqual(
      ids.slice(0, 5).map((id) => [id, true]),
    );
  });
});

describe.each([
  ['venues', makeVenue],
  ['organizers', makeOrganizer],
] as const)('%s', (many, make) => {
  test('a page of long ones', async () => {
    const { db } = site.deps;
    const first = await make(db, { date_utc: '2032-01-01Z' });
    const second = await make(db, { date_utc: '2032-01-02Z', description_html: long('Second') });
    const { total, ...page } = await read(`/${many}?per_page=2`);
    expect((page[many] as Thing[]).map(({ id }) => id)).toEqual([second.id, first.id]);
    for (const thing of page[many] as Thing[])
      expect(thing).toEqual(await alone(`/${many}/${thing.id as number}`));
    expect(total).toBeGreaterThan(1);
    expect([await isInPieces(`/${many}?per_page=2`), await isInPieces(`/${many}?per_page=1&page=2`)]).toEqual(
      [true, false],
    );
  });
});

test('long titles and names make a page long', async () => {
  const at = { start_local: '2032-03-01 10:00:00' };
  await makeEvent(site.deps.db, { ...at, title_html: 'é'.repeat(50_000) });
  const venue = await makeVenue(site.deps.db, { address: 'é'.repeat(50_000) });
  await makeEvent(site.deps.db, { start_local: '2032-03-02 10:00:00', venue_id: venue.id });
  for (const day of ['2032-03-01', '2032-03-02'])
    expect(
      (await site.by('anonymous').get(`/events?start_date=${day}&end_date=${day}`)).headers.get(
        'content-length',
      ),
    ).toBe(null);
});

test('a file of events with long titles is a file', async () => {
  const { db } = site.deps;
  for (let n = 0; n < 18; n++)
    await makeEvent(db, { start_local: '2034-05-01 10:00:00', title_html: 'x'.repeat(1_000_000) });
  site.deps.memory.forget('events');
  const feeds = site.dial<FeedServiceServer>(FeedServiceService, 'gateway');
  const { body } = await feeds.getCalendar(
    { query: 'start_date=2034-05-01&end_date=2034-05-01', address: 'http://site.test/calendar.ics' },
    { deadlineMs: 60_000 },
  );
  expect(String(body).match(/BEGIN:VEVENT/g)).toHaveLength(18);
  expect(body.length).toBeLessThan(1_000_000);
  feeds.close();
});
