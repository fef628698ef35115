/**
 * A site moves in while its import is killed again and again, and in the end it is row by row what one undisturbed import makes
 * of it: posts, pages whose parents come later, files fetched from their addresses, threads, terms, events, links in texts.
 * Short by default: three kills; `npm run test:faults` sets FAULTS=long: twenty.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import {
  author,
  category,
  comment,
  exportOf,
  file,
  item,
} from '@sevenfold/content/site-import/testing/export';
import { allRows } from '@sevenfold/local/cli/testing/all-rows';
import { type Ended, startMovingIn } from '@sevenfold/local/cli/testing/move-in';

const long = process.env.FAULTS === 'long';
const KILLS = long ? 20 : 3;
const POSTS = long ? 60 : 20;
const FILES = 6;

let folder: string;
let pictures: Server;
let origin: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'killed-'));
  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer();
  pictures = createServer((_request, response) =>
    response.setHeader('content-type', 'image/jpeg').end(picture),
  );
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
  await writeFile(path.join(folder, 'export.xml'), sample());
});
afterAll(async () => {
  await new Promise((resolve) => pictures.close(resolve));
  await rm(folder, { recursive: true });
});

const carries =
  '<category domain="category" nicename="inner">Inner</category><category domain="post_tag" nicename="quiet">quiet</category>';

/** Everything that an import has to do, in an order that leaves much of it for later. */
function sample(): string {
  const items: string[] = [];
  for (let n = 0; n < POSTS; n++) {
    const id = 5_000 + n * 10;
    items.push(
      item({
        id,
        type: 'post',
        creator: n % 3 === 0 ? 'somebody else' : 'iris',
        // One in four wants a slug that another has.
        slug: n % 4 === 0 ? 'again' : `post-${n}`,
        content: `See ${origin}/page-${(n + 7) % POSTS}/ and <img src="${origin}/uploads/2015/03/p${n % FILES}-300x225.jpg">.`,
        meta: { _thumbnail_id: String(id + 5) },
        link: `${origin}/post-${n}/`,
        extra: carries + comment(id + 1, id) + comment(id, 0),
      }),
      // Below the next one; all of one name, which they may have below different parents.
      item({ id: id + 2, type: 'page', slug: 'team', parent: id + 13, link: `${origin}/page-${n}/` }),
      item({ id: id + 3, type: 'page', slug: `above-${n}` }),
      file(id + 5, `${origin}/uploads/2015/03/p${n % FILES}.jpg${n < FILES ? '' : `?${n}`}`, { parent: id }),
    );
    if (n % 5 !== 0) continue;
    items.push(
      item({
        id: id + 6,
        type: 'tribe_events',
        content: `Way: ${origin}/page-${n}/`,
        extra: '<category domain="tribe_events_cat" nicename="music">Music</category>',
        meta: {
          _EventStartDate: '2031-05-06 19:30:00',
          _EventEndDate: '2031-05-06 22:00:00',
          _EventVenueID: String(id + 7),
          _EventOrganizerID: [String(id + 8), '5008'],
          _thumbnail_id: String(id + 5),
        },
      }),
      item({ id: id + 7, type: 'tribe_venue', meta: { _VenueCity: 'Bern' } }),
      item({ id: id + 8, type: 'tribe_organizer', meta: { _OrganizerPhone: '34' } }),
    );
  }
  return exportOf({
    address: `<link>${origin}</link><wp:base_blog_url>${origin}</wp:base_blog_url>`,
    head: [author, category(901, 'inner', 'outer'), category(902, 'outer')].join(''),
    items,
  });
}

const start = (site: CalendarSite) =>
  startMovingIn(site, [path.join(folder, 'export.xml'), '--fetch-files', '--rewrite-links', '--json'], {
    OUTBOUND_ALLOW_PRIVATE: 'true',
  });

/** Every write tells others of it, in the order in which they happen. */
const steps = async (site: CalendarSite): Promise<number> => {
  const of = async (db: CalendarSite['deps']['db']) =>
    (await db.first<{ n: number }>('select coalesce(max(id), 0) as n from outbox'))?.n ?? 0;
  return (await of(site.content.deps.db)) + (await of(site.deps.db));
};

type Rows = Awaited<ReturnType<typeof allRows>>;

/**
 * A file whose import was killed holds its name until it is swept away, so the next one of the name has another number: neither it
 * nor the order that follows from it counts.
 */
function withoutNumbers(rows: Rows): Rows {
  const text = JSON.stringify(rows).replace(/\bp(\d)(?:-\d+)?(?=\.jpg|-\d+x\d)/g, 'p$1-n');
  const plain = JSON.parse(text) as Rows;
  for (const table of Object.values(plain)) table.sort();
  return plain;
}

test(
  `killed at ${KILLS} random moments and repeated it is what one undisturbed run makes`,
  async () => {
    const [calm, stormy] = [await startCalendar(), await startCalendar()];
    try {
      const whole = await start(calm).ended;
      expect([whole.code, whole.stderr]).toEqual([0, '']);
      const last = await steps(calm);
      const moments = Array.from({ length: KILLS }, () => Math.floor(Math.random() * last)).sort(
        (a, b) => a - b,
      );
      let killed = 0;
      for (const moment of moments) {
        const { child, ended } = start(stormy);
        let isOver = false;
        const over: Promise<Ended> = ended.finally(() => (isOver = true));
        await until(async () => isOver || (await steps(stormy)) > moment);
        child.kill('SIGKILL');
        if ((await over).code === null) killed += 1;
      }
      expect(killed).toBeGreaterThan(0);
      const repeated = await start(stormy).ended;
      expect([repeated.code, repeated.stderr]).toEqual([0, '']);
      const [wanted, got] = [await allRows(calm), await allRows(stormy)].map(withoutNumbers) as [Rows, Rows];
      for (const table of Object.keys(wanted)) expect([table, got[table]]).toEqual([table, wanted[table]]);
      // And there is something to compare.
      expect(wanted.posts).toHaveLength(POSTS * 4);
      expect(wanted['calendar events']).toHaveLength(POSTS / 5);
      // The last page names a parent that never comes.
      expect(wanted.pending_links).toHaveLength(1);
      const summary = JSON.parse(whole.stdout);
      expect(summary.done['files brought']).toBe(POSTS);
      expect(summary.done['links rewritten']).toBeGreaterThan(POSTS);
    } finally {
      await Promise.all([calm.stop(), stormy.stop()]);
    }
  },
  KILLS * 120_000,
);
