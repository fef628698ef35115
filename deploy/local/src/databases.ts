/**
 * One role and one database for every service that keeps data, on any PostgreSQL server. Safe to run at every
 * start and by several starts at once; the passwords are given, so that the caller can keep them. Creates no
 * tables but the one that says whose the database is: each service migrates its own. Databases of another site are
 * met before anything is changed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName, databaseServices } from '@sevenfold/catalog/catalog';
import {
  FIND_INSTANCE,
  FIND_INSTANCE_TABLE,
  ForeignInstance,
  claimDatabase,
} from '@sevenfold/chassis/instance';
import { dbOf } from '@sevenfold/chassis/db/sql';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';

export type DatabaseService = ServiceName;

/** Any number will do that no other program on the server uses for an advisory lock. */
const LOCK = 707_070_701;

const EXTENSIONS = ['pg_trgm', 'unaccent'];
/** See postgres.ts for the reasons; here too, because the server may be somebody else's. */
const SETTINGS = { random_page_cost: '1.1', jit: 'off' };

export interface PrepareOptions {
  /** Connects to a database in which roles and databases may be created. */
  readonly adminUrl: string;
  /** One per service. */
  readonly passwords: Record<DatabaseService, string>;
  /** Comes before the service's name in the names of role and database. */
  readonly prefix?: string;
  /** Whose they are. */
  readonly instanceId: string;
  /** The site has run: a server that holds none of them is not the one it ran on. Default false. */
  readonly isOld?: boolean;
  /** Nobody else is on the server, and no restore is at work: what one left beside the databases goes. Default false. */
  readonly isOwn?: boolean;
}

/** The server holds no database of a site that has some. */
export class DatabasesElsewhere extends Error {}

/**
 * Answers the connection URL of every service. Throws ForeignInstance where one of the databases is another site's,
 * DatabasesElsewhere, and what PostgreSQL says when the rights do not suffice.
 */
export async function prepareDatabases(options: PrepareOptions): Promise<Record<DatabaseService, string>> {
  const { adminUrl, passwords, prefix = 'sevenfold_', instanceId, isOld = false, isOwn = false } = options;
  const urls = {} as Record<DatabaseService, string>;
  await withClient(adminUrl, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [LOCK]);
    for (const service of databaseServices)
      await refuseForeign(admin, adminUrl, `${prefix}${service}`, instanceId);
    if (isOld) await refuseEmpty(admin, prefix);
    for (const service of databaseServices) {
      const name = `${prefix}${service}`;
      await prepareRole(admin, name, passwords[service]);
      await prepareDatabase(admin, name);
      if (isOwn) await dropDatabase(admin, besideOf(name));
      await withClient(withDatabase(adminUrl, name), prepareInside);
      urls[service] = withDatabase(adminUrl, name, { user: name, password: passwords[service] });
      await withClient(urls[service], (client) => claim(client, instanceId, name));
    }
  });
  return urls;
}

/** Whether the URL leads to a server that accepts it. Throws an Error without the password in it. */
export async function checkDatabase(url: string): Promise<{ version: string; address: string }> {
  const { hostname, port } = new URL(url);
  const address = `${hostname || 'localhost'}:${port || 5432}`;
  try {
    const version = await withClient(url, async (client) => {
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]!.server_version.split(' ')[0]!;
    });
    return { version, address };
  } catch (error) {
    throw new Error(`cannot use the PostgreSQL server at ${address}: ${reasonOf(error)}`, { cause: error });
  }
}

const called = (name: string): string => `The database ${name}`;

/** Throws ForeignInstance where the database is there and has another id than these. */
export async function refuseForeign(
  admin: Client,
  adminUrl: string,
  name: string,
  ...ids: readonly string[]
): Promise<void> {
  if (!(await isDatabase(admin, name))) return;
  await withClient(withDatabase(adminUrl, name), async (client) => {
    const table = await client.query<{ isThere: boolean }>(FIND_INSTANCE_TABLE);
    if (!table.rows[0]!.isThere) return;
    const [found] = (await client.query<{ id: string }>(FIND_INSTANCE)).rows;
    if (found && !ids.includes(found.id)) throw new ForeignInstance(called(name), found.id, String(ids[0]));
  });
}

/** Those of a service that is new are made; where all are missing, an empty site would take the place of a full one. */
async function refuseEmpty(admin: Client, prefix: string): Promise<void> {
  for (const service of databaseServices) if (await isDatabase(admin, `${prefix}${service}`)) return;
  throw new DatabasesElsewhere(
    `None of the site's databases (${prefix}content and others) is on this server.`,
  );
}

export async function claim(client: Client, id: string, name: string): Promise<void> {
  await client.query('begin');
  await claimDatabase(dbOf(client), id, called(name));
  await client.query('commit');
}

async function prepareRole(admin: Client, name: string, password: string): Promise<void> {
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [name]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  await admin.query(`${verb} role ${escapeIdentifier(name)} login password ${escapeLiteral(password)}`);
  // An administrator who is not a superuser (as cloud providers give out) may hand a database only to a role
  // that it is a member of.
  const { rows } = await admin.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = current_user',
  );
  if (!rows[0]!.rolsuper) await admin.query(`grant ${escapeIdentifier(name)} to current_user`);
}

async function prepareDatabase(admin: Client, name: string, owner = name): Promise<void> {
  const identifier = escapeIdentifier(name);
  // template0: the encoding may differ from the server's default only there.
  if (!(await isDatabase(admin, name)))
    await admin.query(
      `create database ${identifier} owner ${escapeIdentifier(owner)} encoding 'UTF8' template template0`,
    );
  await admin.query(`revoke connect on database ${identifier} from public`);
  for (const [setting, value] of Object.entries(SETTINGS)) {
    await admin.query(`alter database ${identifier} set ${setting} = ${escapeLiteral(value)}`);
  }
}

async function prepareInside(client: Client): Promise<void> {
  for (const extension of EXTENSIONS) await client.query(`create extension if not exists ${extension}`);
}

export async function isDatabase(admin: Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
  return rowCount !== 0;
}

/**
 * An empty database beside that of a service, to be filled and then put in its place. Answers how its owner connects,
 * who is the service's role, and gets that password.
 */
export async function makeBeside(
  adminUrl: string,
  name: string,
  password: string,
): Promise<{ beside: string; url: string }> {
  const beside = besideOf(name);
  await withClient(adminUrl, async (admin) => {
    await prepareRole(admin, name, password);
    await dropDatabase(admin, beside);
    await prepareDatabase(admin, beside, name);
  });
  await withClient(withDatabase(adminUrl, beside), prepareInside);
  return { beside, url: withDatabase(adminUrl, beside, { user: name, password }) };
}

/** Replaces the database by the one beside it. What was replaced is gone. */
export async function putInPlace(admin: Client, name: string): Promise<void> {
  await dropDatabase(admin, name);
  await admin.query(`alter database ${escapeIdentifier(besideOf(name))} rename to ${escapeIdentifier(name)}`);
}

const besideOf = (name: string): string => `${name}_restored`;

/** Somebody is in the database who may not be sent away, or who came back meanwhile. */
const isHeld = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message: string };
  return code === '55006' || (code === '42501' && message.includes('terminate'));
};
const HELD_MS = 30_000;
const AGAIN_MS = 200;

/**
 * With force sessions end, but not those of a superuser, and the server's own vacuum is one: whoever is none may not end it so. Without
 * force it makes way by itself.
 */
export async function dropDatabase(admin: Client, name: string): Promise<void> {
  const drop = `drop database if exists ${escapeIdentifier(name)}`;
  const latest = performance.now() + HELD_MS;
  for (let force = true; ; force = !force) {
    try {
      await admin.query(force ? `${drop} with (force)` : drop);
      return;
    } catch (error) {
      if (!isHeld(error) || performance.now() > latest) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'sevenfold set-up',
  });
  // A connection that breaks while idle is reported by the next query; without a listener it ends the process.
  client.on('error', () => undefined);
  // CREATE EXTENSION IF NOT EXISTS says in a notice that there was nothing to do.
  client.on('notice', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function withDatabase(
  url: string,
  database: string,
  login?: { user: string; password: string },
): string {
  const result = new URL(url);
  result.pathname = `/${encodeURIComponent(database)}`;
  if (login) {
    result.username = encodeURIComponent(login.user);
    result.password = encodeURIComponent(login.password);
  }
  return result.href;
}

/** A refused connection to a name with several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as { message: string; code?: string; errors?: Error[] };
  return message || errors?.map((each) => each.message).join(', ') || code || String(error);
}
