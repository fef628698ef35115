/** Moving sites in, as a process, beside a real content service and a real calendar. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { exportOf, file, item } from '@sevenfold/content/site-import/testing/export';
import { moveIn } from './testing/move-in';

let site: CalendarSite;
let folder: string;
beforeAll(async () => {
  site = await startCalendar();
  folder = await mkdtemp(path.join(tmpdir(), 'move-in-'));
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true });
});

const run = async (text: string, ...args: readonly string[]) => {
  const name = path.join(folder, 'export.xml');
  await writeFile(name, text);
  const ended = await moveIn(site, name, '--json', ...args);
  return { ...ended, summary: JSON.parse(ended.stdout) };
};
const content = (place: string) => site.content.by('administrator').get(place);
const calendar = (place: string) => site.by('administrator').get(place);

test('events, venues and organizers move in with all that the export says of them, and keep their numbers', async () => {
  const { code, summary, stderr } = await run(
    exportOf({
      items: [
        item({
          id: 9_007,
          type: 'tribe_events',
          title: 'Concert',
          content: 'All evening.',
          meta: {
            _EventStartDate: '2031-05-06 19:30:00',
            _EventEndDate: '2031-05-06 22:00:00',
            _EventTimezone: 'Europe/Berlin',
            _EventVenueID: '9008',
            _EventOrganizerID: ['9010', '9009'],
            _EventCost: '12',
            _EventCurrencySymbol: '€',
            _EventCurrencyPosition: 'suffix',
            _EventURL: 'https://concert.example/',
            _EventShowMap: '1',
            _tribe_featured: '1',
            _thumbnail_id: '9012',
          },
          extra:
            '<category domain="tribe_events_cat" nicename="music">Music</category><category domain="post_tag" nicename="loud">loud</category>',
        }),
        item({
          id: 9_008,
          type: 'tribe_venue',
          title: 'Hall',
          meta: {
            _VenueAddress: 'Square 1',
            _VenueCity: 'Bern',
            _VenueZip: '3000',
            _VenuePhone: '12',
            _VenueURL: 'https://hall.example/',
          },
        }),
        item({
          id: 9_009,
          type: 'tribe_organizer',
          title: 'Choir',
          meta: { _OrganizerEmail: 'choir@old.example' },
        }),
        item({ id: 9_010, type: 'tribe_organizer', title: 'Band', meta: { _OrganizerPhone: '34' } }),
        item({ id: 9_011, type: 'tribe_events', title: 'Some day' }),
        file(9_012, 'https://files.old.example/2015/03/concert.jpg'),
        item({ id: 9_014, type: 'post' }),
      ],
    }),
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(summary.created).toMatchObject({ event: 1, venue: 1, organizer: 2, attachment: 1, post: 1 });
  expect(summary.skipped).toMatchObject([
    { kind: 'event', count: 1, reason: 'It has no start date.', examples: [{ title: 'Some day' }] },
  ]);
  expect((await calendar('/events/9007')).body).toMatchObject({
    id: 9_007,
    title: 'Concert',
    description: '<p>All evening.</p>',
    slug: 'slug-9007',
    status: 'publish',
    date: '2015-03-04 05:06:07',
    start_date: '2031-05-06 19:30:00',
    end_date: '2031-05-06 22:00:00',
    timezone: 'Europe/Berlin',
    cost: '12€',
    website: 'https://concert.example/',
    show_map: true,
    featured: true,
    categories: [{ slug: 'music' }],
    tags: [{ slug: 'loud' }],
    image: { id: 9_012, url: 'https://files.old.example/2015/03/concert.jpg' },
    venue: {
      id: 9_008,
      venue: 'Hall',
      address: 'Square 1',
      city: 'Bern',
      zip: '3000',
      phone: '12',
      website: 'https://hall.example/',
    },
    organizer: [
      { id: 9_010, organizer: 'Band', phone: '34' },
      { id: 9_009, organizer: 'Choir' },
    ],
  });
  expect((await content('/posts/9014')).status).toBe(200);
});
