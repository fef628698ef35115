/** Dropping a database as somebody who is no superuser, as cloud providers give out. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { dropDatabase, withClient, withDatabase } from './databases';

const { adminUrl } = testServers();
const name = `dropped_${randomBytes(6).toString('hex')}`;

test('a database goes as soon as the server itself, or a superuser, has left it', async () => {
  await withClient(adminUrl, async (admin) => {
    await admin.query(`create role ${name} login createdb password '${name}'`);
    await admin.query(`create database ${name} owner ${name}`);
  });
  const operator = new Client({
    connectionString: withDatabase(adminUrl, 'postgres', { user: name, password: name }),
  });
  const superuser = new Client({ connectionString: withDatabase(adminUrl, name) });
  await operator.connect();
  await superuser.connect();
  try {
    const dropping = dropDatabase(operator, name);
    await Promise.race([sleep(500), dropping]);
    await superuser.end();
    await dropping;
    const { rowCount } = await operator.query('select from pg_database where datname = $1', [name]);
    expect(rowCount).toBe(0);
  } finally {
    await operator.end();
    await withClient(adminUrl, (admin) => admin.query(`drop role ${name}`));
  }
});
