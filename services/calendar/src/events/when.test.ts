/** When an event takes place: six zones, both changes of the clock, whole days, and what an update keeps. */
import { type AskedWhen, type When, checkZone, settleWhen } from './when';

const NOW = new Date('2026-11-20T21:00:00Z');
const SITE = 'America/New_York';
const make = (asked: AskedWhen): When => settleWhen(undefined, asked, SITE, NOW);
const span = ({ startLocal, endLocal, startUtc, endUtc }: When): string[] => [
  startLocal,
  endLocal,
  startUtc,
  endUtc,
];

describe('a new event', () => {
  it.each([
    [undefined, '2027-01-10 15:00:00'],
    ['America/New_York', '2027-01-10 15:00:00'],
    ['Europe/Berlin', '2027-01-10 09:00:00'],
    ['Asia/Kolkata', '2027-01-10 04:30:00'],
    ['Asia/Kathmandu', '2027-01-10 04:15:00'],
    ['Pacific/Auckland', '2027-01-09 21:00:00'],
    ['Pacific/Kiritimati', '2027-01-09 20:00:00'],
    ['UTC', '2027-01-10 10:00:00'],
    ['UTC+5', '2027-01-10 05:00:00'],
    ['UTC-3.5', '2027-01-10 13:30:00'],
    ['+05:30', '2027-01-10 04:30:00'],
    ['', '2027-01-10 15:00:00'],
  ])('takes the clock of %j', (timezone, startUtc) => {
    const when = make({ timezone, start: '2027-01-10 10:00', end: '2027-01-10 11:00' });
    expect(when.startLocal).toBe('2027-01-10 10:00:00');
    expect(when.startUtc).toBe(startUtc);
    expect(when.timezone).toBe(timezone || SITE);
  });

  it.each([
    // Forward: the hour from 2 to 3 is not there, and moves on by it.
    ['America/New_York', '2027-03-14 02:30', '2027-03-14 03:30:00', '2027-03-14 07:30:00'],
    ['Europe/Berlin', '2027-03-28 02:15', '2027-03-28 03:15:00', '2027-03-28 01:15:00'],
    ['Australia/Lord_Howe', '2027-10-03 02:10', '2027-10-03 02:40:00', '2027-10-02 15:40:00'],
    // Back: the hour is there twice, the first one counts.
    ['America/New_York', '2027-11-07 01:30', '2027-11-07 01:30:00', '2027-11-07 05:30:00'],
    ['Europe/Berlin', '2027-10-31 02:15', '2027-10-31 02:15:00', '2027-10-31 00:15:00'],
    ['Pacific/Auckland', '2027-04-04 02:30', '2027-04-04 02:30:00', '2027-04-03 13:30:00'],
  ])('in %s, %s is %s', (timezone, start, startLocal, startUtc) => {
    const when = make({ timezone, start, end: start });
    expect([when.startLocal, when.startUtc]).toEqual([startLocal, startUtc]);
  });

  it('keeps the moment that an offset names, on the clock of the event', () => {
    const when = make({
      timezone: 'Europe/Berlin',
      start: '2027-01-10T10:00:00Z',
      end: '2027-01-10T12:00:00+05:00',
    });
    expect(span(when)).toEqual([
      '2027-01-10 11:00:00',
      '2027-01-10 11:00:00',
      '2027-01-10 10:00:00',
      '2027-01-10 10:00:00',
    ]);
  });

  it('keeps the second pass of an hour when the offset says so', () => {
    const when = make({ start: '2027-11-07T01:30:00-04:00', end: '2027-11-07T01:10:00-05:00' });
    expect(span(when)).toEqual([
      '2027-11-07 01:30:00',
      '2027-11-07 01:10:00',
      '2027-11-07 05:30:00',
      '2027-11-07 06:10:00',
    ]);
  });

  it('ends in the second pass of an hour, where the first one lies before the start', () => {
    const ends = (asked: AskedWhen): string => make({ timezone: 'Europe/Berlin', ...asked }).endUtc;
    const start = '2027-10-31T01:30:00Z';
    expect(ends({ start, end: '2027-10-31 02:50' })).toBe('2027-10-31 01:50:00');
    expect(ends({ start: '2027-10-31 02:30', end: '2027-10-31 02:50' })).toBe('2027-10-31 00:50:00');
    expect(ends({ start, end: '2027-10-31 02:20' })).toBe('2027-10-31 01:30:00');
    expect(ends({ start, end: '2027-10-31 01:50' })).toBe('2027-10-31 01:30:00');
    // A moment is that moment.
    expect(ends({ start, end: '2027-10-31T02:50:00+02:00' })).toBe('2027-10-31 01:30:00');
    expect(
      ends({ timezone: 'Australia/Lord_Howe', start: '2027-04-03T15:05:00Z', end: '2027-04-04 01:50' }),
    ).toBe('2027-04-03 15:20:00');
  });

  it('reads words and seconds', () => {
    const when = make({ start: 'tomorrow 10am', end: '1795345200' });
    expect(span(when)).toEqual(
      ['2026-11-21 10:00:00', '2026-11-22 07:00:00', '2026-11-21 15:00:00', '2026-11-22 12:00:00'].map(
        (text, index) => (index === 1 || index === 3 ? expect.any(String) : text),
      ),
    );
  });

  it('takes whole days, across a change of the clock too', () => {
    const when = make({ allDay: true, start: '2027-03-14 10:00', end: '2027-03-14 12:00' });
    expect(span(when)).toEqual([
      '2027-03-14 00:00:00',
      '2027-03-14 23:59:59',
      '2027-03-14 05:00:00',
      '2027-03-15 03:59:59',
    ]);
  });

  it('writes whole days as days where the clock skips midnight', () => {
    const when = make({
      allDay: true,
      timezone: 'America/Sao_Paulo',
      start: '2018-11-04',
      end: '2018-11-04',
    });
    expect([when.startLocal, when.startUtc]).toEqual(['2018-11-04 00:00:00', '2018-11-04 03:00:00']);
  });

  it('ends when it starts, if the end lies before', () => {
    expect(span(make({ start: '2027-01-10 10:00', end: '2027-01-09' }))[1]).toBe('2027-01-10 10:00:00');
    expect(span(make({ allDay: true, start: '2027-01-10', end: '2027-01-08' }))[1]).toBe(
      '2027-01-10 23:59:59',
    );
  });

  it('refuses years that cannot be written', () => {
    expect(() => make({ start: '9999-12-31 23:00', end: '9999-12-31 23:59' })).toThrow(
      expect.objectContaining({ status: 400 }),
    );
  });
});

describe('a change', () => {
  const current = make({ timezone: 'Europe/Berlin', start: '2027-06-01 20:00', end: '2027-06-01 22:00' });
  const change = (asked: AskedWhen, from = current): When => settleWhen(from, asked, SITE, NOW);

  it('keeps what it does not name', () => {
    expect(change({})).toEqual(current);
  });

  it('moves the start alone, and the end with it when it would lie before', () => {
    expect(span(change({ start: '2027-06-01 19:00' })).slice(0, 2)).toEqual([
      '2027-06-01 19:00:00',
      '2027-06-01 22:00:00',
    ]);
    expect(span(change({ start: '2027-06-02 19:00' })).slice(0, 2)).toEqual([
      '2027-06-02 19:00:00',
      '2027-06-02 19:00:00',
    ]);
  });

  it('moves the end alone', () => {
    expect(change({ end: '2027-06-02 01:00' }).endUtc).toBe('2027-06-01 23:00:00');
    expect(change({ end: '2027-05-01' }).endLocal).toBe('2027-06-01 20:00:00');
  });

  it('keeps the clock when the zone changes, and derives the moments anew', () => {
    expect(span(change({ timezone: 'Asia/Tokyo' }))).toEqual([
      '2027-06-01 20:00:00',
      '2027-06-01 22:00:00',
      '2027-06-01 11:00:00',
      '2027-06-01 13:00:00',
    ]);
    expect(change({ timezone: '' }).timezone).toBe(SITE);
  });

  it('does not reset whole days, and takes the clock of the bounds when they are given up', () => {
    const whole = change({ allDay: true });
    expect(span(whole).slice(0, 2)).toEqual(['2027-06-01 00:00:00', '2027-06-01 23:59:59']);
    expect(change({ start: '2027-05-30 15:00' }, whole).startLocal).toBe('2027-05-30 00:00:00');
    expect(change({ allDay: false }, whole).startLocal).toBe('2027-06-01 00:00:00');
  });

  it('keeps the second pass of an hour', () => {
    const twice = make({ start: '2027-11-07T01:30:00-05:00', end: '2027-11-07T03:00:00-05:00' });
    expect(change({ end: '2027-11-07 04:00' }, twice).startUtc).toBe('2027-11-07 06:30:00');
    expect(change({ end: '2027-11-07 01:50:00' }, twice).endUtc).toBe('2027-11-07 06:50:00');
  });
});

describe('checkZone', () => {
  it.each(['Mars/Base', 'UTC+99', '5', 'Europe/Berlin; drop', 'x'.repeat(100)])('refuses %j', (zone) => {
    expect(checkZone(zone)).toBeDefined();
  });
});
