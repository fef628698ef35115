/** Lists of strangers that pass by many events end in time, with a 503 that says when to come again. */
import { until } from '@sevenfold/chassis/testing/until';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar({ LIST_LIMIT_MS: 200 });
});
afterAll(() => site?.stop());

/** A busy machine may take longer than they may, even for these. */
const answers = (path: string): Promise<true> =>
  until(async () => (await site.by('anonymous').get(path)).status === 200);

const held = [
  '/events?featured=true',
  '/events?geoloc=true',
  '/venues?has_events=true',
  '/organizers?only_with_upcoming=true',
];

test('while the events are held; lists beside them answer, and these again when it is over', async () => {
  const stranger = site.by('anonymous');
  const holder = await site.deps.db.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table events, event_organizers in access exclusive mode');
    for (const path of held) {
      const { status, body, headers } = await stranger.get(path);
      expect([path, status, body.code, headers.get('retry-after')]).toEqual([
        path,
        503,
        'rest_list_busy',
        '2',
      ]);
      await answers('/venues');
    }
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  for (const path of held) await answers(path);
});

test('around a point, while the venues are held', async () => {
  const stranger = site.by('anonymous');
  const around = '/events?geoloc_lat=1&geoloc_lng=2';
  const holder = await site.deps.db.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table venues in access exclusive mode');
    const { status, body } = await stranger.get(around);
    expect([status, body.code]).toEqual([503, 'rest_list_busy']);
    await answers('/events');
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await answers(around);
});
