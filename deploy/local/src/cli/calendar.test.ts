/** The commands about the calendar, as a process, on the database of one. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { makeVenue } from '@sevenfold/calendar/testing/factories';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site?.stop());

const cli = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const { SITE_URL, DATABASE_URL } = site.deps.config;
    execFile(
      process.execPath,
      [path.resolve(__dirname, '../../dist/cli/main.js'), 'calendar', ...args],
      {
        env: { PATH: process.env.PATH, DATA_DIR: '/nowhere', SITE_URL, CALENDAR_DATABASE_URL: DATABASE_URL },
      },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });

test('recount puts right what lists count and pass by, and tells how much was wrong', async () => {
  const { db } = site.deps;
  const total = async () => Number((await site.by('anonymous').get('/venues')).headers.get('x-total'));
  await makeVenue(db);
  await db.run('truncate events, venues, organizers, listing_notes');
  await db.run(`update listed_counts set n = n + 3 where kind = 'venues'`);
  expect(await total()).toBe(3);
  const { code, output } = await cli('recount');
  expect([code, JSON.parse(output)]).toEqual([
    0,
    { links: 0, venues: 0, organizers: 0, days: 0, counts: 1, places: 0, maps: 0 },
  ]);
  expect(await total()).toBe(0);
});
