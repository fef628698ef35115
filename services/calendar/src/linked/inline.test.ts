/** Venues and organizers that are made inside events, and while the content service is away. */
import { organizerKind } from '../organizers/kind';
import { type CalendarSite, startCalendar, startCalendarOf } from '../testing/service';
import { lockNames } from './store';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());
beforeEach(() => site.deps.db.run('truncate events, venues, organizers, outbox'));

describe('inside an event', () => {
  const event = (more: object) => ({
    title: 'E',
    start_date: '2030-01-01 10:00',
    end_date: '2030-01-01 11:00',
    ...more,
  });

  test('data of an existing name take it over, others are made', async () => {
    const hall = (await site.by('editor').post('/venues', { venue: 'Hall', city: 'Lyon' })).body;
    const made = await site.by('editor').post(
      '/events',
      event({
        venue: { venue: 'hall', phone: 7 },
        organizer: [{ organizer: 'Ann' }, { organizer: 'Bob', email: 'b@example.org' }],
      }),
    );
    expect(made.status).toBe(201);
    expect(made.body.venue).toMatchObject({ id: hall.id, venue: 'Hall', city: 'Lyon', phone: '7' });
    expect(made.body.organizer).toMatchObject([
      { organizer: 'Ann' },
      { organizer: 'Bob', email: 'b@example.org' },
    ]);
  });

  test('a draft of the name does not take the place of one that everybody may read', async () => {
    const named = [
      ['venue', 'Hall'],
      ['organizer', 'Ann'],
    ] as const;
    const shown = [];
    for (const [one, name] of named) {
      const draft = (await site.by('contributor').post(`/${one}s`, { [one]: name })).body;
      const open = (await site.by('author').post(`/${one}s`, { [one]: name })).body;
      expect([draft.status, open.status]).toEqual(['draft', 'publish']);
      shown.push({ id: open.id });
    }
    const { body } = await site
      .by('editor')
      .post('/events', event({ venue: { venue: 'hall' }, organizer: [{ organizer: 'ann' }] }));
    const [venue, ...organizer] = shown;
    expect((await site.by('anonymous').get(`/events/${body.id}`)).body).toMatchObject({ venue, organizer });
  });

  test('more names at once than the server has room for locks', async () => {
    const names = Array.from({ length: 50_000 }, (_, n) => `Organizer ${n}`);
    await site.deps.db.transaction(async (tx) => {
      await lockNames(tx, organizerKind, names);
      const held = await tx.first<{ n: number }>(
        `select count(*) as n from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
      );
      expect(held?.n).toBeLessThanOrEqual(1_024);
    });
  });

  test('events that make the same organizers in different orders do not wait for each other in a circle', async () => {
    const names = ['Ann', 'Bob', 'Cid', 'Dot'];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const order = n % 2 ? names : [...names].reverse();
        return site
          .by('editor')
          .post('/events', event({ organizer: order.map((organizer) => ({ organizer })) }));
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect((await site.deps.db.first<{ n: number }>('select count(*) as n from organizers'))?.n).toBe(4);
  });

  test('faults of the data are faults of the argument', async () => {
    const bad = await site
      .by('editor')
      .post('/events', event({ venue: { venue: 'Hall', website: 'nope', geo_lat: 1 } }));
    expect(bad.body).toMatchObject({
      code: 'rest_invalid_param',
      data: { status: 400, params: { venue: expect.stringContaining('website') } },
    });
    const alone = await site.by('editor').post('/events', event({ venue: { venue: 'Hall', geo_lat: 1 } }));
    expect(alone.body.data.params.venue).toContain('geo_lng');
    expect((await site.by('editor').post('/events', event({ organizer: [{ email: 'x' }] }))).status).toBe(
      400,
    );
    expect((await site.deps.db.first<{ n: number }>('select count(*) as n from venues'))?.n).toBe(0);
  });
});

test('without the content service one is made all the same, unless it must be asked', async () => {
  const alone = await startCalendarOf('127.0.0.1:9');
  try {
    const editor = alone.as(site.users.editor);
    expect((await editor.post('/venues', { venue: 'Alone' })).status).toBe(201);
    for (const more of [{ author: site.users.author.id }, { image: 5 }]) {
      const put = await editor.post('/venues', { venue: 'Asks', ...more });
      expect(put).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
      expect(put.headers.get('retry-after')).toBeTruthy();
    }
    expect((await alone.deps.db.first<{ n: number }>('select count(*) as n from venues'))?.n).toBe(1);
  } finally {
    await alone.stop();
  }
});
