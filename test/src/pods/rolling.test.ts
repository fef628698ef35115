/**
 * Pods are replaced one after another while the site is asked all the time and takes in an import: by those of this version, whose
 * migrations run first beside the version before, and then by themselves, as in a restart. No request fails, and all that was accepted is done, once.
 */
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { until } from '@sevenfold/chassis/testing/until';
import { databaseServices, type ServiceName } from '@sevenfold/catalog/catalog';
import { type FakeSmtp, startSmtp } from '@sevenfold/forms/testing/smtp';
import { registerImport, showImport } from '@sevenfold/imports/commands';
import { NO_LIMITS } from '@sevenfold/gateway/limits/testing';
import { type BatchBody, type Pushed, push } from '@sevenfold/local/cli/push';
import { artefacts } from './testing/artefact';
import { type Cluster, startCluster } from './testing/cluster';
import { type Traffic, startTraffic } from './testing/traffic';

const BATCHES = 100;
const EVENTS = 25;
/** Between batches: the import lasts as long as the replacing does. */
const INTERVAL = 3;

/** Of what failed. */
const SHOWN = 30;

const { now, before = now } = artefacts();

let smtp: FakeSmtp;
let cluster: Cluster;
let traffic: Traffic;
let importing: Promise<Pushed>;
let importId: string;
const over = new AbortController();
const databases = new Map<ServiceName, Database>();
const db = (name: ServiceName): Database => databases.get(name) as Database;

beforeAll(async () => {
  smtp = startSmtp(await freePort());
  await smtp.start();
  cluster = await startCluster([before, now], 2, {
    // The test says from where it asks, as a proxy would.
    env: { ...NO_LIMITS, TRUST_PROXY: true },
    services: {
      forms: { env: { SMTP_HOST: '127.0.0.1', SMTP_PORT: smtp.port, SMTP_STARTTLS: 'never' } },
    },
  });
  const log = createLog('rolling', 'test', 'silent');
  for (const name of databaseServices)
    databases.set(name, openDatabase({ url: cluster.databases[name], size: 2, application: 'test', log }));
  traffic = await startTraffic(cluster);
  const registered = await registerImport({ db: db('imports') }, { interval: INTERVAL });
  importId = registered.importId;
  importing = push({
    ...registered,
    url: cluster.url,
    batches: batches(),
    obeyInterval: true,
    signal: over.signal,
  });
  importing.catch(() => undefined);
}, 600_000);

afterAll(async () => {
  await traffic?.stop();
  over.abort();
  await importing?.catch(() => undefined);
  for (const one of databases.values()) await one.close();
  await cluster?.stop();
  await smtp?.stop();
}, 180_000);

const batches = (): BatchBody[] =>
  Array.from({ length: BATCHES }, (_, number) => ({
    status: {
      data: { total: BATCHES * EVENTS, done: number * EVENTS },
      batch: { total: BATCHES, done: number },
    },
    percentage_complete: Math.floor((100 * (number + 1)) / BATCHES),
    events: Array.from({ length: EVENTS }, (_none, place) => ({
      uid: `rolling-${number}-${place}`,
      title: `Event ${place} of batch ${number}`,
      start_date: '2031-05-01',
      start_hour: String(place % 24),
      timezone: 'Europe/Brussels',
      venue: { venue: `Room ${place}` },
      categories: ['Rolling'],
    })),
  }));

/** Ends with what failed meanwhile. */
async function during(work: () => Promise<void>): Promise<readonly string[]> {
  const failed = traffic.failures.length;
  const pods = new Set(cluster.pods);
  await work();
  expect(cluster.pods.filter((pod) => pods.has(pod))).toEqual([]);
  const wrong = [...traffic.failures.slice(failed, failed + SHOWN), ...cluster.faults];
  return wrong.length === 0 ? [] : [...wrong, ...cluster.story()];
}

test('while the databases are prepared for this version, and every pod is replaced by one of it, nothing fails', async () => {
  expect(await during(() => cluster.migrate(now).then(() => cluster.roll(now)))).toEqual([]);
}, 900_000);

test('while every pod is replaced by one of the same version nothing fails', async () => {
  expect(await during(() => cluster.roll(now))).toEqual([]);
}, 900_000);

test('the import is in, every event once, and no batch had to be sent twice', async () => {
  expect(await importing).toMatchObject({ sent: BATCHES, retries: 0 });
  const { import: row, faults } = await until(async () => {
    const shown = await showImport({ db: db('imports') }, importId);
    return shown.import.state === 'success' && shown;
  });
  const all = BATCHES * EVENTS;
  expect(row).toMatchObject({
    batchesApplied: BATCHES,
    eventsCreated: all,
    eventsUpdated: 0,
    eventsSkipped: 0,
  });
  expect(faults).toEqual([]);
  const events = await db('calendar').rows(`select uid from events where uid like 'rolling-%'`);
  expect(events).toHaveLength(all);
}, 900_000);

test('what was accepted is there, and each job that was promised was done', async () => {
  await until(() => Object.values(traffic.written).every((one) => one.length > 0));
  await traffic.stop();
  expect(traffic.failures.length).toBe(0);
  const { posts, events, comments, submissions, toBeMailed } = traffic.written;
  for (const [name, table, ids] of [
    ['content', 'posts', posts],
    ['calendar', 'events', events],
    ['content', 'comments', comments],
  ] as const) {
    const found = await db(name).rows(`select id from ${table} where id = any($1)`, [ids]);
    expect([table, found.length]).toEqual([table, ids.length]);
  }
  for (const name of databaseServices)
    await until(async () => {
      const open = await db(name).rows(
        `select id from outbox where done_at is null and failed_at is null and run_at <= now()`,
      );
      return open.length === 0;
    });
  for (const name of databaseServices)
    expect(await db(name).rows('select name, last_error from outbox where failed_at is not null')).toEqual(
      [],
    );
  const kept = await db('forms').rows(`select id from submissions where values ->> 'marker' = any($1)`, [
    submissions,
  ]);
  expect(kept).toHaveLength(submissions.length);
  const mailed = smtp.taken.map(({ raw }) => /marker=(marker-\d+-);/.exec(raw)?.[1]);
  expect(toBeMailed.filter((marker) => !mailed.includes(marker))).toEqual([]);
  expect(cluster.faults).toEqual([]);
}, 120_000);
