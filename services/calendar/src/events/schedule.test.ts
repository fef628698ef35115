/** Events published ahead of their date: the job, the sweep, and the counts of terms that follow. */
import { runJob } from '@sevenfold/chassis/queue/workers';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { makeTerm } from '@sevenfold/content/testing/factories';
import { makeEvent } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';
import { countAll, countChanged } from './counts';
import { eventJobs, eventSweeps } from './jobs';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

const status = async (id: number): Promise<string> =>
  (await site.by('editor').get(`/events/${id}`)).body.status;

async function schedule(date: string): Promise<number> {
  const { body } = await site
    .by('editor')
    .post('/events', { title: 'Later', start_date: '2031-01-01', end_date: '2031-01-01', date });
  expect(body.status).toBe('future');
  return body.id;
}

const jobsOf = (id: number): Promise<{ id: number; run_at: string }[]> =>
  site.deps.db.rows(`select id, run_at from outbox where name = 'publish-event' and payload = $1`, [{ id }]);

const run = async (outboxId: number): Promise<void> =>
  runJob(
    { db: site.deps.db, deps: site.deps, log: site.deps.log },
    eventJobs[0]!,
    outboxId,
    new AbortController().signal,
  );

const soon = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19) + 'Z';
const asSql = (iso: string): string => iso.slice(0, 19).replace('T', ' ');

it('promises the publication at its date, and again when the date moves', async () => {
  const date = soon(600);
  const id = await schedule(date);
  expect((await jobsOf(id)).map((row) => row.run_at)).toEqual([asSql(date)]);
  await site.by('editor').patch(`/events/${id}`, { excerpt: 'x' });
  expect(await jobsOf(id)).toHaveLength(1);
  await site.by('editor').patch(`/events/${id}`, { date: soon(900) });
  expect(await jobsOf(id)).toHaveLength(2);
  expect((await site.by('anonymous').get(`/events/${id}`)).status).toBe(401);
});

it('promises nothing of what is far ahead until it is near, and then once', async () => {
  const id = await schedule('2030-01-01 12:00:00');
  for (const date of ['2031-01-01 12:00:00', '2099-01-01 12:00:00'])
    await site.by('editor').patch(`/events/${id}`, { date });
  await runSweep(eventSweeps, 'publish-due-events', site.deps);
  expect(await jobsOf(id)).toEqual([]);
  const near = soon(1_800);
  await site.deps.db.run('update events set date_utc = $2 where id = $1', [id, near]);
  for (let round = 0; round < 2; round++) await runSweep(eventSweeps, 'publish-due-events', site.deps);
  expect((await jobsOf(id)).map((row) => row.run_at)).toEqual([asSql(near)]);
});

it('publishes when the moment has come, once, and tells', async () => {
  const id = await schedule(soon(600));
  const [job] = await jobsOf(id);
  await run(job!.id);
  expect(await status(id)).toBe('future');
  const again = await schedule(soon(600));
  await site.deps.db.run(`update events set date_utc = now() - interval '1 second' where id = $1`, [again]);
  await run((await jobsOf(again))[0]!.id);
  expect(await status(again)).toBe('publish');
  const told = await site.deps.db.first<{ payload: object }>(
    `select payload from outbox where name = 'calendar.event.changed' and (payload->'events'->0->>'id')::bigint = $1 order by id desc limit 1`,
    [again],
  );
  expect(told?.payload).toMatchObject({ events: [{ status: 'publish', before_status: 'future' }] });
});

it('publishes at once what is scheduled for the past', async () => {
  const { body } = await site.by('editor').post('/events', {
    title: 'Past',
    start_date: '2031-01-01',
    end_date: '2031-01-01',
    status: 'future',
    date: '2020-01-01 10:00:00',
  });
  expect(body.status).toBe('publish');
});

it('goes by the clock of the database, whatever that of its process says', async () => {
  const [byJob, bySweep] = [await schedule(soon(600)), await schedule(soon(600))];
  const { db } = site.deps;
  await db.run(`update events set date_utc = now() where id = any($1::bigint[])`, [[byJob, bySweep]]);
  const isPublished = (id: number) =>
    db.first(`select from events where id = $1 and status = 'publish'`, [id]);
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  try {
    await run((await jobsOf(byJob))[0]!.id);
    expect(await isPublished(byJob)).toBeDefined();
    await runSweep(eventSweeps, 'publish-due-events', site.deps);
    expect(await isPublished(bySweep)).toBeDefined();
  } finally {
    clock.mockRestore();
  }
});

it('sweeps up what was missed', async () => {
  const due = [];
  for (let n = 0; n < 3; n++)
    due.push((await makeEvent(site.deps.db, { status: 'future', date_utc: '2024-01-01Z' })).id);
  const later = await makeEvent(site.deps.db, { status: 'future', date_utc: '2099-01-01Z' });
  await runSweep(eventSweeps, 'publish-due-events', site.deps);
  for (const id of due) expect(await status(id)).toBe('publish');
  expect(await status(later.id)).toBe('future');
});

describe('counts of terms', () => {
  const countOf = async (id: number): Promise<number> =>
    (await site.content.by('anonymous').get(`/calendar_events_cat/${id}`)).body.count;

  it('follow published events, and are whole again after a reconciliation', async () => {
    const term = await makeTerm(site.content.deps.db, { taxonomy: 'calendar_events_cat' });
    const { body } = await site.by('editor').post('/events', {
      title: 'Counted',
      start_date: '2031-01-01',
      end_date: '2031-01-01',
      categories: term.id,
    });
    await makeEvent(site.deps.db, { category_ids: [term.id] });
    await makeEvent(site.deps.db, { category_ids: [term.id], status: 'draft' });
    await countChanged(site.deps);
    expect(await countOf(term.id)).toBe(2);
    await site.by('editor').delete(`/events/${body.id}`);
    await countChanged(site.deps);
    expect(await countOf(term.id)).toBe(1);
    await makeEvent(site.deps.db, { category_ids: [term.id] });
    await site.deps.db.run('delete from term_count_notes');
    await countAll(site.deps);
    expect(await countOf(term.id)).toBe(2);
    await makeEvent(site.deps.db, { category_ids: [term.id] });
    await countAll(site.deps);
    expect(await countOf(term.id)).toBe(3);
    expect(await site.deps.db.first('select count(*) as n from term_count_notes')).toEqual({ n: 0 });
    // Counted once: the note of the last event went with the reconciliation.
    await countChanged(site.deps);
    expect(await countOf(term.id)).toBe(3);
  });
});
