/** No input gives a 500: every argument of every route of the calendar, tried with everything. */
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { calendarService } from '@sevenfold/calendar/service';
import type { Resource } from '@sevenfold/chassis/http/route';
import { declareNo500 } from '../support/no-500';

let site: CalendarSite;
const known: Record<string, { id: number; slug: string }> = {};

beforeAll(async () => {
  site = await startCalendar();
  const admin = site.by('administrator');
  const make = async (path: string, body: object): Promise<{ id: number; slug: string }> =>
    (await admin.post(path, body)).body;
  known.venues = await make('/venues', { venue: 'Old harbour' });
  known.organizers = await make('/organizers', { organizer: 'Iris' });
  known.categories = await make('/categories', { name: 'Openings' });
  known.tags = await make('/tags', { name: 'quiet' });
  known.events = await make('/events', {
    title: 'Opening',
    start_date: '2030-01-01 10:00',
    end_date: '2030-01-01 12:00',
    venue: known.venues.id,
  });
});
afterAll(() => site.stop());

declareNo500(calendarService.resources as readonly Resource<never>[], () => ({
  as: (actor) => site.as(actor),
  actor: site.users.administrator,
  existing: (variable, path) => known[path.split('/')[1] ?? '']?.[variable === 'slug' ? 'slug' : 'id'] ?? 1,
}));
