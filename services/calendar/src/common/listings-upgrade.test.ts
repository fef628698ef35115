/** What lists of strangers count, in a database that has rows and is written to while it is upgraded. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '@sevenfold/chassis/db/migrate';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { type TestDatabase, createTestDatabase } from '@sevenfold/chassis/testing/database';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';

const MIGRATIONS = path.resolve(__dirname, '../../migrations');

let folder: string;
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'before-listings-'));
  const before = path.join(folder, 'calendar', 'migrations');
  for (const file of readdirSync(MIGRATIONS))
    if (file < '0021') cpSync(path.join(MIGRATIONS, file), path.join(before, file));
  database = await createTestDatabase(before);
  const log = createLog('test', 'api', 'silent');
  db = openDatabase({ url: database.url, size: 4, application: 'test', log });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

test('who has written a venue when the upgrade begins writes its event as well, and both are counted', async () => {
  const [old, organizer] = [await makeVenue(db), await makeOrganizer(db)];
  await makeEvent(db, { venue_id: old.id });
  let upgraded: Promise<unknown> | undefined;
  const venue = await db.transaction(async (tx) => {
    const venue = await makeVenue(tx);
    upgraded = migrate(db.pool, [MIGRATIONS]);
    await untilLocked(db);
    await makeEvent(tx, { venue_id: venue.id, organizer_ids: [organizer.id] });
    return venue;
  });
  await upgraded;
  expect(await db.rows('select id from listed_venues where last_end is not null order by id')).toEqual([
    { id: old.id },
    { id: venue.id },
  ]);
  expect(await db.rows('select kind, n, used from listed_counts order by kind')).toEqual([
    { kind: 'organizers', n: 1, used: 1 },
    { kind: 'venues', n: 2, used: 2 },
  ]);
  expect(await db.rows('select n from event_days')).toEqual([{ n: 2 }]);
});
