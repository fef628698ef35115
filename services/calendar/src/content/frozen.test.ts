/** The calendar in front of a content service that is frozen, whole or in part: its connections stay open, and nothing comes. */
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { makeTerm } from '@sevenfold/content/testing/factories';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import type { Deps } from '../deps';
import { makeEvent } from '../testing/factories';
import { startCalendarOf } from '../testing/service';

const EVENT = { title: 'Concert', start_date: '2030-05-01 10:00', end_date: '2030-05-01 11:00' };
// Each would wait a second and a half for its answer: together longer than a test may take.
const MANY = 40;

let content: ContentSite;
let door: Freezable;
let calendar: TestService<Deps>;
beforeAll(async () => {
  content = await startContent();
  door = await startFreezable(content.service.grpcPort);
  calendar = await startCalendarOf(`127.0.0.1:${door.port}`);
});
afterAll(async () => {
  door.thaw();
  await calendar.stop();
  await content.stop();
  await door.stop();
});

test('its silence costs nobody a wait, and from its first beat on everything is asked again', async () => {
  const create = (fields: object) =>
    calendar.as(content.users.editor).post('/events', { ...EVENT, ...fields });
  expect((await create({ tags: 'known' })).status).toBe(201);
  for (let turn = 0; turn < 2; turn++) {
    door.freeze();
    await until(() => calendar.deps.content.pulse.isLost());
    for (let n = 0; n < MANY; n++) {
      expect((await create({ tags: `new ${turn}` })).status).toBe(503);
      expect((await create({ categories: [987_654 + n] })).status).toBe(503);
      expect((await calendar.as().get('/events?start_date=2030-05-01')).status).toBe(200);
    }
    door.thaw();
    await until(() => !calendar.deps.content.pulse.isLost());
    // No rest is left over: the first read after it is answered by the content service itself.
    expect((await calendar.as().get(`/categories/${987_000 + turn}`)).status).toBe(404);
    expect((await create({ tags: `new ${turn}` })).status).toBe(201);
  }
});

test('from its first answer on nothing is shown any more that was made without one', async () => {
  const { db } = content.deps;
  const tag = await makeTerm(db, { taxonomy: 'post_tag', name: 'Before' });
  const { id } = await makeEvent(calendar.deps.db, { tag_ids: `{${tag.id}}` });
  const ofTag = async (): Promise<string> => (await calendar.as().get(`/tags/${tag.id}`)).body.name;
  const ofEvent = async (): Promise<string> => (await calendar.as().get(`/events/${id}`)).body.tags[0]?.name;
  await until(async () => (await ofEvent()) === 'Before');
  const keeper = await db.pool.connect();
  try {
    await db.run(`update terms set name = 'Behind' where id = $1`, [tag.id]);
    await keeper.query('begin; lock table terms in access exclusive mode');
    await until(() => calendar.deps.contentNews.caughtUp());
    expect(await ofEvent()).toBe('Before');
  } finally {
    await keeper.query('rollback');
    keeper.release();
  }
  await until(async () => (await ofTag()) === 'Behind');
  // What was made of the old name would be remembered for seconds. One answer may be late on a busy machine.
  let rounds = 0;
  await until(async () => {
    rounds++;
    return (await ofTag()) === (await ofEvent());
  });
  expect(rounds).toBeLessThan(10);
});
