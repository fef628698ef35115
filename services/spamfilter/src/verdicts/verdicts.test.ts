/** From what was judged to the roll-ups. */
import { until } from '@sevenfold/chassis/testing/until';
import type { TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '../deps';
import { startSpamfilter } from '../testing/service';
import { type VerdictEvent, recordAll } from './record';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSpamfilter({ ROLE: 'all' });
});
afterAll(() => site.stop());

const note = (...events: Partial<VerdictEvent>[]): Promise<void> =>
  site.deps.db.transaction((tx) =>
    recordAll(
      tx,
      events.map((event) => ({
        key: 'comment/1',
        kind: 'comment',
        event: 'judged',
        verdict: 'ham',
        ...event,
      })),
    ),
  );

const counted = (): Promise<unknown> =>
  until(async () => (await site.deps.db.first('select from uncounted_events limit 1')) === undefined);

test('verdicts, corrections and reversals are counted for the day of the verdict', async () => {
  const judgedAt = '2026-01-31T23:59:59Z';
  await note(
    { judgedAt },
    { judgedAt, verdict: 'spam' },
    { judgedAt, verdict: 'blatant' },
    { judgedAt, event: 'corrected' },
    { judgedAt, event: 'corrected', verdict: 'blatant' },
    { judgedAt: '2026-01-02T00:00:00Z', event: 'corrected', verdict: 'spam' },
  );
  await note({ judgedAt, event: 'reversed' });
  await counted();
  expect(await site.deps.db.rows('select * from rollups order by period, start')).toEqual([
    { period: 'day', start: '2026-01-02', spam: 0, ham: 0, missed_spam: 0, false_positives: 1 },
    { period: 'day', start: '2026-01-31', spam: 2, ham: 1, missed_spam: 0, false_positives: 1 },
    { period: 'month', start: '2026-01-01', spam: 2, ham: 1, missed_spam: 0, false_positives: 2 },
  ]);
});

test('what is judged in a transaction that is rolled back is no event', async () => {
  const before = await site.deps.db.rows('select * from rollups');
  await expect(
    site.deps.db.transaction(async (tx) => {
      await recordAll(tx, [{ key: 'comment/2', kind: 'comment', event: 'judged', verdict: 'spam' }]);
      throw new Error('not this one');
    }),
  ).rejects.toThrow('not this one');
  expect(await site.deps.db.rows(`select from verdict_events where key = 'comment/2'`)).toEqual([]);
  await counted();
  expect(await site.deps.db.rows('select * from rollups')).toEqual(before);
});
