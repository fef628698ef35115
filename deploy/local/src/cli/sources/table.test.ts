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

test('whole days of Outlook end with the midnight that it names; a day that is named as the last one counts', () => {
  const { events, faults } = read(
    [
      '"Subject","Start Date","Start Time","End Date","End Time","All day event"',
      '"One","5/1/2027","12:00:00 AM","5/2/2027","12:00:00 AM","True"',
      '"Over the new year","12/30/2026","12:00:00 AM","1/1/2027","12:00:00 AM","True"',
      '"Ends where it begins","5/1/2027","12:00:00 AM","5/1/2027","12:00:00 AM","True"',
      '"Google","5/1/2027","","5/2/2027","","True"',
      '"To the last minute","5/1/2027","12:00 AM","5/2/2027","11:59 PM","True"',
      '"Timed","5/1/2027","8:00:00 PM","5/2/2027","12:00:00 AM","False"',
    ].join('\r\n'),
  );
  expect(faults).toEqual([]);
  expect(events.map((one) => [one.start_date, one.end_date])).toEqual([
    ['2027-05-01', '2027-05-01'],
    ['2026-12-30', '2026-12-31'],
    ['2027-05-01', '2027-05-01'],
    ['2027-05-01', '2027-05-02'],
    ['2027-05-01', '2027-05-02'],
    ['2027-05-01 20:00:00', '2027-05-02 00:00:00'],
  ]);
});

test.each([';', ',', '\t'])('a line that says what separates cells (%j) is no row', (separator) => {
  const rows = [
    ['title', 'start_date'],
    ['A', '2027-05-01'],
    ['', '2027-05-02'],
  ];
  const lines = [`sep=${separator}`, ...rows.map((row) => row.join(separator))];
  const { events, faults } = read(`\ufeff${lines.join('\r\n')}`);
  expect(events).toMatchObject([{ title: 'A', start_date: '2027-05-01' }]);
  expect(faults).toMatchObject([{ line: 4 }]);
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

describe('a quote that is out of place', () => {
  const header = 'title,start_date,description';
  const rest = ['B,2027-05-02,x', 'C,2027-05-03,"ok, too"'];
  const titles = ({ events }: Found): unknown[] => events.map(({ title }) => title);
  const lines = ({ faults }: Found): number[] => faults.map(({ line }) => line);

  test.each([
    'A,2027-05-01,"5" pipe',
    '"A" ,2027-05-01,x',
    'A,2027-05-01,"say "hi" now"',
    'A,2027-05-01,the "big" day',
  ])('costs its own row: %s', (row) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const found = read([header, row, ...rest].join(end));
      expect([titles(found), lines(found)]).toEqual([['B', 'C'], [2]]);
    }
  });

  test('behind texts of several lines is told by its line, which is not that where the parser began', () => {
    for (const end of ['\n', '\r\n']) {
      const text = [header, 'A,2027-05-01,"two', 'lines"', 'Q,2027-05-01,"two', '', 'more" x', ...rest];
      const found = read([...text, 'D"E,2027-05-04,x', '"F"x,2027-05-05,"', ''].join(end));
      expect([titles(found), lines(found)]).toEqual([
        ['A', 'B', 'C'],
        [4, 9, 10],
      ]);
      for (const { reason } of found.faults) expect(reason).not.toMatch(/at line/);
    }
  });

  test('in every other row, thousands of times, costs these rows and no time', () => {
    const count = 5_000;
    const text = Array.from(
      { length: count },
      (_, n) => `A ${n},2027-05-01,"5" pipe\nB ${n},2027-05-02,"a, b"\n`,
    ).join('');
    const begun = Date.now();
    const found = read(`${header}\n${text}`);
    expect(Date.now() - begun).toBeLessThan(30_000);
    expect(titles(found)).toEqual(Array.from({ length: count }, (_, n) => `B ${n}`));
    expect(lines(found)).toEqual(Array.from({ length: count }, (_, n) => 2 + 2 * n));
  });

  test('as a row that is too long, costs its own row', () => {
    const found = read([header, `A,2027-05-01,${'x'.repeat(1_000_001)}`, ...rest].join('\n'));
    expect([titles(found), lines(found)]).toEqual([['B', 'C'], [2]]);
  });
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
