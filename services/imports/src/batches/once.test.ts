/** A job that two workers have at the same time: every batch is noted once, whoever of them comes first. */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { ApiError } from '@sevenfold/chassis/errors';
import { createLog } from '@sevenfold/chassis/log';
import { retryFailed } from '@sevenfold/chassis/queue/failed-jobs';
import { runJob } from '@sevenfold/chassis/queue/workers';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { registerImport, retryBatch } from '../commands';
import { type ImportsSite, report, sendBatches, startImports } from '../testing/service';
import { applyBatches } from './apply';
import { QUEUE } from './queue';

let site: ImportsSite;
beforeAll(async () => {
  // No worker of the service itself: the test delivers.
  site = await startImports({ ROLE: 'api' });
});
afterAll(() => site.stop());

const log = createLog('once', 'test', 'silent');
const { signal } = new AbortController();

const BATCHES = 6;

async function accepted(): Promise<{ importId: string; row: number; job: number }> {
  const { db } = site.deps;
  const registered = await registerImport({ db }, {});
  const { importId } = registered;
  await sendBatches(site, registered, BATCHES);
  const row = Number((await site.row(importId)).id);
  const promised = await db.rows<{ id: number }>(
    `select id from outbox where name = $1 and payload->>'import' = $2 and done_at is null`,
    [applyBatches.name, String(row)],
  );
  expect(promised).toHaveLength(1);
  return { importId, row, job: (promised[0] as { id: number }).id };
}

/** Keys of the import's batches as the calendar got them, each time that it got them. */
const delivered = (importId: string): string[] =>
  site.calendar.calls
    .flatMap(({ batches }) => batches.map(({ key }) => key))
    .filter((key) => key.startsWith(`${importId}/`));
const keysOf = (importId: string): string[] =>
  Array.from({ length: BATCHES }, (_, index) => `${importId}/${index + 1}`);

const deliver = (job: number): Promise<void> =>
  runJob({ db: site.deps.db, deps: site.deps, log }, applyBatches, job, signal);

const NOTED_ONCE = {
  accepted: BATCHES,
  applied: BATCHES,
  state: 'success',
  events_accepted: 2 * BATCHES,
  events_created: 2 * BATCHES,
  events_updated: 0,
  events_skipped: 0,
};

test('one delivery brings each batch to the calendar once', async () => {
  const { importId, job } = await accepted();
  await deliver(job);
  expect(delivered(importId)).toEqual(keysOf(importId));
  expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  await deliver(job);
  expect(delivered(importId)).toEqual(keysOf(importId));
  expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
});

test('of two deliveries at once, both of which the calendar answered, one is noted', async () => {
  const { importId, job, row } = await accepted();
  const { answer } = site.calendar;
  let waiting = 0;
  let open!: () => void;
  const both = new Promise<void>((resolve) => (open = resolve));
  site.calendar.answer = async (request) => {
    waiting += 1;
    if (waiting === 2) open();
    await both;
    return answer(request);
  };
  // The turn of a process lets one through at a time; these two are of two processes.
  const turn: typeof site.deps.turn = (work) => work();
  const call = {
    deps: { ...site.deps, turn },
    payload: { import: row },
    log,
    id: job,
    attempt: 1,
    failures: 0,
    signal,
  };
  try {
    await Promise.all([applyBatches.prepare?.(call), applyBatches.prepare?.(call)]);
  } finally {
    site.calendar.answer = answer;
  }
  // The calendar was asked twice: it knows a batch by its key.
  expect(delivered(importId).sort()).toEqual([...keysOf(importId), ...keysOf(importId)].sort());
  expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  const batches = await site.deps.db.rows<{ state: string; created: number; payload: string | null }>(
    'select state, created, payload from batches where import = $1 order by number',
    [row],
  );
  expect(batches).toEqual(
    Array.from({ length: BATCHES }, () => ({ state: 'applied', created: 2, payload: null })),
  );
});

test('a late answer for batches that were noted meanwhile notes only what is new', async () => {
  const { importId, job, row } = await accepted();
  const { answer } = site.calendar;
  let first = true;
  site.calendar.answer = async (request) => {
    if (first) {
      first = false;
      // While this one waits, another process does all of the work.
      await deliver(job);
    }
    return answer(request);
  };
  const turn: typeof site.deps.turn = (work) => work();
  try {
    await applyBatches.prepare?.({
      deps: { ...site.deps, turn },
      payload: { import: row },
      log,
      id: job,
      attempt: 2,
      failures: 0,
      signal,
    });
  } finally {
    site.calendar.answer = answer;
  }
  expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
});

describe('what a delivery leaves', () => {
  interface Left {
    work: unknown;
    applied: unknown;
    /** Deliveries that are still promised. */
    promised: number;
  }
  const promises = (
    row: number,
  ): Promise<{ id: number; waits: number; failures: number; at: number; pause: number }[]> =>
    site.deps.db.rows(
      `select id, waits, attempts - waits as failures, extract(epoch from run_at)::float8 as at,
         extract(epoch from run_at - now())::float8 as pause
       from outbox where name = $1 and payload->>'import' = $2 and done_at is null and failed_at is null`,
      [applyBatches.name, String(row)],
    );
  const left = async (importId: string): Promise<Left> => {
    const { id, work, applied } = await site.row(importId);
    return { work, applied, promised: (await promises(Number(id))).length };
  };
  const groupsOf = (importId: string): number[] =>
    site.calendar.calls.filter((call) => call.importId === importId).map(({ batches }) => batches.length);
  /** While the work runs the calendar answers so. */
  const answering = async (
    answer: ImportsSite['calendar']['answer'],
    work: () => Promise<unknown>,
  ): Promise<void> => {
    const usual = site.calendar.answer;
    site.calendar.answer = answer;
    try {
      await work();
    } finally {
      site.calendar.answer = usual;
    }
  };

  test('when all is done: nothing', async () => {
    const { importId, job } = await accepted();
    expect(await left(importId)).toEqual({ work: 'queued', applied: 0, promised: 1 });
    await deliver(job);
    expect(await left(importId)).toEqual({ work: 'idle', applied: BATCHES, promised: 0 });
    expect(groupsOf(importId)).toEqual([BATCHES]);
  });

  test('when there is no such import: nothing', async () => {
    const nobody = 987_654_321;
    const job = await enqueue(site.deps.db, QUEUE, applyBatches.name, { import: nobody });
    await deliver(job);
    expect(await promises(nobody)).toEqual([]);
    expect(await site.deps.db.first('select last_error from outbox where id = $1', [job])).toEqual({
      last_error: null,
    });
  });

  test('when the process ends: another promise of all that waits', async () => {
    const { importId, job } = await accepted();
    const options = { db: site.deps.db, deps: site.deps, log };
    await runJob(options, applyBatches, job, AbortSignal.abort());
    expect(groupsOf(importId)).toEqual([]);
    expect(await left(importId)).toEqual({ work: 'queued', applied: 0, promised: 1 });
  });

  test('when the calendar is away: a promise for soon, and no failure, however often', async () => {
    const { importId, job, row } = await accepted();
    await answering(
      () => Promise.reject(new ApiError('service_unavailable', 503, 'The calendar is away.')),
      async () => {
        for (const [index, seconds] of [0.5, 1, 2, 4, 8, 10, 10].entries()) {
          const before = Date.now() / 1000;
          await deliver(job);
          const [promise] = await promises(row);
          expect(promise).toMatchObject({ id: job, waits: index + 1, failures: 0 });
          // However long the machine took for it.
          expect(promise?.at).toBeGreaterThanOrEqual(before + seconds - 0.01);
          expect(promise?.pause).toBeLessThanOrEqual(seconds);
        }
      },
    );
    expect(await left(importId)).toEqual({ work: 'queued', applied: 0, promised: 1 });
    await deliver(job);
    // What waited is as good as new: it goes at once.
    expect(groupsOf(importId).at(-1)).toBe(BATCHES);
    expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  });

  test.each<[string, ImportsSite['calendar']['answer'], string]>([
    [
      'refuses',
      () => Promise.reject(new ApiError('odd_batch', 400, 'The batch is odd.')),
      'The batch is odd.',
    ],
    [
      'answers for some only',
      async (request) => {
        const { batches } = await site.calendar.answer(request);
        return { batches: batches.slice(1) };
      },
      'the calendar answered 5 of 6 batches',
    ],
  ])(
    'when the calendar %s: a failure with its reason, and then one by one',
    async (_what, answer, reason) => {
      const { importId, job, row } = await accepted();
      const usual = site.calendar.answer;
      await answering(
        (request) => {
          site.calendar.answer = usual;
          return answer(request);
        },
        () => deliver(job),
      );
      expect(await promises(row)).toMatchObject([{ id: job, waits: 0, failures: 1 }]);
      const { last_error } = (await site.deps.db.first<{ last_error: string }>(
        'select last_error from outbox where id = $1',
        [job],
      )) as { last_error: string };
      expect(last_error).toBe(reason);
      expect(await left(importId)).toEqual({ work: 'queued', applied: 0, promised: 1 });
      await deliver(job);
      expect(groupsOf(importId)).toEqual([BATCHES, 1, 1, 1, 1, 1, 1]);
      expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
    },
  );

  test('when a group takes the calendar too long: smaller ones, at once and from then on', async () => {
    const { importId, job, row } = await accepted();
    const usual = site.calendar.answer;
    const tooLong = new ApiError('upstream_timeout', 504, 'The request took too long and was stopped.');
    await answering(
      (request) => (request.batches.length > 1 ? Promise.reject(tooLong) : usual(request)),
      () => deliver(job),
    );
    expect(groupsOf(importId)).toEqual([BATCHES, 2, 1, 1, 1, 1, 1, 1]);
    expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
    expect(await promises(row)).toEqual([]);
  });

  test('when one batch by itself takes the calendar too long: patience, and a stop in the end', async () => {
    const { importId, job, row } = await accepted();
    const reason = 'The request took too long and was stopped.';
    const patient = 20;
    const away = 25;
    // That the calendar was away before counts for nothing.
    await answering(
      () => Promise.reject(new ApiError('service_unavailable', 503, 'The calendar is away.')),
      async () => {
        for (let n = 0; n < away; n++) await deliver(job);
      },
    );
    await answering(
      () => Promise.reject(new ApiError('upstream_timeout', 504, reason)),
      async () => {
        for (let n = 1; n <= patient + 4; n++) {
          await deliver(job);
          const failures = Math.max(0, n - patient);
          expect(await promises(row)).toMatchObject([{ id: job, waits: away + n - failures, failures }]);
        }
        await deliver(job);
      },
    );
    expect(await left(importId)).toEqual({ work: 'blocked', applied: 0, promised: 0 });
    expect(
      await site.deps.db.rows(`select number, error from batches where import = $1 and state = 'failed'`, [
        row,
      ]),
    ).toEqual([{ number: 1, error: reason }]);
  });

  test('when all was noted and only the end of the work failed for good: the next batch is worked on', async () => {
    const { db } = site.deps;
    const registered = await registerImport({ db }, {});
    const first = await site
      .as()
      .post(`/import/${registered.importId}/batch`, report(registered.batchHash, 0, 2));
    const jobOf = async (): Promise<number | undefined> =>
      (
        await db.first<{ id: number }>(
          `select o.id from outbox o join imports i on o.payload->>'import' = i.id::text
            where o.name = $1 and i.import_id = $2 and o.done_at is null and o.failed_at is null`,
          [applyBatches.name, registered.importId],
        )
      )?.id;
    await db.run('create sequence ends');
    await db.run(
      `create function not_yet() returns trigger language plpgsql as $$ begin
         if nextval('ends') <= 5 then raise exception 'not yet'; end if; return new; end $$`,
    );
    await db.run(
      `create trigger not_yet before update of work on imports for each row when (new.work = 'idle') execute function not_yet()`,
    );
    const job = (await jobOf()) as number;
    for (let n = 0; n < 5; n++) await deliver(job);
    await db.run('drop trigger not_yet on imports');
    expect(await site.row(registered.importId)).toMatchObject({ accepted: 1, applied: 1, work: 'idle' });
    const body = report(first.body.next_batch_hash as string, 1, 2);
    expect((await site.as().post(`/import/${registered.importId}/batch`, body)).status).toBe(200);
    await deliver((await jobOf()) as number);
    expect(await site.row(registered.importId)).toMatchObject({ applied: 2, state: 'success' });
  });

  test('when it failed for good while a batch was being kept: that one is failed as well, and can be put back', async () => {
    const { db } = site.deps;
    const registered = await registerImport({ db }, {});
    const { importId } = registered;
    await site.as().post(`/import/${importId}/batch`, report(registered.batchHash, 0, 2));
    const { id } = (await db.first<{ id: number }>('select id from imports where import_id = $1', [
      importId,
    ]))!;
    await db.run(`update batches set state = 'applied', payload = null where import = $1`, [id]);
    await db.run('update imports set applied = accepted where id = $1', [id]);
    const error = new Error('It is odd.');
    let failing: Promise<void> | undefined;
    await db.transaction(async (keeping) => {
      await keeping.run('update imports set accepted = 2 where id = $1', [id]);
      failing = db.transaction(async (tx) =>
        applyBatches.failed?.(
          { tx, deps: site.deps, payload: { import: id }, log, id: 0, attempt: 5, failures: 5, signal },
          error,
        ),
      );
      await untilLocked(db, '%imports%');
      await keeping.run(
        `insert into batches (import, number, hash, digest, payload, events, shown_applied, shown_attachments)
         select import, 2, 'second', digest, '[]', 0, 0, 0 from batches where import = $1`,
        [id],
      );
    });
    await failing;
    expect(await site.row(importId)).toMatchObject({ accepted: 2, applied: 1, work: 'blocked' });
    await retryBatch(site.deps, importId, 2);
    expect((await site.row(importId)).work).toBe('queued');
  });

  test('when one of two deliveries failed for good with what the other brings through: work on all that waits', async () => {
    const { importId, job, row } = await accepted();
    const { db } = site.deps;
    await db.run('update outbox set attempts = max_attempts - 1 where id = $1', [job]);
    // The turn of a process lets one through at a time; these two are of two processes.
    const turn: typeof site.deps.turn = (work) => work();
    const another = { db, deps: { ...site.deps, turn }, log };
    const { answer } = site.calendar;
    let asked = 0;
    await answering(
      async (request) => {
        asked += 1;
        if (asked === 2) throw new ApiError('odd_batch', 400, 'The batch is odd.');
        if (asked === 1) {
          await runJob(another, applyBatches, job, signal);
          expect(await left(importId)).toEqual({ work: 'blocked', applied: 0, promised: 0 });
        }
        return answer(request);
      },
      () => deliver(job),
    );
    const [promise, ...more] = await promises(row);
    expect(more).toEqual([]);
    await deliver(promise!.id);
    expect(await left(importId)).toEqual({ work: 'idle', applied: BATCHES, promised: 0 });
    expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  });

  test('when it failed for good: a stop, which no further delivery ends', async () => {
    const { importId, job, row } = await accepted();
    await answering(
      () => Promise.reject(new ApiError('odd_batch', 400, 'The batch is odd.')),
      async () => {
        for (let n = 0; n < 5; n++) await deliver(job);
      },
    );
    expect(await left(importId)).toEqual({ work: 'blocked', applied: 0, promised: 0 });
    expect(groupsOf(importId)).toEqual([BATCHES, 1, 1, 1, 1]);
    const another = await enqueue(site.deps.db, QUEUE, applyBatches.name, { import: row });
    await deliver(another);
    expect(await left(importId)).toEqual({ work: 'blocked', applied: 0, promised: 0 });
    expect(groupsOf(importId)).toHaveLength(5);
    expect(
      await site.deps.db.rows(`select number, error from batches where import = $1 and state = 'failed'`, [
        row,
      ]),
    ).toEqual([{ number: 1, error: 'The batch is odd.' }]);
  });

  const stopped = async (): Promise<Awaited<ReturnType<typeof accepted>>> => {
    const made = await accepted();
    await answering(
      () => Promise.reject(new ApiError('odd_batch', 400, 'The batch is odd.')),
      async () => {
        for (let n = 0; n < 5; n++) await deliver(made.job);
      },
    );
    expect(await left(made.importId)).toEqual({ work: 'blocked', applied: 0, promised: 0 });
    return made;
  };
  const jobRow = (id: number) =>
    site.deps.db.first(
      `select done_at is not null as done, failed_at is not null as failed, last_error from outbox where id = $1`,
      [id],
    );
  const retry = (id: number) => retryFailed(site.deps.db, [applyBatches], { ids: [id] });

  test('when its job is retried, however often at once: it goes on where it stopped', async () => {
    const { importId, job, row } = await stopped();
    const answers = await Promise.all([retry(job), retry(job), retry(job)]);
    expect(answers.map(({ retried }) => retried).sort()).toEqual([0, 0, 1]);
    expect(await promises(row)).toMatchObject([{ id: job, failures: 0 }]);
    expect(await left(importId)).toMatchObject({ work: 'queued', applied: 0 });
    expect(
      await site.deps.db.rows(`select number from batches where import = $1 and state = 'failed'`, [row]),
    ).toEqual([]);
    await deliver(job);
    expect(await left(importId)).toEqual({ work: 'idle', applied: BATCHES, promised: 0 });
    expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  });

  test('when the batch is put back to work: another job, and nobody has to look at the one that failed', async () => {
    const { importId, job, row } = await stopped();
    await retryBatch(site.deps, importId, 1);
    expect(await jobRow(job)).toEqual({ done: true, failed: false, last_error: 'The batch is odd.' });
    expect(await retry(job)).toEqual({ retried: 0, left: [] });
    const [promise, ...more] = await promises(row);
    expect([more, promise?.id === job]).toEqual([[], false]);
    await deliver(promise!.id);
    expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  });

  test('when its job is retried after another one did the work: nothing', async () => {
    const { importId, job } = await stopped();
    await retryBatch(site.deps, importId, 1);
    await site.deps.db.run('update outbox set failed_at = now(), done_at = null where id = $1', [job]);
    const other = await promises(Number((await site.row(importId)).id));
    await deliver(other[0]!.id);
    expect(await retry(job)).toEqual({ retried: 1, left: [] });
    await deliver(job);
    expect(await jobRow(job)).toMatchObject({ done: true, failed: false });
    expect(await left(importId)).toEqual({ work: 'idle', applied: BATCHES, promised: 0 });
    expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  });
});
