import { openListener } from '@sevenfold/chassis/db/listen';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '@sevenfold/chassis/actor';
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import {
  type IdentityNews,
  IdentityServiceService,
  type IdentityServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { openIdentity } from './identity';
import { hashSecret } from './secrets';

let site: ContentSite;
let identity: Remote<IdentityServiceServer>;
let user: Actor;
const connect = (caller: string): Remote<IdentityServiceServer> =>
  site.dial<IdentityServiceServer>(IdentityServiceService, caller);

beforeAll(async () => {
  site = await startContent();
  identity = connect('gateway');
});
beforeEach(async () => {
  user = await makeUser(site.deps.db, 'author');
});
afterAll(async () => {
  identity.close();
  await site.stop();
});

const logIn = (username: string, applicationPassword: string) =>
  identity.authenticate({ username, applicationPassword, address: '192.0.2.7' });
/** Whether they fit together, or the status of the refusal. */
const from = async (address: string, username: string, applicationPassword: string) => {
  try {
    const request = { username, applicationPassword, address };
    return (await identity.authenticate(request)).ok;
  } catch (error) {
    return (error as ApiError).status;
  }
};
const create = (owner: Actor = user, name = 'script') =>
  identity.createApplicationPassword({ userId: 0, name }, { actor: owner });
const passwordRow = (id: string) =>
  site.deps.db.first<Record<string, unknown>>('select * from application_passwords where id = $1', [id]);

describe('StreamIdentityNews', () => {
  test('tells whose credentials or rights change, after a first word that names nobody', async () => {
    const { applicationPassword } = await create();
    const news = identity.streamIdentityNews({})[Symbol.asyncIterator]();
    const { number, ...nobody } = (await news.next()).value as IdentityNews;
    expect(nobody).toEqual({ userId: 0 });
    await identity.revokeApplicationPassword(
      { userId: 0, id: applicationPassword?.id ?? '' },
      { actor: user },
    );
    expect((await news.next()).value).toEqual({ userId: user.id, number: number + 1 });
    await site
      .as(await makeUser(site.deps.db, 'administrator'))
      .post(`/users/${user.id}`, { roles: 'editor' });
    expect((await news.next()).value).toEqual({ userId: user.id, number: number + 2 });
    await news.return?.(undefined);
    // Whoever comes later sees whether something was missed.
    const later = identity.streamIdentityNews({})[Symbol.asyncIterator]();
    expect((await later.next()).value).toEqual({ userId: 0, number: number + 2 });
    await later.return?.(undefined);
  });

  test('breaks off when the database cannot tell any more, and begins anew', async () => {
    const news = identity.streamIdentityNews({})[Symbol.asyncIterator]();
    await news.next();
    const next = news.next();
    await site.deps.db.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like '%-listener' and datname = current_database()`,
    );
    await expect(next).rejects.toMatchObject({ status: 503 });
    await until(async () => {
      const again = identity.streamIdentityNews({})[Symbol.asyncIterator]();
      const first = await again.next().catch(() => undefined);
      await again.return?.(undefined);
      return first?.value?.userId === 0;
    });
  });

  test('ends when the service stops', async () => {
    const other = await startContent();
    const remote = other.dial<IdentityServiceServer>(IdentityServiceService, 'gateway');
    const news = remote.streamIdentityNews({})[Symbol.asyncIterator]();
    await news.next();
    const next = news.next();
    await other.stop();
    expect((await next).done).toBe(true);
    remote.close();
  });
});

describe('Authenticate', () => {
  test('knows the user by name or e-mail address, whatever the case and the spaces of the secret', async () => {
    const { applicationPassword, secret } = await create();
    expect(secret).toMatch(/^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    for (const [name, given] of [
      [user.username, secret],
      [user.username.toUpperCase(), secret.replaceAll(' ', '')],
      [user.email.toUpperCase(), ` ${secret}`],
    ] as const) {
      const answer = await logIn(name, given);
      expect(answer).toMatchObject({ ok: true, credentialId: applicationPassword?.id });
      expect(answer.user).toEqual({
        id: user.id,
        username: user.username,
        name: user.name,
        email: user.email,
        url: '',
        slug: expect.any(String),
        roles: ['author'],
        capabilities: [...user.capabilities],
        description: '',
        link: '',
        published: false,
        version: '',
      });
    }
    const row = await passwordRow(applicationPassword?.id ?? '');
    expect(row?.hash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(row)).not.toContain(secret.replaceAll(' ', ''));
  });

  test('refuses what does not fit', async () => {
    const { secret } = await create();
    const other = await create(site.users.editor);
    for (const [name, given] of [
      [user.username, `${secret}x`],
      [user.username, secret.toLowerCase()],
      [user.username, other.secret],
      [user.username, ''],
      ['nobody', secret],
      ['', secret],
      ['', ''],
      ['a\0b', secret],
      [user.username, '\0'],
      [user.username, 'x'.repeat(10_000)],
    ] as const)
      expect(await logIn(name, given)).toEqual({ ok: false, user: undefined, credentialId: '' });
  });

  test('a password of a person opens nothing here, and begins a session', async () => {
    await site.by('administrator').post(`/users/${user.id}`, { password: 'a person remembers' });
    expect((await logIn(user.username, 'a person remembers')).ok).toBe(false);
    const check = (username: string, password: string) =>
      site.deps.identity.logIn(username, password, '192.0.2.7');
    expect(await check(user.email, 'a person remembers')).toMatchObject({ user: { id: user.id } });
    for (const [name, given] of [
      [user.username, 'a person forgets'],
      [site.users.editor.username, '!'],
      ['nobody', 'x'],
      ['', ''],
    ] as const)
      expect(await check(name, given)).toBeUndefined();
  });

  test('a flood of wrong passwords is turned away in its own line; everybody else signs in', async () => {
    const { secret } = await create();
    const unused = await create(site.users.editor);
    expect((await logIn(user.username, secret)).ok).toBe(true);
    const told = { wrong: 0, turnedAway: 0, other: 0 };
    let over = false;
    const flood = async (): Promise<void> => {
      while (!over) {
        const outcome = await from('198.51.100.9', user.username, `${secret}x`);
        if (outcome === false) told.wrong += 1;
        else if (outcome === 429) told.turnedAway += 1;
        else told.other += 1;
        await sleep(200);
      }
    };
    const flooding = Array.from({ length: 300 }, flood);
    await until(() => Promise.resolve(told.wrong > 0 && told.turnedAway > 250));
    for (let turn = 0; turn < 5; turn++) {
      // Right lately: also from the address of the flood.
      site.deps.identity.forget(user.id);
      expect(await from('198.51.100.9', user.username, secret)).toBe(true);
      // Never seen, from elsewhere: refused and let in as ever.
      expect(await from(`203.0.113.${turn}`, site.users.editor.username, `wrong ${turn}`)).toBe(false);
    }
    expect(await from('2001:db8::1', site.users.editor.username, unused.secret)).toBe(true);
    over = true;
    await Promise.all(flooding);
    expect(told.other).toBe(0);
  });

  test('a user name beats the equal e-mail address of another user', async () => {
    const owner = await makeUser(site.deps.db, 'author', { username: 'both@mail.test' });
    const other = await makeUser(site.deps.db, 'author', { email: 'both@mail.test' });
    const [mine, theirs] = [await create(owner), await create(other)];
    expect((await logIn('both@mail.test', mine.secret)).user?.id).toBe(owner.id);
    expect((await logIn('both@mail.test', theirs.secret)).ok).toBe(false);
  });

  test('notes the use, beside the request and at most once a minute', async () => {
    const made = await create();
    const id = made.applicationPassword?.id ?? '';
    expect(made.applicationPassword?.lastUsedAt).toBe('');
    await logIn(user.username, made.secret);
    await until(async () => (await passwordRow(id))?.last_address === '192.0.2.7');
    const first = await passwordRow(id);
    await logIn(user.username, made.secret);
    await identity.authenticate({
      username: user.username,
      applicationPassword: made.secret,
      address: '192.0.2.8',
    });
    expect(await passwordRow(id)).toEqual(first);
    const { applicationPasswords } = await identity.listApplicationPasswords({ userId: 0 }, { actor: user });
    expect(applicationPasswords[0]).toMatchObject({ id, name: 'script', lastAddress: '192.0.2.7' });
    expect(applicationPasswords[0]?.lastUsedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test('finds the one password among many', async () => {
    const made = [];
    for (let i = 0; i < 8; i++) made.push(await create(user, `n${i}`));
    for (const one of made)
      expect((await logIn(user.username, one.secret)).credentialId).toBe(one.applicationPassword?.id);
  });
});

describe('what is remembered', () => {
  test('a revoked password and a changed user are dropped, here and in other processes', async () => {
    const { config, log } = site.deps;
    const shared = { url: config.DATABASE_URL, application: 'test', log };
    const listener = openListener(shared);
    const other = openIdentity({ db: openDatabase({ ...shared, size: 2 }), listener, log });
    try {
      const { secret, applicationPassword } = await create();
      const roles = async () => (await other.authenticate(user.username, secret, ''))?.user.roles;
      expect(await roles()).toEqual(['author']);
      // Asked again until the listener is up and the answer comes from memory.
      await until(async () => {
        const once = await other.authenticate(user.username, secret, '');
        return once === (await other.authenticate(user.username, secret, ''));
      });
      await site.by('administrator').post(`/users/${user.id}`, { roles: ['editor'] });
      expect((await logIn(user.username, secret)).user?.roles).toEqual(['editor']);
      await until(async () => (await roles())?.[0] === 'editor');
      await identity.revokeApplicationPassword(
        { userId: 0, id: applicationPassword?.id ?? '' },
        { actor: user },
      );
      expect((await logIn(user.username, secret)).ok).toBe(false);
      await until(async () => (await roles()) === undefined);
    } finally {
      await other.stop();
      await listener.stop();
    }
  });

  test('a deleted user is gone at once', async () => {
    const { secret } = await create();
    expect((await logIn(user.username, secret)).ok).toBe(true);
    await site.by('administrator').delete(`/users/${user.id}?force=true&reassign=false`);
    expect((await logIn(user.username, secret)).ok).toBe(false);
  });
});

describe('GetUsers', () => {
  let calendar: Remote<IdentityServiceServer>;
  beforeAll(() => {
    calendar = connect('calendar');
  });
  afterAll(() => calendar.close());

  test('answers those that exist, without what is not for everybody', async () => {
    const { users } = await calendar.getUsers({ ids: [site.users.editor.id, 999_999, user.id] });
    expect(users.map((found) => found.id).sort((a, b) => a - b)).toEqual([site.users.editor.id, user.id]);
    expect(users.find((found) => found.id === user.id)).toEqual({
      id: user.id,
      username: '',
      name: user.name,
      email: '',
      url: '',
      slug: expect.any(String),
      roles: [],
      capabilities: [],
      description: '',
      link: expect.stringMatching(/^http:\/\/site\.test\/author\/.+\/$/),
      published: false,
      version: expect.any(String),
      editors: {
        public: false,
        readers: [
          { user: user.id, capabilities: [] },
          { user: 0, capabilities: ['edit_users'] },
        ],
      },
    });
    expect(await calendar.getUsers({ ids: [] })).toEqual({ users: [] });
    await expect(calendar.getUsers({ ids: Array.from({ length: 1001 }, (_, i) => i) })).rejects.toMatchObject(
      { status: 400 },
    );
  });
});

describe('application passwords', () => {
  const asStranger = { actor: undefined };

  test('are listed newest first, without those that were revoked', async () => {
    const first = await create(user, 'first');
    const second = await create(user, ' <b>second</b> ');
    const third = await create(user, 'third');
    await identity.revokeApplicationPassword(
      { userId: user.id, id: first.applicationPassword?.id ?? '' },
      { actor: user },
    );
    const { applicationPasswords } = await identity.listApplicationPasswords(
      { userId: user.id },
      { actor: user },
    );
    expect(applicationPasswords.map(({ id, name }) => [id, name])).toEqual([
      [third.applicationPassword?.id, 'third'],
      [second.applicationPassword?.id, 'second'],
    ]);
    const row = await passwordRow(first.applicationPassword?.id ?? '');
    expect(row?.revoked_at).not.toBeNull();
  });

  test('of others are for those who may edit users', async () => {
    const { administrator, editor } = site.users;
    const { applicationPassword, secret } = await identity.createApplicationPassword(
      { userId: user.id, name: 'for you' },
      { actor: administrator },
    );
    expect((await logIn(user.username, secret)).user?.id).toBe(user.id);
    const id = applicationPassword?.id ?? '';
    for (const [options, status] of [
      [asStranger, 401],
      [{ actor: editor }, 403],
    ] as const) {
      const refusal = { code: 'rest_cannot_manage_application_passwords', status };
      await expect(
        identity.createApplicationPassword({ userId: user.id, name: 'x' }, options),
      ).rejects.toMatchObject(refusal);
      await expect(identity.listApplicationPasswords({ userId: user.id }, options)).rejects.toMatchObject(
        refusal,
      );
      await expect(
        identity.revokeApplicationPassword({ userId: user.id, id }, options),
      ).rejects.toMatchObject(refusal);
    }
    await expect(identity.listApplicationPasswords({ userId: 0 }, asStranger)).rejects.toMatchObject({
      status: 401,
    });
    const seen = await identity.listApplicationPasswords({ userId: user.id }, { actor: administrator });
    expect(seen.applicationPasswords).toHaveLength(1);
    await identity.revokeApplicationPassword({ userId: user.id, id }, { actor: administrator });
    expect((await logIn(user.username, secret)).ok).toBe(false);
  });

  test('what does not exist is 404, and a name is needed', async () => {
    const notFound = { code: 'rest_application_password_not_found', status: 404 };
    const revoke = (id: string) => identity.revokeApplicationPassword({ userId: 0, id }, { actor: user });
    await expect(revoke('x')).rejects.toMatchObject(notFound);
    await expect(revoke('00000000-0000-0000-0000-000000000000')).rejects.toMatchObject(notFound);
    const others = await create(site.users.editor);
    await expect(revoke(others.applicationPassword?.id ?? '')).rejects.toMatchObject(notFound);
    const noUser = { code: 'rest_user_invalid_id', status: 404 };
    const options = { actor: site.users.administrator };
    await expect(
      identity.createApplicationPassword({ userId: 999_999, name: 'x' }, options),
    ).rejects.toMatchObject(noUser);
    await expect(identity.listApplicationPasswords({ userId: 999_999 }, options)).rejects.toMatchObject(
      noUser,
    );
    for (const name of ['', ' \0', 'x'.repeat(101)])
      await expect(create(user, name)).rejects.toMatchObject({ code: 'rest_invalid_param', status: 400 });
  });

  test('are bounded for each user', async () => {
    await site.deps.db.run(
      `insert into application_passwords (user_id, name, hash, hint) select $1, 'n', $2, 0 from generate_series(1, 100)`,
      [user.id, await hashSecret('x')],
    );
    await expect(create()).rejects.toMatchObject({ code: 'too_many_application_passwords', status: 409 });
  });
});

test('who changes a password, or makes application passwords, without end holds up nobody else who signs in', async () => {
  const MANY = 40;
  const change = () => site.as(user).put('/users/me', { password: 'another' });
  let left = MANY;
  const flood = Array.from({ length: MANY }, (_, at) =>
    (at % 2 === 0 ? change() : create()).finally(() => left--),
  );
  // All of them have come when one has got what it wanted.
  await Promise.race(flood);
  expect(await from('192.0.2.8', 'nobody', 'x')).toBe(false);
  expect(left).toBeGreaterThan(MANY / 2);
  await Promise.all(flood);
});
