/** What a worker tells of its outbox and its jobs, as `/metrics` shows it. */
import { enqueue, emit } from '../db/outbox';
import { type SampleDeps, sampleService } from '../testing/sample';
import { type TestService, startTestService } from '../testing/service';
import { until } from '../testing/until';
import { tellOutbox } from './metrics';

let site: TestService<SampleDeps>;
beforeEach(async () => {
  site = await startTestService(sampleService, { ROLE: 'api' });
});
afterEach(() => site.stop());

/** Of the samples of this name, label by label. */
async function told(name: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${site.url}/metrics`)).text();
  const found = text.matchAll(new RegExp(`^${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'));
  return Object.fromEntries(Array.from(found, ([, labels = '', value]) => [labels, Number(value)]));
}

test('what waits, waits for later, failed before and failed for good is told, and so is for how long', async () => {
  const { db } = site.deps;
  const stop = tellOutbox(db, ['sample.notes', 'sample.quiet']);
  expect(await told('jobs_oldest_seconds')).toEqual({ 'queue="sample.notes"': 0, 'queue="sample.quiet"': 0 });
  for (const id of [1, 2, 3, 4]) await enqueue(db, 'sample.notes', 'apply-note', { id });
  await enqueue(db, 'sample.notes', 'apply-note', { id: 5 }, { runAt: new Date(Date.now() + 3_600_000) });
  await emit(db, 'sample.note.changed', { id: 1 });
  const set = (id: number, what: string): Promise<number> =>
    db.run(`update outbox set ${what} where kind = 'job' and (payload->>'id')::int = $1`, [id]);
  await set(1, `run_at = now() - interval '100 seconds', attempts = 3, waits = 1`);
  await set(2, `sent_at = now()`);
  await set(3, `failed_at = now()`);
  await set(4, `done_at = now()`);
  expect(await told('jobs')).toEqual({
    'queue="sample.notes",state="waiting"': 2,
    'queue="sample.notes",state="later"': 1,
    'queue="sample.notes",state="retried"': 1,
    'queue="sample.notes",state="failed"': 1,
    'queue="sample.quiet",state="waiting"': 0,
    'queue="sample.quiet",state="later"': 0,
    'queue="sample.quiet",state="retried"': 0,
    'queue="sample.quiet",state="failed"': 0,
  });
  expect(await told('outbox_rows')).toEqual({
    'kind="job",state="unsent"': 1,
    'kind="job",state="sent"': 1,
    'kind="job",state="later"': 1,
    'kind="job",state="failed"': 1,
    'kind="event",state="unsent"': 1,
    'kind="event",state="sent"': 0,
    'kind="event",state="later"': 0,
    'kind="event",state="failed"': 0,
  });
  const oldest = (await told('jobs_oldest_seconds'))['queue="sample.notes"'] as number;
  expect(oldest).toBeGreaterThanOrEqual(100);
  expect((await told('outbox_oldest_seconds'))['kind="job"']).toBeGreaterThanOrEqual(oldest);
  stop();
  expect(await told('jobs')).toEqual({});
});

test('a state that cannot be read is left out, and the rest of the page is there', async () => {
  const { db } = site.deps;
  const stop = tellOutbox(db, ['sample.notes']);
  await db.run('alter table outbox rename to elsewhere');
  expect(await told('jobs')).toEqual({});
  expect(await told('log_lines_dropped_total')).toEqual({ '': 0 });
  stop();
});

test('each try of a job is counted by how it ended', async () => {
  const worker = await startTestService(sampleService, { ROLE: 'all' });
  const { db, failing } = worker.deps;
  failing.set(1, 1);
  const ended = async (outcome: string): Promise<number> =>
    (await told('jobs_total'))[`queue="sample.notes",job="apply-note",outcome="${outcome}"`] ?? 0;
  const before = { done: await ended('done'), retried: await ended('retried') };
  await db.run(`insert into notes (text) values ('one')`);
  await enqueue(db, 'sample.notes', 'apply-note', { id: 1 });
  await until(async () => (await ended('done')) === before.done + 1);
  expect(await ended('retried')).toBe(before.retried + 1);
  await worker.stop();
});
