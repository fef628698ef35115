/** Tables that people export and write, as events to be pushed. */
import type { Found, Wanted } from './found';
import { readTable } from './table';

const now = new Date('2026-11-22T12:00:00Z');
const read = (text: string, more: Partial<Wanted> = {}): Found => readTable(text, { now, ...more });

test('columns of the interface and of what calendars export; quotes, a mark at the beginning, any end of line', () => {
  const rows = [
    '\ufeffEvent Name,Event Description,Event Start Date,Event Start Time,Event End Date,Event End Time,All Day Event,Event Venue Name,Venue City,Event Organizer Name(s),Event Category,Event Cost,Event Website,Unknown',
    '"One, ""two""","Line',
    'two; <b>bold</b>",2027-05-01,10:00 AM,2027-05-01,11:30,,"Hall, old",Lisbon,"Ann, Ben","Music, Art",12,https://example.org,x',
    '',
    'Days,,2027-06-01,,2027-06-03,,TRUE,,,,,,,',
  ];
  for (const end of ['\r\n', '\n']) {
    const { events, faults } = read(rows.join(end), { timezone: 'Europe/Lisbon' });
    expect(faults).toEqual([]);
    const [uid, other] = events.map((one) => one.uid);
    expect(events).toEqual([
      {
        uid,
        global_id: uid,
        title: 'One, "two"',
        description: `Line${end}two; <b>bold</b>`,
        all_day: false,
        start_date: '2027-05-01 10:00:00',
        end_date: '2027-05-01 11:30:00',
        timezone: 'Europe/Lisbon',
        venue: { venue: 'Hall, old', city: 'Lisbon' },
        organizer: [{ organizer: 'Ann' }, { organizer: 'Ben' }],
        categories: 'Music, Art',
        cost: '12',
        url: 'https://example.org',
      },
      {
        uid: other,
        global_id: other,
        title: 'Days',
        all_day: true,
        start_date: '2027-06-01',
        end_date: '2027-06-03',
        timezone: 'Europe/Lisbon',
      },
    ]);
    // The same each time.
    expect(read(rows.join(end)).events.map((one) => one.uid)).toEqual([uid, other]);
  }
});

test.each([';', '\t', '|'])('columns apart by %j, names of the interface', (separator) => {
  const text = [
    'uid,title,start_date,end_date,timezone',
    'a-1,One,31.12.2027 22:00,2028-01-01 02:00,Asia/Tokyo',
  ]
    .join('\r\n')
    .replaceAll(',', separator);
  expect(read(text).events).toEqual([
    {
      uid: 'a-1',
      global_id: 'a-1',
      title: 'One',
      all_day: false,
      start_date: '2027-12-31 22:00:00',
      end_date: '2028-01-01 02:00:00',
      timezone: 'Asia/Tokyo',
    },
  ]);
});

test('wrong rows are told by their lines, and the others are read', () => {
  const { events, faults, leftOut } = read(
    [
      'uid,title,start_date,start_time,end_time,all_day,timezone,private',
      'a,Good,2027-05-01,10:00,11:00,,,',
      'b,"Two',
      'lines",soon,,,,,',
      ',,2027-05-01,,,,,',
      'd,Hour,2027-05-01,25:00,,,,',
      'e,Before,2027-05-01,10:00,09:00,,,',
      'f,Zone,2027-05-01,10:00,,,Europe/Nowhere,',
      'g,Flag,2027-05-01,10:00,,maybe,,',
      'h,Many,2027-05-01,10:00,,,,,more',
      'a,Again,2027-05-02,10:00,,,,',
      'i,Mine,2027-05-02,10:00,,,,yes',
      'j"k,Quote,2027-05-02,10:00,,,,',
      '',
      'l,Short,2027-05-03',
      'm,"Open,2027-05-03,,,,,',
      'n,Lost,2027-05-03,,,,,',
    ].join('\n'),
  );
  expect(events.map(({ title }) => title)).toEqual(['Good', 'Short']);
  const byLine = [...faults].sort((a, b) => a.line - b.line);
  expect(byLine.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'Its start cannot be read as a date and time.'],
    [5, 'It has no title.'],
    [6, 'Its start cannot be read as a date and time.'],
    [7, 'It ends before it begins.'],
    [8, 'Its time zone is unknown.'],
    [9, 'Its all_day is neither yes nor no.'],
    [10, 'It has more cells than there are columns.'],
    [11, 'It is the same as line 2.'],
    [13, expect.stringContaining('The line cannot be read') as string],
    [16, expect.stringContaining('The line cannot be read') as string],
  ]);
  expect(leftOut).toEqual([{ line: 12, title: 'Mine', reason: 'It is private.' }]);
});

test('only the days that are asked for', () => {
  const text = [
    'title,start_date',
    ...['01', '02', '03', '04'].map((day) => `Day ${day},2027-05-${day}`),
  ].join('\n');
  const titles = (wanted: Partial<Wanted>): unknown[] => read(text, wanted).events.map(({ title }) => title);
  expect(titles({ from: '2027-05-02', to: '2027-05-03' })).toEqual(['Day 02', 'Day 03']);
});

test.each([
  ['', 'it is empty'],
  ['a,b\n1,2', 'none of its columns is called title'],
  ['title\nx', 'none of its columns is called start_date'],
  ['title,Event Name,start_date\nx,y,2027-01-01', 'two of its columns mean title'],
])('%j is no table of events', (text, message) => {
  expect(() => read(text)).toThrow(message);
});

test.each([
  ['words', '"5" pipe'],
  ['a space', '"5" '],
  ['a cell of two lines and words', '"two\nlines" x'],
])('behind a closing quote %s make one row unreadable, and none after it', (_what, cell) => {
  const last = 2 + cell.split('\n').length;
  const { events, faults } = read(
    `title,start_date,description\nA,2027-05-01,${cell}\nB,2027-05-02,x\nC,2027-05-03,"ok, too"\nD,x,y\n`,
  );
  expect(events.map(({ title }) => title)).toEqual(['B', 'C']);
  expect(faults.map(({ line }) => line)).toEqual([2, last + 2]);
});

test('many such rows are told one by one, up to a thousand', () => {
  const rows = (count: number): string =>
    Array.from({ length: count }, (_, n) => `Good ${n},2027-05-02,x\r\nBad,2027-05-01,"5" pipe\r\n`).join('');
  const readMany = (count: number): Found => read(`title,start_date,description\r\n${rows(count)}`);
  const some = readMany(500);
  expect(some.events).toHaveLength(500);
  expect(some.faults.map(({ line }) => line)).toEqual(Array.from({ length: 500 }, (_, n) => 3 + 2 * n));
  const many = readMany(1_500);
  expect(many.events).toHaveLength(1_000);
  expect(many.faults).toHaveLength(1_001);
  expect(many.faults.at(-1)).toMatchObject({ line: 2_002, reason: expect.stringContaining('too many') });
});
