/** What import-site stands on goes away in the middle: it ends with 1 and says so in one line; doing it again completes it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { openRoad } from '@sevenfold/chassis/testing/road';
import { together } from '@sevenfold/chassis/testing/together';
import { until } from '@sevenfold/chassis/testing/until';
import { comment, exportOf, file, item } from '@sevenfold/content/site-import/testing/export';
import { type Ended, moveIn, startMovingIn } from './testing/move-in';

const THINGS = 40;

interface Moving {
  readonly site: CalendarSite;
  /** Of the export. */
  readonly name: string;
}

/** Both wait, for the patience of the command and for a database that is back. */
const scenario = together();

async function moving(work: (moving: Moving) => Promise<void>): Promise<void> {
  const site = await startCalendar();
  const folder = await mkdtemp(path.join(tmpdir(), 'away-'));
  const name = path.join(folder, 'export.xml');
  try {
    await writeFile(name, exportOf({ items: Array.from({ length: THINGS }, (_, n) => thing(n)) }));
    await work({ site, name });
  } finally {
    await site.stop();
    await rm(folder, { recursive: true });
  }
}

const START = { _EventStartDate: '2027-05-01 10:00:00', _EventEndDate: '2027-05-01 11:00:00' };
/** A post with its picture and a remark, and an event at a venue: what they name comes after them. */
function thing(n: number): string {
  const id = 10_000 + n * 10;
  return [
    item({ id, type: 'post', meta: { _thumbnail_id: String(id + 1) }, extra: comment(id, 0) }),
    file(id + 1, `/uploads/${id}.jpg`),
    item({ id: id + 2, type: 'tribe_events', meta: { ...START, _EventVenueID: String(id + 3) } }),
    item({ id: id + 3, type: 'tribe_venue', title: `Hall ${id}` }),
  ].join('');
}

const count = async (db: CalendarSite['deps']['db'], from: string): Promise<number> =>
  (await db.first<{ n: number }>(`select count(*) as n from ${from}`))?.n ?? 0;

/** All that is to be there, by what the databases hold. */
async function standing(site: CalendarSite): Promise<Record<string, number>> {
  const [content, calendar] = [site.content.deps.db, site.deps.db];
  return {
    posts: await count(content, `posts where type = 'post' and featured_media <> 0`),
    files: await count(content, `posts where type = 'attachment'`),
    comments: await count(content, 'comments'),
    waiting: await count(content, 'pending_links'),
    events: await count(calendar, 'events where venue_id <> 0'),
    venues: await count(calendar, 'venues'),
  };
}
const ALL = { posts: THINGS, files: THINGS, comments: THINGS, waiting: 0, events: THINGS, venues: THINGS };

interface Summary {
  readonly created: Record<string, number>;
  readonly known: Record<string, number>;
}

/** That ended with 1, one line and a summary; what was done is in it. `logged`: what the service said of it, before or after. */
async function endedEarly(
  ended: Promise<Ended>,
  line: RegExp,
): Promise<{ first: Summary; logged: readonly string[] }> {
  const { code, stdout, stderr } = await ended;
  const lines = stderr.trim().split('\n');
  const isLogged = (text: string): boolean => text.startsWith('{');
  expect([code, ...lines.filter((text) => !isLogged(text))]).toEqual([1, expect.stringMatching(line)]);
  return { first: JSON.parse(stdout) as Summary, logged: lines.filter(isLogged) };
}

async function completed({ site, name }: Moving, first: Summary): Promise<void> {
  const { code, stdout, stderr } = await moveIn(site, name, '--json');
  expect([code, stderr]).toEqual([0, '']);
  const second = JSON.parse(stdout) as Summary;
  for (const kind of ['post', 'attachment', 'event', 'venue'])
    expect([kind, (second.created[kind] ?? 0) + (second.known[kind] ?? 0)]).toEqual([kind, THINGS]);
  expect(second.known.post ?? 0).toBeGreaterThanOrEqual(first.created.post ?? 0);
  expect(await standing(site)).toEqual(ALL);
}

scenario('the calendar', () =>
  moving(async ({ site, name }) => {
    const road = await openRoad(`http://127.0.0.1:${site.service.grpcPort}`);
    const { ended } = startMovingIn(site, [name, '--json'], { CALENDAR_GRPC: new URL(road.url).host });
    await until(async () => (await count(site.deps.db, 'events')) > 5 || undefined);
    await road.close();
    const { first, logged } = await endedEarly(ended, /^error: The calendar .*goes on from here\.$/);
    expect(logged).toEqual([]);
    expect(first.created.event ?? 0).toBeLessThan(THINGS);
    await completed({ site, name }, first);
  }),
);

scenario('PostgreSQL', () =>
  moving(async ({ site, name }) => {
    const road = await openRoad(site.content.deps.config.DATABASE_URL);
    // The lines of the service, where somebody asks for them, are not among those of the answer.
    const env = { CONTENT_DATABASE_URL: road.url, LOG_LEVEL: 'debug' };
    const { ended } = startMovingIn(site, [name, '--json'], env);
    await until(
      async () => (await count(site.content.deps.db, `posts where type = 'post'`)) > 5 || undefined,
    );
    await road.close();
    const { first, logged } = await endedEarly(ended, /^error: The database .*goes on from here\.$/);
    expect(logged.map((text) => JSON.parse(text) as object)).toContainEqual(
      expect.objectContaining({ role: 'cli' }),
    );
    expect(first.created.post ?? 0).toBeLessThan(THINGS);
    await completed({ site, name }, first);
  }),
);
