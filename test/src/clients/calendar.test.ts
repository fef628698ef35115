/** Events, venues, organizers and their terms. */
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { type Row, type Shown, bodyOf, refusal, table } from './table';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

type Body = Record<string, unknown>;
const DAY = { start_date: '2031-05-01 10:00:00', end_date: '2031-05-01 11:00:00' };
const post = (path: string, body: Body) => site.by('editor').post(path, body);
const create = async (path: string, body: Body): Promise<Shown> => bodyOf(await post(path, body));
const event = (body: Body = {}): Promise<Shown> => create('/events', { title: 'Ev', ...DAY, ...body });
const faulty = async (path: string, body: Body): Promise<unknown> => {
  const answer = await post(path, body);
  return [refusal(answer), Object.keys(answer.body.data.params)];
};
const found = async (search: string): Promise<string[]> => {
  const query = `search=${encodeURIComponent(search)}&start_date=2031-01-01&end_date=2031-12-31`;
  const { events } = bodyOf(await site.by('anonymous').get(`/events?${query}`));
  return events.map(({ title }: { title: string }) => title).sort();
};

const events: readonly Row<CalendarSite>[] = [
  [
    'modified of an event with an explicit date is that date',
    async () => (await event({ date: '2021-02-03 04:05:06' })).modified,
    '2021-02-03 04:05:06',
  ],
  [
    'an event created as trash gets its slug',
    async () => (await event({ title: 'Thrown away', status: 'trash' })).slug,
    'thrown-away',
  ],
  [
    'website "" on create answers the permalink',
    async () => {
      const { website, url } = await event({ website: '' });
      return website === url;
    },
    true,
  ],
  ['cost free stays free', async () => (await event({ cost: 'free' })).cost, 'free'],
  [
    'categories= empty in the list is 400',
    async () => {
      const answer = await site.by('anonymous').get('/events?categories=');
      return [refusal(answer), Object.keys(answer.body.data.params)];
    },
    ['400 rest_invalid_param', ['categories']],
  ],
  [
    'an event has a slug from its creation on, in every status, found by slug',
    async () => {
      const all: unknown[] = [];
      for (const status of ['draft', 'pending', 'private', 'future', 'publish']) {
        const { slug, id } = await event({
          title: `As ${status}`,
          status,
          date: status === 'future' ? '2099-01-01' : undefined,
        });
        const { body } = await site.by('editor').get(`/events/by-slug/${slug}`);
        all.push([slug, body.id === id]);
      }
      return all;
    },
    [
      ['as-draft', true],
      ['as-pending', true],
      ['as-private', true],
      ['as-future', true],
      ['as-publish', true],
    ],
  ],
];

const linked = (many: 'venues' | 'organizers', one: string): Row<CalendarSite>[] => [
  [
    `${many} have a slug in every status, unique and found by slug`,
    async () => {
      const all: unknown[] = [];
      for (const status of ['draft', 'pending', 'private', 'publish', 'trash']) {
        const { slug, id } = await create(`/${many}`, { [one]: `A ${status} ${one}`, status });
        const { body } = await site.by('editor').get(`/${many}/by-slug/${slug}`);
        all.push([slug, body.id === id]);
      }
      return all;
    },
    ['draft', 'pending', 'private', 'publish', 'trash'].map((status) => [`a-${status}-${one}`, true]),
  ],
];

const region = (body: Body) => async (): Promise<unknown> =>
  (await create('/venues', { venue: `Place ${JSON.stringify(body)}`, ...body })).stateprovince;

const venues: readonly Row<CalendarSite>[] = [
  ...linked('venues', 'venue'),
  ...linked('organizers', 'organizer'),
  [
    'stateprovince is state for the United States',
    region({ country: 'United States', state: 'NY', province: 'X' }),
    'NY',
  ],
  ['absent when that is empty', region({ country: 'United States', province: 'X' }), undefined],
  ['province elsewhere', region({ country: 'France', state: 'NY', province: 'Rhone' }), 'Rhone'],
  ['absent when that is empty, elsewhere', region({ country: 'France', state: 'NY' }), undefined],
];

const searches: readonly Row<CalendarSite>[] = [
  [
    'event search: every word, quoted phrases, minus excludes',
    async () => {
      await event({ title: 'Copper orchard walk' });
      await event({ title: 'Orchard copper talk' });
      return [
        await found('copper orchard'),
        await found('"copper orchard"'),
        await found('copper -talk'),
        await found('copper missing'),
      ];
    },
    [['Copper orchard walk', 'Orchard copper talk'], ['Copper orchard walk'], ['Copper orchard walk'], []],
  ],
  [
    'stop words are dropped unless nothing else is left; commas and plus signs are spaces',
    async () => {
      await event({ title: 'Marble harbour' });
      await event({ title: 'What about this' });
      return [await found('the marble'), await found('marble,harbour+the'), await found('about')];
    },
    [['Marble harbour'], ['Marble harbour'], ['What about this']],
  ],
];

const seconds = Date.UTC(2031, 6, 1, 16) / 1000;
const when = ({ start_date, utc_start_date }: Shown): unknown => [start_date, utc_start_date];

const instants: readonly Row<CalendarSite>[] = [
  [
    'Unix seconds name an instant; the clocks follow from it and the zone',
    async () => when(await event({ start_date: String(seconds), end_date: String(seconds + 3_600) })),
    ['2031-07-01 12:00:00', '2031-07-01 16:00:00'],
  ],
  [
    'in the zone of the event',
    async () =>
      when(await event({ start_date: String(seconds), end_date: String(seconds), timezone: 'Europe/Paris' })),
    ['2031-07-01 18:00:00', '2031-07-01 16:00:00'],
  ],
  [
    'a date with an offset names an instant',
    async () =>
      when(await event({ start_date: '2031-07-01T18:00:00+02:00', end_date: '2031-07-01T19:00:00+02:00' })),
    ['2031-07-01 12:00:00', '2031-07-01 16:00:00'],
  ],
  [
    'also as the date of publication',
    async () => {
      const { date, date_utc } = await event({ date: '2021-07-01T18:00:00+02:00' });
      return [date, date_utc];
    },
    ['2021-07-01 12:00:00', '2021-07-01 16:00:00'],
  ],
];

const terms: readonly Row<CalendarSite>[] = [
  ...['categories', 'tags'].flatMap((many): Row<CalendarSite>[] => [
    [
      `an empty name of ${many} is 400 rest_invalid_param naming name`,
      () => faulty(`/${many}`, { name: '' }),
      ['400 rest_invalid_param', ['name']],
    ],
    [
      `on update of ${many}, too`,
      async () => {
        const { id } = await create(`/${many}`, { name: `Named ${many}` });
        return faulty(`/${many}/${id}`, { name: ' ' });
      },
      ['400 rest_invalid_param', ['name']],
    ],
  ]),
  [
    'an unknown parent is 400 rest_invalid_param',
    () => faulty('/categories', { name: 'Below nothing', parent: 999_999 }),
    ['400 rest_invalid_param', ['parent']],
  ],
  [
    'up of a term is embeddable',
    async () => {
      const { id: parent } = await create('/categories', { name: 'Over' });
      const { _links } = await create('/categories', { name: 'Under', parent });
      return _links.up[0].embeddable;
    },
    true,
  ],
];

describe('events', () => table(() => site, events));
describe('venues and organizers', () => table(() => site, venues));
describe('searches', () => table(() => site, searches));
describe('instants', () => table(() => site, instants));
describe('terms', () => table(() => site, terms));
