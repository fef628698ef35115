/** The exchanges of the calendar and of import services, which bring events into it. */
import { type Step, get, madeAndDeleted, post } from './step';

const CALENDAR = '/calendar/events/v1';
const IMPORT = '/calendar/event-aggregator/v1/import/harbour';

/** What has the same routes by its number and by its name. */
const items = (
  many: string,
  kept: string,
  name: string,
  made: Readonly<Record<string, unknown>>,
  changed: Readonly<Record<string, unknown>>,
  list = 'per_page=1',
): readonly Step[] => [
  post(`${CALENDAR}/${many}`, made, { keep: { [kept]: 'id', slug: 'slug' } }),
  get(`${CALENDAR}/${many}?${list}`),
  get(`${CALENDAR}/${many}/{${kept}}`),
  post(`${CALENDAR}/${many}/{${kept}}`, changed),
  get(`${CALENDAR}/${many}/by-slug/{slug}`),
  post(`${CALENDAR}/${many}/by-slug/{slug}`, changed),
  // By another name: what is there already would not be made twice.
  ...madeAndDeleted(`${CALENDAR}/${many}`, { ...made, [name]: 'A mistake' }, (one) => `/${one}`),
  ...madeAndDeleted(
    `${CALENDAR}/${many}`,
    { ...made, [name]: 'Another mistake' },
    (one) => `/by-slug/${one}`,
    'slug',
  ),
];

const terms = (path: string, kept: string, name: string): readonly Step[] => [
  post(`${CALENDAR}/${path}`, { name }, { keep: { [kept]: 'id' } }),
  get(`${CALENDAR}/${path}?per_page=1&hide_empty=false&search=${name}`),
  get(`${CALENDAR}/${path}/{${kept}}`),
  post(`${CALENDAR}/${path}/{${kept}}`, { description: 'Under the open sky.' }),
  ...madeAndDeleted(`${CALENDAR}/${path}`, { name: 'Misspelt here' }, (one) => `/${one}`),
];

const imports: readonly Step[] = [
  post(
    `${IMPORT}/batch`,
    {
      batch_hash: '5f4dcc3b5aa765d61d8327deb882cf99',
      status: { data: { total: 2, done: 0 }, batch: { total: 2, done: 0 } },
      percentage_complete: 50,
      interval: 60,
      events: [
        {
          title: 'Boat race',
          start_date: '2027-06-12 11:00:00',
          end_date: '2027-06-12 13:00:00',
          timezone: 'Europe/Berlin',
          uid: 'race-2027@boats.example.org',
        },
      ],
    },
    { keep: { next: 'next_batch_hash' } },
  ),
  {
    ...post(`${IMPORT}/state`, {
      batch_hash: '{next}',
      status: 'pending',
      message: 'The second half follows.',
      message_slug: 'half-done',
      percentage_complete: 50,
    }),
    as: 'visitor',
  },
];

export const calendar: readonly Step[] = [
  get(`${CALENDAR}/doc?_fields=swagger,info,host,basePath,schemes`),
  ...terms('categories', 'markets', 'Markets'),
  ...terms('tags', 'outdoors', 'Outdoors'),
  ...items(
    'venues',
    'venue',
    'venue',
    {
      venue: 'Harbour Stage',
      address: 'Am Kai 1',
      city: 'Hamburg',
      zip: '20457',
      country: 'Germany',
      website: 'https://stage.example.org/',
    },
    { phone: '+49 40 123456' },
  ),
  ...items(
    'organizers',
    'organizer',
    'organizer',
    { organizer: 'Harbour Music Society', email: 'music@example.org', website: 'https://music.example.org/' },
    { phone: '+49 40 654321' },
  ),
  ...items(
    'events',
    'event',
    'title',
    {
      title: 'Harbour festival',
      description: '<p>Three days of music by the water.</p>',
      start_date: '2027-05-14 18:00:00',
      end_date: '2027-05-16 22:00:00',
      timezone: 'Europe/Berlin',
      cost: '12',
      categories: ['{markets}'],
      tags: ['{outdoors}'],
      venue: '{venue}',
      organizer: ['{organizer}'],
      image: '{picture}',
    },
    { cost: '14' },
    'per_page=1&start_date=2027-05-01&end_date=2027-05-31',
  ),
  get(`${CALENDAR}/texts?type=event&include={event}`),
  ...imports,
];
