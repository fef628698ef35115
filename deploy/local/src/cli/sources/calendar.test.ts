/** Calendars that other programs wrote, as events to be pushed. */
import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal, { type VEvent } from 'node-ical';
import { parseDateTime } from '@sevenfold/text/dates';
import { readCalendar } from './calendar';
import type { Found, Wanted } from './found';

const now = new Date('2026-11-22T12:00:00Z');
const read = (text: string, more: Partial<Wanted> = {}): Found => readCalendar(text, { now, ...more });

const calendarOf = (...entries: readonly string[][]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...entries.flat(), 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: readonly string[]): string[] => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
const starts = ({ events }: Found): unknown[] => events.map((one) => one.start_date);
const spans = ({ events }: Found): unknown[] => events.map((one) => [one.start_date, one.end_date]);

const inBerlin = (...lines: readonly string[]): string[] =>
  event('UID:a@x', 'SUMMARY:A', 'DTSTART;TZID=Europe/Berlin:20270301T100000', 'DURATION:PT1H30M', ...lines);

describe('what happens again and again', () => {
  const weekly = inBerlin('RRULE:FREQ=WEEKLY;COUNT=5');

  test('is there as often, by the same clock, each under a name of its own that stays', () => {
    const found = read(calendarOf(weekly));
    expect(spans(found)).toEqual([
      ['2027-03-01 10:00:00', '2027-03-01 11:30:00'],
      ['2027-03-08 10:00:00', '2027-03-08 11:30:00'],
      ['2027-03-15 10:00:00', '2027-03-15 11:30:00'],
      ['2027-03-22 10:00:00', '2027-03-22 11:30:00'],
      ['2027-03-29 10:00:00', '2027-03-29 11:30:00'],
    ]);
    expect(found.events.map(({ uid, timezone }) => [uid, timezone])).toEqual(
      ['01', '08', '15', '22', '29'].map((day) => [`a@x/202703${day}T100000`, 'Europe/Berlin']),
    );
    expect(read(calendarOf(weekly))).toEqual(found);
  });

  test.each([
    ['an end in UTC', ['RRULE:FREQ=WEEKLY;UNTIL=20270405T080000Z'], ['01', '08', '15', '22', '29', '05']],
    ['an end just before', ['RRULE:FREQ=WEEKLY;UNTIL=20270405T075959Z'], ['01', '08', '15', '22', '29']],
    ['an end by its day', ['RRULE:FREQ=WEEKLY;UNTIL=20270308'], ['01', '08']],
    [
      'an exception',
      ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20270308T100000'],
      ['01', '15'],
    ],
    ['an exception in UTC', ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20270308T090000Z'], ['01', '15']],
    ['an exception of a day', ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE;VALUE=DATE:20270308'], ['01', '15']],
    ['several exceptions', ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20270301T090000Z,20270315T090000Z'], ['08']],
    ['dates of its own', ['RDATE;TZID=Europe/Berlin:20270302T100000,20270304T100000'], ['01', '02', '04']],
    ['a rule and a date', ['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20270305T090000Z'], ['01', '05', '08']],
    ['the same twice', ['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20270308T090000Z'], ['01', '08']],
  ])('%s', (_, lines, days) => {
    const found = read(calendarOf(inBerlin(...lines)));
    expect(found.faults).toEqual([]);
    expect(starts(found).map((start) => String(start).slice(8, 10))).toEqual(days);
  });

  test('a date may bring its own end', () => {
    const found = read(
      calendarOf(inBerlin('RDATE;VALUE=PERIOD:20270302T090000Z/20270302T120000Z,20270303T090000Z/PT10M')),
    );
    expect(spans(found)).toEqual([
      ['2027-03-01 10:00:00', '2027-03-01 11:30:00'],
      ['2027-03-02 10:00:00', '2027-03-02 13:00:00'],
      ['2027-03-03 10:00:00', '2027-03-03 10:10:00'],
    ]);
  });

  test('what was moved, renamed or cancelled is so, and the others are as they were', () => {
    const found = read(
      calendarOf(
        // It may stand before what it belongs to, and twice: the later version counts.
        event(
          'UID:a@x',
          'RECURRENCE-ID:20270308T090000Z',
          'SUMMARY:Old',
          'SEQUENCE:1',
          'DTSTART:20270401T090000Z',
        ),
        weekly,
        event(
          'UID:a@x',
          'RECURRENCE-ID:20270308T090000Z',
          'SUMMARY:Moved',
          'SEQUENCE:2',
          'DTSTART;TZID=America/New_York:20270309T080000',
          'DTEND;TZID=America/New_York:20270309T090000',
        ),
        event(
          'UID:a@x',
          'RECURRENCE-ID;TZID=Europe/Berlin:20270315T100000',
          'SUMMARY:A',
          'STATUS:CANCELLED',
          'DTSTART;TZID=Europe/Berlin:20270315T100000',
        ),
      ),
    );
    expect(
      found.events.map(({ uid, title, start_date: start, end_date: end }) => [uid, title, start, end]),
    ).toEqual([
      ['a@x/20270301T100000', 'A', '2027-03-01 10:00:00', '2027-03-01 11:30:00'],
      ['a@x/20270308T100000', 'Moved', '2027-03-09 14:00:00', '2027-03-09 15:00:00'],
      ['a@x/20270322T100000', 'A', '2027-03-22 10:00:00', '2027-03-22 11:30:00'],
      ['a@x/20270329T100000', 'A', '2027-03-29 10:00:00', '2027-03-29 11:30:00'],
    ]);
    expect(found.leftOut).toEqual([
      { line: expect.any(Number) as number, title: 'A', reason: 'It is cancelled. (2027-03-15)' },
    ]);
  });

  test('what names a whole day by its midnight, or a time by its day, stands in for it', () => {
    const found = read(
      calendarOf(
        event('UID:d', 'SUMMARY:Day', 'DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=WEEKLY;COUNT=2'),
        event(
          'UID:d',
          'SUMMARY:Moved',
          'RECURRENCE-ID;TZID=W. Europe Standard Time:20270308T000000',
          'DTSTART;VALUE=DATE:20270309',
        ),
        inBerlin('RRULE:FREQ=WEEKLY;COUNT=2'),
        event(
          'UID:a@x',
          'SUMMARY:Later',
          'RECURRENCE-ID;VALUE=DATE:20270308',
          'DTSTART;TZID=Europe/Berlin:20270308T120000',
        ),
      ),
    );
    expect(found.events.map(({ uid, title, start_date: start }) => [uid, title, start])).toEqual([
      ['d/20270301T000000', 'Day', '2027-03-01'],
      ['d/20270308T000000', 'Moved', '2027-03-09'],
      ['a@x/20270301T100000', 'A', '2027-03-01 10:00:00'],
      ['a@x/20270308T100000', 'Later', '2027-03-08 12:00:00'],
    ]);
  });

  test('what changes from one time on', () => {
    const found = read(
      calendarOf(
        weekly,
        event(
          'UID:a@x',
          'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270315T100000',
          'SUMMARY:Later',
          'DTSTART;TZID=Europe/Berlin:20270316T120000',
          'DURATION:PT1H',
        ),
      ),
    );
    expect(found.events.map(({ title, start_date: start, end_date: end }) => [title, start, end])).toEqual([
      ['A', '2027-03-01 10:00:00', '2027-03-01 11:30:00'],
      ['A', '2027-03-08 10:00:00', '2027-03-08 11:30:00'],
      ['Later', '2027-03-16 12:00:00', '2027-03-16 13:00:00'],
      ['Later', '2027-03-23 12:00:00', '2027-03-23 13:00:00'],
      ['Later', '2027-03-30 12:00:00', '2027-03-30 13:00:00'],
    ]);
  });

  test('goes on for ever only within the days that are asked for, and what runs into them counts', () => {
    const daily = calendarOf(
      event(
        'UID:d',
        'SUMMARY:D',
        'DTSTART;TZID=Europe/Berlin:20200101T220000',
        'DURATION:PT4H',
        'RRULE:FREQ=DAILY',
      ),
      event('UID:o', 'SUMMARY:Once', 'DTSTART:20270601T100000Z'),
    );
    expect(starts(read(daily, { from: '2027-03-28', to: '2027-03-29' }))).toEqual([
      '2027-03-27 22:00:00',
      '2027-03-28 22:00:00',
      '2027-03-29 22:00:00',
    ]);
    const usual = starts(read(daily));
    expect([usual[0], usual.at(-2), usual.at(-1)]).toEqual([
      '2025-11-20 22:00:00',
      '2028-11-22 22:00:00',
      '2027-06-01 10:00:00',
    ]);
  });

  test.each([
    ['FREQ=SECONDLY', 'It takes place more than 2000 times'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', undefined],
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', undefined],
    ['FREQ=WEEKLY;INTERVAL=0', undefined],
    ['FREQ=NEVER', undefined],
    ['nonsense', undefined],
  ])('%s ends, whatever it says', (rule, reason) => {
    const text = calendarOf(
      event('UID:r', 'SUMMARY:R', 'DTSTART:20270601T100000Z', `RRULE:${rule}`),
      event('UID:o', 'SUMMARY:Once', 'DTSTART:20270601T100000Z'),
    );
    // Those that never end would take as long as they may.
    const patienceMs = /BYMONTHDAY/.test(rule) ? 200 : undefined;
    const { events, faults } = read(text, { patienceMs });
    expect(events.at(-1)).toMatchObject({ title: 'Once' });
    if (reason !== undefined) expect(faults[0]?.reason).toContain(reason);
    expect(faults.every(({ line }) => line === 4)).toBe(true);
  });
});

describe('two other readers', () => {
  const rule = fc
    .record({
      freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY'),
      interval: fc.integer({ min: 1, max: 3 }),
      count: fc.integer({ min: 1, max: 12 }),
      days: fc.uniqueArray(fc.constantFrom('MO', 'WE', 'FR', 'SU'), { maxLength: 3 }),
    })
    .map(({ freq, interval, count, days }) =>
      [
        `FREQ=${freq};INTERVAL=${interval};COUNT=${count}`,
        // Readers differ in which week the second one is counted from.
        ...(freq === 'WEEKLY' && interval === 1 && days.length > 0 ? [`BYDAY=${days.join()}`] : []),
      ].join(';'),
    );
  const drawn = fc.record({
    rule,
    zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
    day: fc.integer({ min: 1, max: 28 }),
    month: fc.integer({ min: 1, max: 12 }),
    hour: fc.integer({ min: 6, max: 20 }),
    without: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  });
  const two = (value: number): string => String(value).padStart(2, '0');

  test('find the same times', () => {
    fc.assert(
      fc.property(drawn, ({ rule: text, zone, day, month, hour, without }) => {
        const start = `2027${two(month)}${two(day)}T${two(hour)}0000`;
        const head = [
          'UID:g',
          'SUMMARY:G',
          `DTSTART;TZID=${zone}:${start}`,
          'DURATION:PT1H',
          `RRULE:${text}`,
        ];
        const clocks = (file: string): string[] => {
          const component = new ICAL.Component(ICAL.parse(file) as unknown[]).getFirstSubcomponent('vevent')!;
          const { startDate } = new ICAL.Event(component);
          const expansion = new ICAL.RecurExpansion({ component, dtstart: startDate });
          const found: string[] = [];
          for (let next = expansion.next(); next; next = expansion.next()) found.push(next.toString());
          return found;
        };
        const all = clocks(calendarOf(event(...head)));
        const left = without.flatMap((index) => all[index]?.replace(/[-:]/g, '') ?? []);
        const lines = left.map((clock) => `EXDATE;TZID=${zone}:${clock}`);
        const file = calendarOf(event(...head, ...lines));
        const ours = read(file, { from: '2027-01-01', to: '2031-12-31' });
        expect(ours.faults).toEqual([]);
        // The first time of a rule counts, whether it fits or not: readers differ in that.
        const isFirst = (clock: string): boolean => clock.replace(/[-:]/g, '') === start;
        const theirs = clocks(file).filter((clock) => !isFirst(clock));
        const found = starts(ours).map((one) => String(one).replace(' ', 'T'));
        expect(found.filter((clock) => !isFirst(clock))).toEqual(theirs);
        const parsed = nodeIcal.sync.parseICS(file).g as VEvent;
        const span = { from: new Date('2026-12-01'), to: new Date('2032-01-01') };
        const moments = nodeIcal.expandRecurringEvent(parsed, span).map((one) => one.start.getTime());
        const first = parseDateTime(
          `${start.slice(0, 4)}-${start.slice(4, 6)}-${start.slice(6, 8)} ${two(hour)}:00:00`,
          zone,
        )!;
        expect(theirs.map((clock) => parseDateTime(clock, zone)!.utc.getTime())).toEqual(
          moments.filter((at) => at !== first.utc.getTime()),
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe('times', () => {
  const once = (...lines: readonly string[]): string => calendarOf(event('UID:t', 'SUMMARY:T', ...lines));
  test.each([
    [
      'whole days',
      ['DTSTART;VALUE=DATE:20270601', 'DTEND;VALUE=DATE:20270603'],
      ['2027-06-01', '2027-06-02'],
    ],
    ['one day', ['DTSTART;VALUE=DATE:20270601'], ['2027-06-01', '2027-06-01']],
    [
      'a day that ends where it begins',
      ['DTSTART;VALUE=DATE:20270601', 'DTEND;VALUE=DATE:20270601'],
      ['2027-06-01', '2027-06-01'],
    ],
    ['days that do not say so', ['DTSTART:20270601', 'DTEND:20270603'], ['2027-06-01', '2027-06-02']],
    [
      'whole days as Exchange writes them',
      [
        'DTSTART;TZID=W. Europe Standard Time:20270327T000000',
        'DTEND;TZID=W. Europe Standard Time:20270329T000000',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      ],
      ['2027-03-27', '2027-03-28'],
    ],
    [
      'what is no whole day, whatever it says',
      ['DTSTART:20270601T100000', 'DTEND:20270602T000000', 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'],
      ['2027-06-01 10:00:00', '2027-06-02 00:00:00'],
    ],
    ['days by their number', ['DTSTART;VALUE=DATE:20270601', 'DURATION:P1W'], ['2027-06-01', '2027-06-07']],
    ['no end', ['DTSTART:20270601T100000'], ['2027-06-01 10:00:00', '2027-06-01 10:00:00']],
    [
      'an end before the start',
      ['DTSTART:20270601T100000', 'DTEND:20270601T090000'],
      ['2027-06-01 10:00:00', '2027-06-01 10:00:00'],
    ],
    [
      'hours over a night in which the clock is changed',
      ['DTSTART;TZID=Europe/Berlin:20270327T220000', 'DURATION:PT8H'],
      ['2027-03-27 22:00:00', '2027-03-28 07:00:00'],
    ],
    [
      'a day over that night',
      ['DTSTART;TZID=Europe/Berlin:20270327T220000', 'DURATION:P1D'],
      ['2027-03-27 22:00:00', '2027-03-28 22:00:00'],
    ],
    [
      'an end in another zone',
      ['DTSTART;TZID=Europe/Berlin:20270601T100000', 'DTEND;TZID=America/New_York:20270601T100000'],
      ['2027-06-01 10:00:00', '2027-06-01 16:00:00'],
    ],
  ])('%s', (_, lines, span) => {
    expect(spans(read(once(...lines)))).toEqual([span]);
  });

  // In Berlin the clock shows the hour after two twice: until 01:00 UTC, and from then on.
  test.each([
    [
      ['DTSTART:20271031T003000Z', 'DTEND:20271031T013000Z'],
      ['2027-10-31 02:30:00', '2027-10-31 01:30:00Z'],
    ],
    [
      ['DTSTART:20271031T013000Z', 'DTEND:20271031T014500Z'],
      ['2027-10-31 01:30:00Z', '2027-10-31 01:45:00Z'],
    ],
    [
      ['DTSTART;TZID=Europe/Berlin:20271031T020000', 'DTEND:20271031T013000Z'],
      ['2027-10-31 02:00:00', '2027-10-31 01:30:00Z'],
    ],
    [
      ['DTSTART;TZID=Europe/Berlin:20271031T020000', 'DURATION:PT75M'],
      ['2027-10-31 02:00:00', '2027-10-31 01:15:00Z'],
    ],
    [
      ['DTSTART:20271031T020000', 'DURATION:PT75M'],
      ['2027-10-31 02:00:00', '2027-10-31 03:15:00'],
    ],
    [
      ['DTSTART:20271031T003000Z', 'DURATION:PT2H'],
      ['2027-10-31 02:30:00', '2027-10-31 03:30:00'],
    ],
  ])('%j in Berlin, when the clock is set back: moments where it shows the same again', (lines, span) => {
    const { events } = read(once(...lines), { timezone: 'Europe/Berlin' });
    expect(events.map((one) => [one.start_date, one.end_date, one.timezone])).toEqual([
      [...span, 'Europe/Berlin'],
    ]);
  });

  test.each([
    [['DTSTART:20270601T100000Z'], undefined, 'UTC', '10'],
    [['DTSTART:20270601T100000Z'], 'Europe/Berlin', 'Europe/Berlin', '12'],
    [['DTSTART:20270601T100000'], undefined, undefined, '10'],
    [['DTSTART:20270601T100000'], 'Europe/Berlin', 'Europe/Berlin', '10'],
    [['DTSTART;TZID=W. Europe Standard Time:20270601T100000'], undefined, 'Europe/Berlin', '10'],
    [
      ['DTSTART;TZID=/mozilla.org/20050126_1/America/Argentina/Salta:20270601T100000'],
      undefined,
      'America/Argentina/Salta',
      '10',
    ],
    [['DTSTART;TZID="Asia/Tokyo":20270601T100000'], 'Europe/Berlin', 'Asia/Tokyo', '10'],
  ])('%j, elsewhere %s, are in the zone %s', (lines, timezone, zone, hour) => {
    const [found] = read(once(...lines), { timezone }).events;
    expect([found?.timezone, found?.start_date]).toEqual([zone, `2027-06-01 ${hour}:00:00`]);
  });

  test('a zone that only the file knows is what the file says; one that nobody knows is told', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Ours',
      'BEGIN:STANDARD',
      'DTSTART:19701025T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'TZOFFSETFROM:+0630',
      'TZOFFSETTO:+0530',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:19700329T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'TZOFFSETFROM:+0530',
      'TZOFFSETTO:+0630',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ];
    const found = read(
      calendarOf(
        event('UID:s', 'SUMMARY:S', 'DTSTART;TZID=Ours:20270601T100000'),
        event('UID:w', 'SUMMARY:W', 'DTSTART;TZID=Ours:20270101T100000'),
        event('UID:n', 'SUMMARY:N', 'DTSTART;TZID=Ours:20271030T220000', 'DTEND;TZID=Ours:20271031T100000'),
        event('UID:u', 'SUMMARY:U', 'DTSTART;TZID=Nowhere:20270101T100000'),
        zone,
      ),
    );
    expect(found.events.map((one) => [one.start_date, one.end_date, one.timezone])).toEqual([
      ['2027-06-01 10:00:00', '2027-06-01 10:00:00', 'UTC+6:30'],
      ['2027-01-01 10:00:00', '2027-01-01 10:00:00', 'UTC+5:30'],
      // The clock of its zone is set back before it ends, that of a distance from UTC is not.
      ['2027-10-30 22:00:00', '2027-10-31 11:00:00', 'UTC+6:30'],
    ]);
    expect(found.faults).toEqual([{ line: 20, title: 'U', reason: 'It has no start that can be read.' }]);
  });
});

test('everything else that is told of an event', () => {
  const [found] = read(
    calendarOf(
      event(
        'UID:e',
        'SUMMARY:Less <b>is</b>\\, more\\; «ünï»',
        'DTSTART:20270601T100000Z',
        'DESCRIPTION:First & <second>\\n\\nThi',
        ' rd',
        'LOCATION:The Hall\\nStreet 1\\, Town',
        'GEO:52.5;13.4',
        'URL:https://example.org/e?a=1&b=2',
        'CATEGORIES:One,Two\\, too',
        'CATEGORIES:Three',
        'ORGANIZER;CN="The; Club":mailto:club@example.org',
        'CONTACT;ALTREP="https://example.org/band":The Band',
        'CONTACT:Somebody\\, 555-1234',
        'ATTACH;FMTTYPE=application/pdf:https://example.org/e.pdf',
        'ATTACH;FMTTYPE=image/png:https://example.org/e.png',
        'BEGIN:VALARM',
        'DESCRIPTION:Wake up',
        'TRIGGER:-PT5M',
        'END:VALARM',
      ),
    ),
  ).events;
  expect(found).toEqual({
    uid: 'e',
    global_id: 'e',
    title: 'Less &lt;b&gt;is&lt;/b&gt;, more; «ünï»',
    description: 'First &amp; &lt;second&gt;\n\nThird',
    all_day: false,
    start_date: '2027-06-01 10:00:00',
    end_date: '2027-06-01 10:00:00',
    timezone: 'UTC',
    url: 'https://example.org/e?a=1&b=2',
    image: 'https://example.org/e.png',
    categories: ['One', 'Two, too', 'Three'],
    venue: { venue: 'The Hall', address: 'Street 1, Town', latitude: 52.5, longitude: 13.4 },
    organizer: [{ organizer: 'The; Club', email: 'club@example.org' }, { organizer: 'The Band' }],
  });
});

test.each([
  ['HTML', ';FMTTYPE=text/html:<p>One\\, two\\; C:\\\\x</p>', '<p>One, two; C:\\x</p>'],
  ['HTML that says that it is text', ';VALUE=TEXT;FMTTYPE=text/html:<p>One\\, two</p>', '<p>One, two</p>'],
  [
    'a page as Outlook writes it',
    ';FMTTYPE=text/html:<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">\\n<HTML>\\n<HEAD>\\n<TITLE>T</TITLE>\\n' +
      '</HEAD>\\n<BODY>\\n<P DIR=LTR>Two\\nlines</P>\\n<PRE>a\\nb</PRE>\\n</BODY>\\n</HTML>',
    '<P DIR=LTR>Two lines</P> <PRE>a\nb</PRE>',
  ],
  ['a style without a body', ';FMTTYPE=text/html:<style>p{}</style><p>A</p>', '<p>A</p>'],
])('a description that is %s', (_, written, description) => {
  const lines = ['DTSTART:20270601T100000Z', 'DESCRIPTION:Plain', `X-ALT-DESC${written}`];
  expect(read(calendarOf(event('UID:h', 'SUMMARY:H', ...lines))).events).toMatchObject([{ description }]);
});

test('what is wrong is told by its line, and the rest is read; private things stay private', () => {
  const found = read(
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      'SUMMARY:No start',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:2',
      'SUMMARY:A folded',
      '  line',
      'DTSTART:20270231T100000',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:3',
      'SUMMARY:Not a line',
      'DTSTART:20270601T100000',
      'what is this',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:4',
      'CLASS:PRIVATE',
      'SUMMARY:Secret',
      'DTSTART:20270601T100000',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'SUMMARY:Good',
      'DTSTART:20270601T100000',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'SUMMARY:Cut',
      'DTSTART:20270601T1000',
    ].join('\n'),
  );
  expect(found.events.map(({ title }) => title)).toEqual(['Good']);
  expect(
    found.faults.map(({ line, title }) => [line, title]).sort(([a], [b]) => Number(a) - Number(b)),
  ).toEqual([
    [2, 'No start'],
    [6, 'A folded line'],
    [12, 'Not a line'],
    [28, 'Cut'],
  ]);
  expect(found.leftOut).toEqual([{ line: 18, title: 'Secret', reason: 'It is private. (2027-06-01)' }]);
  expect(() => read('<html>Not found</html>')).toThrow('it is no calendar');
});
