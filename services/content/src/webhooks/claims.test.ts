/** Deliveries and rounds as rows: once for each event, one at a time of each object, each claim for one, each round for one webhook. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type ContentSite, startContent } from '../testing/service';
import * as deliveries from './deliveries';
import { webhookSubscriptions } from './record';
import * as rounds from './rounds';
import * as store from './store';

let site: ContentSite;
let db: Db;
beforeAll(async () => {
  site = await startContent();
  db = site.deps.db;
});
beforeEach(() => db.run('truncate webhooks, webhook_deliveries, webhook_secrets restart identity'));
afterAll(() => site.stop());

const hook = (): Promise<number> =>
  store.insert(db, {
    owner: site.users.administrator.id,
    url: 'https://receiver.test/',
    topics: ['content.*'],
    audience: 'public',
    description: '',
  });
const about = (webhook: number, id: number | string, kind = 'post') => ({
  webhook,
  topic: `content.${kind}.updated`,
  kind,
  object_id: String(id),
});
let occasions = 0;
const happens = (
  rows: readonly ReturnType<typeof about>[],
  occasion: Partial<deliveries.Occasion> = {},
): Promise<number[]> => {
  const sequence = (occasions += 1);
  return deliveries.insertAll(db, rows, {
    event: `content.post.changed/${sequence}`,
    sequence,
    hours: 24,
    ...occasion,
  });
};
const all = { state: '', before: 0, limit: 100 };
const rowOf = (id: number) =>
  db.first<Record<string, unknown>>('select * from webhook_deliveries where id = $1', [id]);
const hookOf = (id: number) =>
  db.first<Record<string, unknown>>('select * from webhooks where id = $1', [id]);
const claim = (webhook: number, atOnce = 10, seconds = 6_000) =>
  deliveries.claim(db, webhook, { atOnce, seconds });
/** Ascending: in which order what is claimed is told is the database's. */
const idsOf = (rows: readonly { readonly id: number }[]): number[] =>
  rows.map(({ id }) => id).sort((a, b) => a - b);
const set = (id: number, change: string) =>
  db.run(`update webhook_deliveries set ${change} where id = $1`, [id]);
const setHook = (id: number, change: string) => db.run(`update webhooks set ${change} where id = $1`, [id]);
const told = { ms: 7, status: 500, answer: 'Ow', error: 'It answered 500.' };
const asked = { url: 'https://receiver.test/', disabledBefore: null };
const failure = { ...told, asked, seconds: 1_000, quietSeconds: 0, hours: 1 };

/** A webhook with so many deliveries, each of an object of its own, and another with one. */
async function some(count: number): Promise<{ one: number; other: number; ids: number[]; foreign: number }> {
  const [one, other] = [await hook(), await hook()];
  for (let n = 1; n <= count; n++) await happens([about(one, n)]);
  await happens([about(other, 1)]);
  const foreign = (await deliveries.list(db, other, all))[0] as deliveries.DeliveryRow;
  return { one, other, ids: idsOf(await deliveries.list(db, one, all)), foreign: foreign.id };
}

describe('deliveries are made', () => {
  test('once of news that come again, and of others that have their number, as of a database that was put back', async () => {
    const one = await hook();
    const [news] = webhookSubscriptions.filter(({ topic }) => topic === 'content.post.changed');
    const comes = (at: string): Promise<void> =>
      site.deps.db.transaction((tx) =>
        news!.handle({
          tx,
          deps: site.deps,
          topic: 'content.post.changed',
          id: 7,
          at,
          payload: { id: 3, type: 'post', status: 'publish', before: 'publish' },
          log: site.deps.log,
        }),
      );
    for (const at of ['2090-01-31 18:00:00', '2090-01-31 18:00:00', '2090-01-31 18:00:01']) await comes(at);
    expect(await deliveries.list(db, one, all)).toHaveLength(2);
  });

  test('once for each webhook, event and object, and say whose they are', async () => {
    const [one, other] = [await hook(), await hook()];
    const given = [about(one, 1), about(one, 2), about(other, 1)];
    const event = { event: 'content.post.changed/7', sequence: 7 };
    expect(await happens(given, event)).toEqual([one, other]);
    expect(await happens(given, event)).toEqual([]);
    expect(await happens([about(one, 3)], event)).toEqual([one]);
    expect(await deliveries.list(db, one, all)).toHaveLength(3);
  });

  test('at the time of what happened, or now', async () => {
    const one = await hook();
    await happens([about(one, 1)], { at: '2020-02-03 04:05:06' });
    await happens([about(one, 2)]);
    const [then, now] = (await claim(one)).sort((a, b) => a.id - b.id);
    expect(then?.happenedAt).toBe('2020-02-03 04:05:06');
    expect(now?.happenedAt.slice(0, 2)).toBe('20');
    expect(now?.happenedAt).not.toBe(then?.happenedAt);
  });
});

describe('a claim', () => {
  test('is for one: what is claimed is not claimed again until the claim ends', async () => {
    const { one, ids } = await some(2);
    expect(idsOf(await claim(one))).toEqual(ids);
    expect(await claim(one)).toEqual([]);
    await set(ids[1] as number, 'sending_until = now()');
    const [again] = await claim(one);
    expect([again?.id, again?.webhook, again?.until]).toEqual([ids[1], one, expect.any(String)]);
  });

  test('takes what waits, is due, and is of an active webhook, and no more than may be on their way', async () => {
    const { one, other, ids } = await some(5);
    const [delivered, later, third, fourth, fifth] = ids as [number, number, number, number, number];
    await set(delivered, `state = 'delivered'`);
    await set(later, `next_at = now() + interval '1 hour'`);
    expect(idsOf(await claim(one, 2))).toEqual([third, fourth]);
    expect(await claim(one, 2)).toEqual([]);
    // One that is on its way although it is given up takes no room, nor does what others send.
    await set(third, `state = 'given_up'`);
    expect(await claim(other, 1)).toHaveLength(1);
    expect(idsOf(await claim(one, 2))).toEqual([fifth]);
    await setHook(one, `state = 'disabled'`);
    await set(fifth, 'sending_until = null');
    expect(await claim(one)).toEqual([]);
  });

  test('begins with what has been due for longest, by itself or since a claim of it ended', async () => {
    const { one, ids } = await some(3);
    const [first, second, third] = ids as [number, number, number];
    await set(first, `next_at = now() - interval '1 hour', sending_until = now() - interval '1 second'`);
    await set(second, `next_at = now() - interval '1 minute'`);
    await set(third, `next_at = now() - interval '2 minutes'`);
    expect(idsOf(await claim(one, 1))).toEqual([third]);
    expect(idsOf(await claim(one, 2))).toEqual([second]);
    expect(idsOf(await claim(one, 3))).toEqual([first]);
  });

  test('waits for what is earlier of the same object, for three tries, and for what is on its way', async () => {
    const one = await hook();
    // Same number, another kind; the same object for another webhook.
    const other = await hook();
    await happens([about(other, 1)]);
    await happens([about(one, 1)]);
    await happens([about(one, 1)]);
    await happens([about(one, 1, 'comment')]);
    const [first, second, comment] = idsOf(await deliveries.list(db, one, all)) as [number, number, number];
    expect(idsOf(await claim(one))).toEqual([first, comment]);
    expect(await deliveries.nextDue(db, one)).toBeGreaterThan(50);
    for (const tries of [1, 2]) {
      await set(first, `attempts = ${tries}, sending_until = null, next_at = now() + interval '1 hour'`);
      expect(await claim(one)).toEqual([]);
    }
    await set(first, 'attempts = 3');
    expect(idsOf(await claim(one))).toEqual([second]);
    // The turn of the earlier one has come again, and the later one is on its way.
    await set(first, 'next_at = now()');
    expect(await claim(one)).toEqual([]);
  });
});

test('what is due next is told of an active webhook that waits for something', async () => {
  const { one, other, ids } = await some(2);
  const [first, second] = ids as [number, number];
  expect(await deliveries.nextDue(db, one)).toBeLessThanOrEqual(0);
  await set(first, `next_at = now() + interval '100 seconds'`);
  await set(second, `next_at = now(), sending_until = now() + interval '200 seconds'`);
  const due = (await deliveries.nextDue(db, one)) as number;
  expect([due > 50, due <= 100]).toEqual([true, true]);
  await db.run(`update webhook_deliveries set state = 'given_up' where webhook = $1`, [one]);
  expect(await deliveries.nextDue(db, one)).toBeUndefined();
  await setHook(other, `state = 'disabled'`);
  expect(await deliveries.nextDue(db, other)).toBeUndefined();
});

describe('a try', () => {
  test('that arrives settles its delivery and makes its webhook well; no other', async () => {
    const { one, other, foreign } = await some(1);
    await db.run(`update webhooks set failing_since = now()`);
    const [claimed] = (await claim(one)) as [deliveries.Claimed];
    await deliveries.arrived(db, claimed, { ...told, status: 200, error: '' });
    expect(await rowOf(claimed.id)).toMatchObject({
      ...{
        state: 'delivered',
        attempts: 1,
        sending_until: null,
        ms: 7,
        status: 200,
        answer: 'Ow',
        error: '',
      },
      tried_at: expect.any(String),
    });
    expect(await rowOf(foreign)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await hookOf(one)).toMatchObject({ failing_since: null, delivered_at: expect.any(String) });
    expect(await hookOf(other)).toMatchObject({ failing_since: expect.any(String), delivered_at: null });
  });

  test('that fails comes again later; its webhook is known to fail, and for how long', async () => {
    const { one, other, foreign } = await some(1);
    const [claimed] = (await claim(one)) as [deliveries.Claimed];
    expect(await deliveries.failed(db, claimed, failure)).toEqual({ state: 'waiting', isTooLong: false });
    expect(await rowOf(claimed.id)).toMatchObject({ ...told, attempts: 1, sending_until: null });
    expect(await rowOf(foreign)).toMatchObject({ attempts: 0 });
    expect(await hookOf(one)).toMatchObject({ failing_since: expect.any(String) });
    expect(await hookOf(other)).toMatchObject({ failing_since: null });
    expect(await deliveries.nextDue(db, one)).toBeGreaterThan(50);
    await setHook(one, `failing_since = now() - interval '2 hours'`);
    await set(claimed.id, 'expires_at = now(), next_at = now()');
    const [again] = (await claim(one)) as [deliveries.Claimed];
    expect(await deliveries.failed(db, again, failure)).toEqual({ state: 'given_up', isTooLong: true });
    // The webhook was deleted meanwhile: nothing is left to settle.
    await db.run('delete from webhook_deliveries where id = $1', [claimed.id]);
    expect(await deliveries.failed(db, claimed, failure)).toBeUndefined();
    await db.run('delete from webhooks where id = $1', [one]);
    expect(await deliveries.failed(db, claimed, failure)).toBeUndefined();
  });

  test('that failed long ago, of whoever stood still since, takes nothing from the next one', async () => {
    const { one } = await some(1);
    const [still] = (await claim(one)) as [deliveries.Claimed];
    await set(still.id, 'sending_until = now()');
    const [next] = (await claim(one)) as [deliveries.Claimed];
    expect(await deliveries.failed(db, still, failure)).toBeUndefined();
    expect(await rowOf(next.id)).toMatchObject({ attempts: 0, error: '', sending_until: expect.any(String) });
    await deliveries.arrived(db, next, { ...told, status: 200, error: '' });
    expect(await deliveries.failed(db, still, failure)).toBeUndefined();
    expect(await rowOf(next.id)).toMatchObject({ state: 'delivered', attempts: 1, status: 200, error: '' });
    expect(await hookOf(one)).toMatchObject({ failing_since: null });
  });

  test('that was none is put off by whoever has the claim', async () => {
    const { one, ids } = await some(2);
    const [claimed, neighbour] = (await claim(one)) as [deliveries.Claimed, deliveries.Claimed];
    expect(await deliveries.putOff(db, { ...claimed, until: '2020-01-01 00:00:00+00' }, 'why', 5)).toBe(0);
    expect(await rowOf(claimed.id)).toMatchObject({ error: '', sending_until: expect.any(String) });
    expect(await deliveries.putOff(db, claimed, 'why', 100)).toBe(1);
    expect(await rowOf(claimed.id)).toMatchObject({
      state: 'waiting',
      error: 'why',
      sending_until: null,
      attempts: 0,
    });
    // Claimed in one statement, so the claims end together.
    expect(neighbour.until).toBe(claimed.until);
    expect(await rowOf(neighbour.id)).toMatchObject({ error: '', sending_until: expect.any(String) });
    expect(await deliveries.isAnyOnItsWay(db, one)).toBe(true);
    await set(neighbour.id, 'expires_at = now()');
    expect(await deliveries.putOff(db, neighbour, 'late', 5)).toBe(1);
    expect(await rowOf(neighbour.id)).toMatchObject({ state: 'given_up' });
    expect(await deliveries.isAnyOnItsWay(db, one)).toBe(false);
    expect(idsOf([claimed, neighbour])).toEqual(ids);
  });
});

test('people find, list and send again what is of their webhook', async () => {
  const { one, other, ids, foreign } = await some(3);
  const [first, second, third] = ids as [number, number, number];
  expect((await deliveries.find(db, one, second))?.id).toBe(second);
  expect(await deliveries.find(db, one, foreign)).toBeUndefined();
  await happens([about(one, 9), about(other, 9)], { event: 'mark' });
  expect(await deliveries.findByEvent(db, one, 'mark')).toMatchObject({ webhook: one, objectId: '9' });
  expect(await deliveries.findByEvent(db, other, 'mark')).toMatchObject({ webhook: other, objectId: '9' });
  expect(await deliveries.findByEvent(db, one, 'none')).toBeUndefined();
  await set(first, `state = 'delivered', attempts = 2`);
  expect(idsOf(await deliveries.list(db, one, { ...all, state: 'delivered' }))).toEqual([first]);
  expect(idsOf(await deliveries.list(db, one, { ...all, before: third }))).toEqual([first, second]);
  expect(idsOf(await deliveries.list(db, one, { ...all, before: third, limit: 1 }))).toEqual([second]);
  await set(third, `sending_until = now() + interval '1 minute'`);
  expect(await deliveries.again(db, one, third, 24)).toBe(0);
  // Given up while it is on its way, it is waited for from now on, and comes again where this try fails.
  await set(third, `state = 'given_up', error = 'The webhook was disabled.'`);
  expect(await deliveries.again(db, one, third, 24)).toBe(1);
  expect(await rowOf(third)).toMatchObject({ state: 'waiting', error: '' });
  expect(await deliveries.again(db, one, foreign, 24)).toBe(0);
  expect(await deliveries.again(db, one, first, 24)).toBe(1);
  expect(await rowOf(first)).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(await deliveries.countWaiting(db)).toBe(6);
});

test('what is old goes when nobody waits for it', async () => {
  const { ids } = await some(3);
  const [delivered, given, young] = ids as [number, number, number];
  await db.run(`update webhook_deliveries set created_at = now() - interval '31 days'`);
  await set(delivered, `state = 'delivered'`);
  await set(given, `state = 'given_up'`);
  await set(young, `state = 'given_up', created_at = now() - interval '29 days'`);
  expect(await deliveries.removeOld(db, 30)).toBe(2);
  expect([await rowOf(delivered), await rowOf(given)]).toEqual([undefined, undefined]);
  expect(await rowOf(young)).toBeDefined();
  expect(await deliveries.countWaiting(db)).toBe(1);
  await db.run('delete from webhook_deliveries');
  expect(await deliveries.countWaiting(db)).toBe(0);
});

describe('rounds', () => {
  const ordered = () =>
    db.rows<{ payload: rounds.Round; seconds: number; tries: number }>(
      `select payload, extract(epoch from run_at - now())::float8 as seconds, max_attempts as tries
       from outbox where channel = $1 and name = $2 order by id`,
      [rounds.QUEUE, rounds.DELIVER],
    );
  beforeEach(() => db.run('delete from outbox'));

  test('are ordered at once where none is under way, and of those who were named', async () => {
    const [one, other, third] = [await hook(), await hook(), await hook()];
    await setHook(other, `round_at = now() + interval '1 hour'`);
    await rounds.wake(db, [one, other]);
    await rounds.wake(db, [one, other]);
    const all = await ordered();
    expect(all.map(({ payload, tries }) => ({ ...payload, tries }))).toEqual([
      { webhook: one, round: 1, tries: 100 },
      { webhook: other, round: 1, tries: 100 },
    ]);
    expect(await hookOf(third)).toMatchObject({ round: 0, round_at: null });
    expect(await rounds.isOpen(db, { webhook: one, round: 1 })).toBe(true);
    for (const round of [
      { webhook: one, round: 0 },
      { webhook: third, round: 1 },
    ])
      expect([await rounds.isOpen(db, round), await rounds.lockOpen(db, round)]).toEqual([false, false]);
    expect(await rounds.lockOpen(db, { webhook: other, round: 1 })).toBe(true);
  });

  test('order the next one for when something is due, or none', async () => {
    const [one, other] = [await hook(), await hook()];
    await rounds.next(db, one, 1_000);
    await rounds.next(db, other, undefined);
    const [next, ...more] = await ordered();
    expect([next?.payload, next?.tries, more]).toEqual([{ webhook: one, round: 1 }, 100, []]);
    expect([(next?.seconds ?? 0) > 900, (next?.seconds ?? 0) <= 1_000.5]).toEqual([true, true]);
    expect(await hookOf(other)).toMatchObject({ round: 1, round_at: null });
    await rounds.next(db, one, undefined);
    expect(await hookOf(one)).toMatchObject({ round: 2, round_at: null });
    expect(await ordered()).toHaveLength(1);
  });

  test('that were overlooked are found by what waits', async () => {
    const { one, other } = await some(1);
    const [idle, young, off] = [await hook(), await hook(), await hook()];
    await happens([about(young, 1), about(off, 1)]);
    await db.run(`update webhooks set round_at = now() - interval '11 minutes'`);
    await setHook(young, `round_at = now() - interval '9 minutes'`);
    await setHook(off, `state = 'disabled'`);
    await setHook(other, 'round_at = null');
    expect(await rounds.forgotten(db)).toEqual([one, other]);
    expect([await hookOf(one), await hookOf(other)]).toMatchObject([{ round_at: null }, { round_at: null }]);
    for (const id of [idle, young, off])
      expect(await hookOf(id)).toMatchObject({ round_at: expect.any(String) });
    await db.run('delete from webhook_deliveries where webhook = $1', [one]);
    await setHook(other, `round_at = now() - interval '11 minutes'`);
    expect(await rounds.forgotten(db)).toEqual([other]);
    expect(await hookOf(other)).toMatchObject({ round_at: null });
    await db.run('delete from webhook_deliveries');
    expect(await rounds.forgotten(db)).toEqual([]);
  });
});
