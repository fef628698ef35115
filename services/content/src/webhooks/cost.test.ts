/** What is done for one delivery looks at few others, however many wait: of a receiver that is away, or of one that is slow. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type ContentSite, startContent } from '../testing/service';
import * as actions from './actions';
import { deliver } from './deliver';
import * as deliveries from './deliveries';
import * as store from './store';
import { type Receiver, startReceiver } from './testing/receiver';
import { PING } from './topics';

const MANY = 20_000;
/** Of rows and entries of indexes: some for each delivery, none for each that waits. */
const FEW = 1_000;

let site: ContentSite;
let receiver: Receiver;
let db: Db;
let webhook: number;
beforeAll(async () => {
  [site, receiver] = await Promise.all([
    startContent({
      SPAM_KEY_SECRETS: 'the secret of the tests',
      OUTBOUND_ALLOW_PRIVATE: true,
      // One after the other, on the connection that is measured.
      WEBHOOK_AT_ONCE: 1,
    }),
    startReceiver(),
  ]);
  db = site.deps.db;
  // What PostgreSQL knows when is what is tested: it learns nothing by itself meanwhile.
  await db.run('alter table webhook_deliveries set (autovacuum_enabled = false)');
});
beforeEach(async () => {
  await db.run('truncate webhooks, webhook_deliveries, webhook_secrets restart identity');
  const wanted = { url: receiver.url, topics: ['content.*'] };
  webhook = (await actions.create(site.deps, site.users.administrator.id, wanted)).webhook.id;
});
afterAll(async () => {
  await receiver.stop();
  await site.stop();
});

/** Each of an object of its own. */
const wait = (count: number, name: string, nextAt: string, attempts = 0): Promise<number> =>
  db.run(
    `insert into webhook_deliveries
       (webhook, event, sequence, topic, kind, object_id, happened_at, expires_at, next_at, attempts)
     select $1, $2 || n, n, $3, 'webhook', $2 || n, now(), now() + interval '1 day', ${nextAt}, $4
       from generate_series(1, $5::int) as n`,
    [webhook, name, PING, attempts, count],
  );
/** Few are due, and they came last. */
async function isAway(): Promise<void> {
  await wait(MANY, 'failed', `now() + interval '1 hour' + n * interval '1 ms'`, 4);
  await wait(5, 'new', 'now()');
}
const isKnown = (): Promise<number> => db.run('analyze webhook_deliveries');
async function nothingIsKnownToWait(): Promise<void> {
  await wait(2 * MANY, 'old', 'now()');
  await db.run(`update webhook_deliveries set state = 'delivered', attempts = 1`);
  await isKnown();
}
/** Everything is due, and in another order than it came in; one is on its way. */
async function isSlow(): Promise<void> {
  await wait(MANY, 'due', `now() - n * 7919 % ${MANY} * interval '1 ms'`);
  await db.run(`update webhook_deliveries set sending_until = now() + interval '1 minute' where id = 7`);
  await isKnown();
}

const LOOKED_AT = `
  select sum(pg_stat_get_xact_tuples_returned(t.id))::int as count
  from (select 'webhook_deliveries'::regclass::oid
        union all select indexrelid from pg_index where indrelid = 'webhook_deliveries'::regclass) as t (id)`;
const lookedAt = async (tx: Db): Promise<number> =>
  (await tx.first<{ count: number }>(LOOKED_AT, [], { planFor: 'values' }))?.count ?? NaN;

/** What is looked at of deliveries and their indexes. Statements are planned for their values at first, later once for all. */
async function cost(plans: string, work: (tx: Db) => Promise<void>): Promise<number> {
  return site.deps.db.transaction(async (tx) => {
    await tx.run(`set local plan_cache_mode = ${plans}`);
    const before = await lookedAt(tx);
    await work(tx);
    return (await lookedAt(tx)) - before;
  });
}

/** From its job's beginning to its end. */
async function round(tx: Db): Promise<void> {
  const { log } = site.deps;
  const deps = { ...site.deps, db: { ...site.deps.db, ...tx } };
  const payload = { webhook, round: 0 };
  const signal = new AbortController().signal;
  const call = { deps, tx, payload, log, id: 1, attempt: 1, failures: 0, signal };
  await deliver.handle(call, await deliver.prepare?.(call));
}

test('what is looked at is seen', async () => {
  await isAway();
  const { length } = await deliveries.list(db, webhook, { state: '', before: 0, limit: 10 });
  expect(length).toBe(10);
  const count = async (tx: Db): Promise<void> => void (await deliveries.countWaiting(tx));
  expect(await cost('auto', count)).toBeGreaterThanOrEqual(MANY);
});

describe.each(['force_custom_plan', 'force_generic_plan'])('%s', (plans) => {
  test.each<[name: string, steps: (() => Promise<unknown>)[], most: number]>([
    ['a round of a receiver that is away', [isAway, isKnown], FEW],
    // Each delivery may look at all that waits then, some times by the plan, which is that of a sample; all at each other would
    // be MANY times as much, and take longer than a statement may.
    ['the same before PostgreSQL knows that so much waits', [nothingIsKnownToWait, isAway], 100 * MANY],
  ])('%s', async (_, steps, most) => {
    for (const step of steps) await step();
    receiver.got.length = 0;
    expect(await cost(plans, round)).toBeLessThan(most);
    expect(receiver.got).toHaveLength(5);
    const next = await db.first('select round, round_at > now() as later from webhooks');
    expect(next).toEqual({ round: 1, later: true });
  });

  test.each<[name: string, work: (tx: Db) => Promise<unknown>, answer: unknown]>([
    [
      'a claim',
      async (tx) => (await deliveries.claim(tx, webhook, { atOnce: 5, seconds: 60 })).length,
      // One is on its way.
      4,
    ],
    ['the time of the next round', (tx) => deliveries.nextDue(tx, webhook), expect.any(Number)],
    ['whether anything is on its way', (tx) => deliveries.isAnyOnItsWay(tx, webhook), true],
    [
      'where a try goes',
      (tx) => store.findForSending(tx, webhook),
      expect.objectContaining({ state: 'active' }),
    ],
  ])('%s, with a receiver that is slow', async (_, work, answer) => {
    await isSlow();
    const checked = async (tx: Db): Promise<void> => expect(await work(tx)).toEqual(answer);
    expect(await cost(plans, checked)).toBeLessThan(FEW);
  });
});
