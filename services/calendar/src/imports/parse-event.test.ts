/** What senders write, and what becomes of it. */
import { systemActor } from '@sevenfold/chassis/actor';
import { atOnce } from '@sevenfold/text/steps';
import { LONGEST } from '../events/fields';
import { eventColumns } from './columns';
import { type ParsedEvent, parsingEvent } from './parse-event';
import { readBatch } from './read-batch';

const context = {
  actor: systemActor(['manage_imports']),
  sources: { smilies: true },
  origin: 'ics',
  siteZone: 'America/New_York',
  now: new Date('2026-03-01T12:00:00Z'),
  longest: LONGEST,
};
const base = { title: 'Talk', start_date: '2027-05-01', start_hour: '10', start_minute: '00', uid: 'u1' };
const parse = (raw: unknown, origin = 'ics') => atOnce(parsingEvent(raw, { ...context, origin }));
const event = (raw: unknown, origin?: string): ParsedEvent => {
  const parsed = parse(raw, origin);
  if ('skipped' in parsed) throw new Error(parsed.skipped.reason);
  return parsed.event;
};
const reason = (raw: unknown): string => {
  const parsed = parse(raw);
  return 'skipped' in parsed ? parsed.skipped.reason : 'taken';
};

test.each([
  ['hour and minute', {}, '2027-05-01 10:00:00', '2027-05-01 14:00:00+00'],
  ['numbers', { start_hour: 9, start_minute: 5 }, '2027-05-01 09:05:00', '2027-05-01 13:05:00+00'],
  ['pm', { start_hour: '7', start_meridian: 'pm' }, '2027-05-01 19:00:00', '2027-05-01 23:00:00+00'],
  ['noon', { start_hour: '12', start_meridian: 'p.m.' }, '2027-05-01 12:00:00', '2027-05-01 16:00:00+00'],
  ['midnight', { start_hour: '12', start_meridian: 'AM' }, '2027-05-01 00:00:00', '2027-05-01 04:00:00+00'],
  [
    'a meridian beside 24 hours',
    { start_hour: '19', start_meridian: 'pm' },
    '2027-05-01 19:00:00',
    '2027-05-01 23:00:00+00',
  ],
  [
    'the time in the date',
    { start_date: '2027-05-01 08:30', start_hour: undefined },
    '2027-05-01 08:30:00',
    '2027-05-01 12:30:00+00',
  ],
  [
    'only a date',
    { start_hour: undefined, start_minute: undefined },
    '2027-05-01 00:00:00',
    '2027-05-01 04:00:00+00',
  ],
  ['a date in words', { start_date: 'May 1, 2027' }, '2027-05-01 10:00:00', '2027-05-01 14:00:00+00'],
  ['a named zone', { timezone: 'Europe/Brussels' }, '2027-05-01 10:00:00', '2027-05-01 08:00:00+00'],
  ['an offset', { timezone: 'UTC+5.5' }, '2027-05-01 10:00:00', '2027-05-01 04:30:00+00'],
  [
    'winter',
    { start_date: '2027-01-15', timezone: 'Europe/Brussels' },
    '2027-01-15 10:00:00',
    '2027-01-15 09:00:00+00',
  ],
  [
    'an hour that the clock skips',
    { start_date: '2027-03-14', start_hour: '02', start_minute: 30 },
    '2027-03-14 03:30:00',
    '2027-03-14 07:30:00+00',
  ],
  [
    'an hour that the clock shows for the second time',
    { start_date: '2027-10-31 01:30:00Z', start_hour: undefined, timezone: 'Europe/Brussels' },
    '2027-10-31 02:30:00',
    '2027-10-31 01:30:00+00',
  ],
])('start: %s', (_what, more, local, utc) => {
  expect(event({ ...base, ...more }).columns).toMatchObject({ start_local: local, start_utc: utc });
});

test.each([
  ['given', { end_date: '2027-05-02', end_hour: '12', end_minute: '30' }, '2027-05-02 12:30:00'],
  ['only the hour', { end_hour: '11' }, '2027-05-01 11:00:00'],
  ['absent', {}, '2027-05-01 10:00:00'],
  ['before the start', { end_date: '2027-04-01', end_hour: '12' }, '2027-05-01 10:00:00'],
])('end: %s', (_what, more, local) => {
  expect(event({ ...base, ...more }).columns.end_local).toBe(local);
});

test('end: a moment, when its clock shows what it showed at the start', () => {
  const sent = { start_date: '2027-10-31 02:30:00', start_hour: undefined, timezone: 'Europe/Brussels' };
  expect(event({ ...base, ...sent, end_date: '2027-10-31 01:30:00Z' }).columns).toMatchObject({
    start_local: '2027-10-31 02:30:00',
    start_utc: '2027-10-31 00:30:00+00',
    end_local: '2027-10-31 02:30:00',
    end_utc: '2027-10-31 01:30:00+00',
  });
});

test('all day: the whole of its days', () => {
  expect(event({ ...base, all_day: '1', end_date: '2027-05-03' }).columns).toMatchObject({
    all_day: true,
    start_local: '2027-05-01 00:00:00',
    end_local: '2027-05-03 23:59:59',
  });
});

test.each<[string, unknown, string]>([
  ['text', 'x', 'It is not an object.'],
  ['null', null, 'It is not an object.'],
  ['no title', { ...base, title: undefined }, 'It has no title.'],
  ['a blank title', { ...base, title: '  \n ' }, 'It has no title.'],
  ['a title that is a list', { ...base, title: ['Talk'] }, 'It has no title.'],
  ['no start', { ...base, start_date: undefined }, 'It has no start date.'],
  ['null for a start', { ...base, start_date: null }, 'It has no start date.'],
  [
    'a start that is none',
    { ...base, start_date: 'soonish' },
    'Its start cannot be read as a date and time.',
  ],
  ['30 February', { ...base, start_date: '2027-02-30' }, 'Its start cannot be read as a date and time.'],
  ['hour 24', { ...base, start_hour: '24' }, 'Its start cannot be read as a date and time.'],
  ['minute 60', { ...base, start_minute: '60' }, 'Its start cannot be read as a date and time.'],
  ['an hour that is a word', { ...base, start_hour: 'ten' }, 'Its start cannot be read as a date and time.'],
  ['an odd meridian', { ...base, start_meridian: 'xm' }, 'Its start cannot be read as a date and time.'],
  [
    'an end that is none',
    { ...base, end_date: 'never', end_hour: '1' },
    'Its end cannot be read as a date and time.',
  ],
  ['an unknown zone', { ...base, timezone: 'Mars/Olympus' }, 'Its time zone is unknown: Mars/Olympus.'],
  [
    'an endless uid',
    { ...base, uid: 'u'.repeat(501) },
    'Its uid or global_id is longer than 500 characters.',
  ],
])('skipped: %s', (_what, raw, expected) => {
  expect(reason(raw)).toBe(expected);
});

test('a skipped event is named by its uid and title', () => {
  expect(parse({ title: 'Talk', uid: '<u9@x.org>' })).toEqual({
    skipped: { uid: '<u9@x.org>', title: 'Talk', reason: 'It has no start date.' },
  });
});

test.each([
  ['<ev1@x.org>', '<ev1@x.org>'],
  [' a  <b>\n', 'a  <b>'],
  ['a\u0000\u0007b', 'ab'],
])('%j is known as %j', (sent, id) => {
  const linked = { name: 'Hall', global_id: sent };
  const read = event({
    ...base,
    uid: sent,
    parent_uid: sent,
    global_id: sent,
    global_id_lineage: [sent],
    venue: linked,
    organizer: [linked],
  });
  expect([read.uid, read.globalId, read.venue?.globalId, read.organizers?.[0]?.globalId]).toEqual([
    id,
    id,
    id,
    id,
  ]);
  expect(read.columns).toMatchObject({ parent_uid: id, global_id_lineage: [id] });
});

describe('columns', () => {
  test('texts are made safe and rendered', () => {
    const { columns } = event({
      ...base,
      title: 'A <b>bold</b> "talk"',
      description: '<p>Hi<script>x</script></p>',
      excerpt: 'Short',
    });
    expect(columns.title_raw).toBe('A <b>bold</b> "talk"');
    expect(columns.description_raw).not.toContain('script');
    expect(columns.description_html).toContain('<p>Hi');
    expect(columns.excerpt_html).toContain('Short');
  });

  test('what is not mentioned is not there', () => {
    const { columns, ...rest } = event(base);
    expect(Object.keys(columns).sort()).toEqual(
      [
        'all_day',
        'end_local',
        'end_utc',
        'start_local',
        'start_utc',
        'timezone',
        'title_html',
        'title_raw',
      ].sort(),
    );
    expect(rest).toMatchObject({
      categories: undefined,
      tags: undefined,
      venue: undefined,
      organizers: undefined,
      imageUrl: undefined,
    });
  });

  test.each<[string, object, object]>([
    [
      'url becomes the website',
      { url: 'http://src.example.org/0?a=1&amp;b=2' },
      { website: 'http://src.example.org/0?a=1&b=2' },
    ],
    ['a website that is none is left out', { url: 'javascript:alert(1)' }, { website: undefined }],
    ['an empty one clears', { url: '' }, { website: '' }],
    [
      'flags',
      { sticky: 'yes', featured: 1, show_map: 'false', hide_from_listings: 'maybe' },
      { sticky: true, featured: true, show_map: false, hide_from_listings: undefined },
    ],
    [
      'cost with its currency',
      { cost: '12', currency_symbol: '€', currency_position: 'postfix' },
      { cost: '12', cost_details: { symbol: '€', position: 'postfix', values: ['12'], shown: ['12'] } },
    ],
    ['a cost that is none', { cost: { a: {} } }, { cost: undefined }],
    ['lineage', { global_id_lineage: ['a', 5, null, {}] }, { global_id_lineage: ['a', '5'] }],
    ['odd characters in lineage', { global_id_lineage: ['a\u0000\ud83c'] }, { global_id_lineage: ['a'] }],
  ])('%s', (_what, more, columns) => {
    const found = event({ ...base, ...more }).columns;
    for (const [name, value] of Object.entries(columns)) expect(found[name]).toEqual(value);
  });
});

test.each<[string, unknown, string[] | undefined]>([
  ['absent', undefined, undefined],
  ['null', null, []],
  ['a list', ['One', ' Two ', 'one', ''], ['One', 'Two']],
  ['numbers are names', [2023], ['2023']],
  ['text with commas', 'One, Two', ['One', 'Two']],
  ['commas inside a list stay', ['Rock, Paper'], ['Rock, Paper']],
  ['objects', [{ name: 'One' }, { slug: 'x' }], ['One']],
  ['nonsense', [{}, [], null, true], []],
])('categories: %s', (_what, categories, names) => {
  expect(event({ ...base, categories }).categories).toEqual(names);
});

test.each<[string, unknown, unknown]>([
  ['absent', undefined, undefined],
  ['none', '', null],
  ['an empty list', [], null],
  ['no name', { city: 'Lyon' }, null],
  ['a name', 'Hall', { name: 'Hall', globalId: '', columns: {} }],
  [
    'data',
    {
      venue: ' The  Hall ',
      city: 'Lyon',
      country: 'France',
      province: 'Rhône',
      latitude: '45.7',
      longitude: 4.8,
      zip: 69001,
      website: 'hall.example',
    },
    {
      name: 'The Hall',
      globalId: '',
      columns: {
        city: 'Lyon',
        country: 'France',
        province: 'Rhône',
        stateprovince: 'Rhône',
        geo_lat: 45.7,
        geo_lng: 4.8,
        zip: '69001',
        website: 'http://hall.example',
      },
    },
  ],
  [
    'a list of one',
    [{ venue: 'Hall', latitude: 91, longitude: 1 }],
    { name: 'Hall', globalId: '', columns: {} },
  ],
])('venue: %s', (_what, venue, expected) => {
  expect(event({ ...base, venue }).venue).toEqual(expected);
});

test('organizers: objects, names, each once', () => {
  const organizer = [
    { organizer: 'Ann', email: 'ann@example.org', phone: 5 },
    'Bob',
    { organizer: 'ANN', email: 'no address', phone: 6 },
    { email: 'x@example.org' },
    null,
  ];
  expect(event({ ...base, organizer }).organizers).toEqual([
    { name: 'Ann', globalId: '', columns: { email: 'ann@example.org', phone: '6' } },
    { name: 'Bob', globalId: '', columns: {} },
  ]);
});

test('organizers of one name are those that their source tells apart', () => {
  const organizer = [
    { organizer: 'Ann', global_id: 'g1', phone: 1 },
    { organizer: 'Ann', global_id: 'g2', phone: 2 },
    { organizer: 'Anna', global_id: 'g1', email: 'ann@example.org' },
  ];
  expect(event({ ...base, organizer }).organizers).toEqual([
    { name: 'Ann', globalId: 'g1', columns: { phone: '1', email: 'ann@example.org' } },
    { name: 'Ann', globalId: 'g2', columns: { phone: '2' } },
  ]);
});

describe('a number that JSON has rounded', () => {
  const rounded = JSON.parse('9007199254740993') as number;

  test.each([
    ['uid', {}],
    ['ics_id', { uid: undefined }],
    ['global_id', {}],
  ])('is no %s', (name, more) => {
    const { skipped } = parse({ ...base, ...more, [name]: rounded }) as { skipped: object };
    expect(skipped).toEqual({
      uid: name === 'global_id' ? 'u1' : '',
      title: 'Talk',
      reason: `Its ${name} is a number too large to be exact: send it as text.`,
    });
    expect(reason({ ...base, ...more, [name]: JSON.parse('1e400') as number })).toContain('send it as text');
  });

  test('is nothing else of an event either, whose others are taken', () => {
    for (const one of ['venue', 'organizer'])
      expect(reason({ ...base, [one]: { [one]: 'x', global_id: rounded } })).toBe(
        `The global_id of its ${one} is a number too large to be exact: send it as text.`,
      );
    const others = { parent_uid: rounded, venue: { venue: 'Hall', phone: rounded }, tags: [rounded, 1] };
    const read = event({ ...base, ...others });
    expect([read.columns.parent_uid, read.venue?.columns, read.tags]).toEqual([undefined, {}, ['1']]);
    expect(event({ ...base, uid: Number.MAX_SAFE_INTEGER }).uid).toBe('9007199254740991');
  });
});

describe('so much of an event, before anything of it is cleaned', () => {
  const reasonOf = async (raw: object): Promise<string | undefined> =>
    (await readBatch('b/1', JSON.stringify([raw]), context)).skipped[0]?.reason;

  test('of its title and what it is called, or it is skipped', async () => {
    const tags = '<b>'.repeat(1_000_000);
    expect(await reasonOf({ ...base, title: tags })).toBe('Its title is longer than 5000 characters.');
    for (const name of ['uid', 'global_id'])
      expect(await reasonOf({ ...base, [name]: `${tags}x` })).toBe(
        'Its uid or global_id is longer than 500 characters.',
      );
    expect(await reasonOf({ ...base, title: 'x'.repeat(5_000) })).toBeUndefined();
  });

  test('of what it holds, or it is skipped', async () => {
    const names = Array.from({ length: 20_000 }, (_, n) => `Tag ${n}`);
    expect(await reasonOf({ ...base, tags: names })).toBe('It holds more than 20000 values.');
    const few = event({ ...base, tags: names.slice(0, 15_000), categories: names.join() });
    expect([few.tags?.length, few.categories?.length]).toEqual([100, 100]);
  });

  test('of its texts, the rest is left out', () => {
    const text = 'word '.repeat(400_000);
    const { columns } = event({ ...base, description: text, excerpt: text, parent_uid: text });
    const { description_raw: description, excerpt_raw: excerpt } = columns as Record<string, string>;
    expect([description?.length, excerpt?.length]).toEqual([1024 * 1024, 20_000]);
    // Another site moves in whole.
    const moved = atOnce(parsingEvent({ ...base, description: text }, { ...context, longest: undefined }));
    expect(moved).toMatchObject({ event: { columns: { description_raw: text } } });
  });

  test('who waits gets turns while one long event is read', async () => {
    let turns = 0;
    let isRead = false;
    const turn = (): void => {
      turns += 1;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    const description = '<b>Words</b> &amp; "more"\n\n'.repeat(40_000);
    const organizer = Array.from({ length: 50 }, (_, n) => ({
      organizer: `Ann ${n}`,
      description: '<i>'.repeat(30_000),
    }));
    await readBatch('b/1', JSON.stringify([{ ...base, description, organizer }]), context);
    isRead = true;
    expect(turns).toBeGreaterThan(20);
  });
});

test('who it is: uid, the number of its source, global id, parent', () => {
  expect(event({ ...base, uid: 7 }).uid).toBe('7');
  expect(event({ ...base, uid: undefined, meetup_id: 'm1' }, 'meetup').uid).toBe('m1');
  expect(event({ ...base, uid: undefined, global_id: 'x?id=1', parent_uid: 'p' })).toMatchObject({
    uid: '',
    globalId: 'x?id=1',
    columns: { parent_uid: 'p' },
  });
});

test.each([
  ['an address', 'https://example.org/a.png', 'https://example.org/a.png'],
  ['an object', { url: 'http://example.org/a.png' }, 'http://example.org/a.png'],
  ['odd characters', 'https://example.org/a\u0000\udf89.png', 'https://example.org/a.png'],
  ['another scheme', 'file:///etc/passwd', undefined],
  ['a number', 5, undefined],
])('image: %s', (_what, image, url) => {
  expect(event({ ...base, image }).imageUrl).toBe(url);
});

test('every column that imports write is read from what was sent, but for what is made of names and addresses', () => {
  const names = eventColumns.map(({ name }) => name);
  const sent = Object.fromEntries(names.map((name) => [name, '1']));
  const texts = {
    description: 'All of it.',
    excerpt: 'Some of it.',
    cost: '5',
    website: 'https://talks.example/',
    timezone: 'UTC',
  };
  const lineage = { global_id_lineage: ['a', 'b'] };
  const read = Object.keys(event({ ...sent, ...texts, ...lineage, ...base }).columns);
  const elsewhere = ['venue_id', 'organizer_ids', 'category_ids', 'tag_ids', 'global_id', 'image_source'];
  expect(names.filter((name) => !read.includes(name))).toEqual(elsewhere);
});

test('who waits gets turns while a batch of thousands is read', async () => {
  const description = '<p>Words &amp; <b>more</b> words.</p>\n'.repeat(50);
  const events = Array.from({ length: 3000 }, (_, n) => ({ ...base, uid: `u${n}`, description }));
  let turns = 0;
  let isRead = false;
  const turn = (): void => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  setImmediate(turn);
  const { events: read } = await readBatch('b/1', JSON.stringify(events), context);
  isRead = true;
  expect(read).toHaveLength(3000);
  expect(turns).toBeGreaterThan(1);
});

test('so much of the description of a venue or an organizer', () => {
  const description = 'x'.repeat(100_001);
  const { venue, organizers } = event({
    ...base,
    venue: { venue: 'Hall', description },
    organizer: [{ organizer: 'Ann', description }],
  });
  for (const one of [venue, organizers?.[0]]) expect(one?.columns.description_raw).toHaveLength(100_000);
});
