/**
 * What a process remembers of events, at the moment when a change has been committed and its message has not come yet:
 * conditions are asked again and texts belong to versions, so nobody is shown what is not theirs to see, or what was.
 */
import { TAGS_HEADER, WANTS_TAGS_HEADER } from '@sevenfold/chassis/http/shows';
import { until } from '@sevenfold/chassis/testing/until';
import { makeEvent, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

/** A commit that nobody is told of. */
async function quietly(sql: string, values: readonly unknown[]): Promise<void> {
  await site.deps.db.transaction(async (tx) => {
    await tx.run('alter table events disable trigger user');
    await tx.run(sql, values);
    await tx.run('alter table events enable trigger user');
  });
}

interface Shown {
  readonly id: number;
  readonly title: string;
}

/** Three events of a venue, whose list has been asked for and is remembered. */
async function rememberedList(): Promise<{ ids: number[]; list: () => Promise<Shown[]> }> {
  const { db, memory } = site.deps;
  const { id: venue } = await makeVenue(db);
  const ids: number[] = [];
  for (const day of ['01', '02', '03'])
    ids.push((await makeEvent(db, { venue_id: venue, start_local: `2030-05-${day} 10:00:00` })).id);
  memory.forget('events');
  memory.forget('linked');
  const list = async (): Promise<Shown[]> => {
    const { status, body } = await site
      .by('anonymous')
      .get(`/events?venue=${venue}&start_date=2030-05-01&end_date=2030-05-31`);
    expect(status).toBe(200);
    return (body.events as Shown[]).map(({ id, title }) => ({ id, title }));
  };
  await untilRemembered();
  expect((await list()).map(({ id }) => id)).toEqual(ids);
  return { ids, list };
}

/** Nothing is kept before the connection for messages stands. */
async function untilRemembered(): Promise<void> {
  const ask = (total: number): Promise<{ total: number }> =>
    site.deps.outlines.get('remembered?', () => Promise.resolve({ total }));
  let n = 0;
  await until(async () => (await ask((n += 1))).total !== n);
}

test.each([
  ['has become a draft', `update events set status = 'draft' where id = $1`],
  ['has gone to another venue', 'update events set venue_id = 0 where id = $1'],
])('an event that %s is not shown', async (_name, sql) => {
  const { ids, list } = await rememberedList();
  await quietly(sql, [ids[1]]);
  expect((await list()).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
});

test('an event shows what it says now, not what it said, in lists and alone', async () => {
  const { ids, list } = await rememberedList();
  const id = ids[0] as number;
  const alone = async (): Promise<string> => (await site.by('anonymous').get(`/events/${id}`)).body.title;
  const before = await alone();
  expect((await list())[0]).toEqual({ id, title: before });
  await quietly(`update events set title_raw = 'Said now', title_html = 'Said now' where id = $1`, [id]);
  expect(await alone()).toBe('Said now');
  expect((await list())[0]).toEqual({ id, title: 'Said now' });
});

test('a list whose days are minutes from now is not for keeping, unlike those of days', async () => {
  await makeEvent(site.deps.db);
  const tagsOf = async (start: string): Promise<string | null> => {
    const path = `/events?start_date=${encodeURIComponent(start)}`;
    return (await site.by('anonymous').get(path, { [WANTS_TAGS_HEADER]: '1' })).headers.get(TAGS_HEADER);
  };
  await until(async () => (await tagsOf('today')) !== null);
  expect(await tagsOf('+2 days')).toContain('event');
  for (const start of ['+7 minutes', 'now + 40 sec', 'a minute ago', 'today +05:07', 'tomorrow -0352'])
    expect([start, await tagsOf(start)]).toEqual([start, null]);
});
