/** Sessions on a real database: what happens at once, what ends them, whose they are. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import { createLog } from '@sevenfold/chassis/log';
import {
  type SessionServiceServer,
  SessionServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/sessions';
import { lockWaits } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import { makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { announceCredentials, lastChange } from '../users/announce';
import * as passwords from '../users/application-passwords';
import { hashSecret } from '../users/secrets';
import { sessionSweeps } from './jobs';
import { makeToken } from './refresh-token';
import { type Granted, type Sessions, openSessions } from './sessions';
import * as store from './store';

const PASSWORD = 'correct horse battery staple';
const asking = { userAgent: 'agent/1', address: '192.0.2.7' };

let site: ContentSite;
let remote: Remote<SessionServiceServer>;
let hash: string;
let user: Actor;
beforeAll(async () => {
  // Longer than a busy machine takes for what comes at once.
  site = await startContent({ REFRESH_GRACE_SECONDS: 60 });
  remote = site.dial<SessionServiceServer>(SessionServiceService, 'gateway');
  hash = await hashSecret(PASSWORD);
});
beforeEach(async () => {
  user = await makeUser(site.deps.db, 'author', { password_hash: hash });
});
afterAll(async () => {
  remote.close();
  await site.stop();
});

/** The same on other terms. */
const withSettings = (settings: object): Sessions =>
  openSessions({
    db: site.deps.db,
    signInDb: site.deps.db,
    identity: site.deps.identity,
    config: { ...site.deps.config, ...settings },
    log: createLog('content', 'api', 'silent'),
  });
const logIn = async (sessions = site.deps.sessions): Promise<Granted> =>
  (await sessions.open({ username: user.username, password: PASSWORD, name: '', ...asking })) as Granted;
const refresh = (token: string, sessions = site.deps.sessions) => sessions.refresh(token, asking);
const lasts = async (id: string): Promise<boolean> =>
  (await site.deps.sessions.authenticate(id, user.id, asking.address)) !== undefined;
const rowOf = (id: string) =>
  site.deps.db.first<Record<string, unknown>>('select * from sessions where id = $1', [id]);
/** How often others were told of credentials so far. */
const changes = () => lastChange(site.deps.db);
const set = (id: string, change: string) =>
  site.deps.db.run(`update sessions set ${change} where id = $1`, [id]);

describe('exchanges', () => {
  test('that come at once have one successor', async () => {
    const { id, refreshToken } = await logIn();
    const all = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)));
    const next = all[0]?.refreshToken as string;
    expect(all.map((granted) => granted?.refreshToken)).toEqual(all.map(() => next));
    expect(next).not.toBe(refreshToken);
    expect((await refresh(next))?.id).toBe(id);
    // Now the next one was used: the first is a replay at whatever time.
    const before = await changes();
    expect(await refresh(refreshToken)).toBeUndefined();
    expect(await rowOf(id)).toMatchObject({ ended_by: 'replayed' });
    expect(await changes()).toBe(before + 1);
  });

  test('have no second chance where configuration says so', async () => {
    const strict = withSettings({ REFRESH_GRACE_SECONDS: 0 });
    const { id, refreshToken } = await logIn();
    const all = await Promise.all([refresh(refreshToken, strict), refresh(refreshToken, strict)]);
    expect(all.filter((granted) => granted !== undefined)).toHaveLength(1);
    expect(await lasts(id)).toBe(false);
  });

  test('never bring back what ends at the same moment', async () => {
    for (let n = 0; n < 10; n++) {
      const { id, refreshToken } = await logIn();
      const [granted, ended] = await Promise.all([
        refresh(refreshToken),
        site.deps.sessions.end(user.id, id),
      ]);
      expect(ended?.id).toBe(id);
      expect(await lasts(id)).toBe(false);
      expect(granted && (await refresh(granted.refreshToken))).toBeUndefined();
    }
  });

  test('want the whole token and nothing else; what was never one ends nothing', async () => {
    const { id, refreshToken } = await logIn();
    // The decoder takes no offence at either.
    for (const other of [
      `${refreshToken}!`,
      `${refreshToken}=`,
      `sfr_!${refreshToken.slice(4)}`,
      `x${refreshToken}`,
    ])
      expect(await refresh(other)).toBeUndefined();
    expect(await lasts(id)).toBe(true);
    expect((await refresh(refreshToken))?.id).toBe(id);
  });

  test('note from where and by what, of the address only the network', async () => {
    const { id, refreshToken } = await logIn();
    expect(await rowOf(id)).toMatchObject({ network: '192.0.2.0/24', user_agent: 'agent/1' });
    await site.deps.sessions.refresh(refreshToken, {
      userAgent: `<i>b</i>${'x'.repeat(900)}`,
      address: 'nowhere',
    });
    expect(await rowOf(id)).toMatchObject({ network: '', user_agent: `b${'x'.repeat(299)}` });
    const log = { ...asking, address: '2001:db8:1:8234::1', name: ` <b>n</b>${'n'.repeat(150)}` };
    const named = await site.deps.sessions.open({ username: user.username, password: PASSWORD, ...log });
    expect(await rowOf(named?.id ?? '')).toMatchObject({ network: '2001:db8:1::/48', name: 'n'.repeat(100) });
  });
});

test('who was found is not looked for again in the next moment, unless the news say so', async () => {
  const { id } = await logIn();
  expect(await lasts(id)).toBe(true);
  await set(id, `ended_by = 'silently'`);
  expect(await lasts(id)).toBe(true);
  await site.deps.db.transaction((tx) => announceCredentials(tx, user.id));
  await until(async () => !(await lasts(id)));
});

test('a password that is changed between the check and the beginning begins nothing', async () => {
  const { identity } = site.deps;
  const late = openSessions({
    db: site.deps.db,
    signInDb: site.deps.db,
    identity: {
      ...identity,
      logIn: async (...given) => {
        const found = await identity.logIn(...given);
        await site.by('administrator').post(`/users/${user.id}`, { password: 'another passphrase' });
        return found;
      },
    },
    config: site.deps.config,
    log: createLog('content', 'api', 'silent'),
  });
  expect(
    await late.open({ username: user.username, password: PASSWORD, name: '', ...asking }),
  ).toBeUndefined();
  expect(await site.deps.db.rows('select id from sessions where user_id = $1', [user.id])).toEqual([]);
});

test('what else of a user is changed ends nothing', async () => {
  const { id } = await logIn();
  await site.by('administrator').post(`/users/${user.id}`, { first_name: 'Ann', roles: ['editor'] });
  const found = await site.deps.sessions.authenticate(id, user.id, asking.address);
  expect(found?.roles).toEqual(['editor']);
});

describe('the time of a session', () => {
  test('ends without an exchange, and whatever is exchanged', async () => {
    const terms = withSettings({ REFRESH_TOKEN_SECONDS: 1_000, SESSION_SECONDS: 1_500 });
    const { id, refreshToken, refreshSeconds } = await logIn(terms);
    expect(refreshSeconds).toBe(1_000);
    await set(id, `created_at = created_at - interval '1000 seconds'`);
    const later = (await refresh(refreshToken, terms)) as Granted;
    expect(later.refreshSeconds).toBeLessThanOrEqual(500);
    expect(later.refreshSeconds).toBeGreaterThan(0);
    await set(id, `ends_at = now()`);
    expect(await refresh(later.refreshToken, terms)).toBeUndefined();
    expect(await lasts(id)).toBe(false);
    expect(await rowOf(id)).toMatchObject({ ended_by: '' });
  });

  test('is over for good a day later, row by row', async () => {
    const [one, two, three] = [await logIn(), await logIn(), await logIn()] as [Granted, Granted, Granted];
    await set(one.id, `ends_at = now() - interval '25 hours'`);
    await set(two.id, `ends_at = now() - interval '23 hours'`);
    for (const sweep of sessionSweeps) await sweep.run(site.deps);
    const left = await site.deps.db.rows<{ id: string }>('select id from sessions where user_id = $1', [
      user.id,
    ]);
    expect(left.map(({ id }) => id).sort()).toEqual([two.id, three.id].sort());
  });

  test('its use is noted once a minute', async () => {
    const { id } = await logIn();
    await set(id, `last_used_at = '2020-01-01'`);
    expect(await site.deps.sessions.authenticate(id, user.id, '198.51.100.7')).toBeDefined();
    const noted = await rowOf(id);
    expect(noted).toMatchObject({ network: '198.51.100.0/24' });
    expect(String(noted?.last_used_at)).not.toMatch(/^2020/);
    await site.deps.sessions.authenticate(id, user.id, '203.0.113.7');
    expect(await rowOf(id)).toEqual(noted);
  });
});

test('a hundred last; one more ends the one that was not used for the longest', async () => {
  const { id: oldest } = await logIn();
  await site.deps.db.run(
    `insert into sessions (user_id, name, user_agent, network, family, current, ends_at, last_used_at)
     select $1::bigint, 'n', '', '', sha256(('f' || $1::bigint || n)::bytea), '', now() + interval '1 day', now() from generate_series(1, 99) n`,
    [user.id],
  );
  await set(oldest, `last_used_at = '2020-01-01'`);
  const before = await changes();
  const { id: newest } = await logIn();
  expect(await changes()).toBe(before + 1);
  expect([await lasts(oldest), await lasts(newest)]).toEqual([false, true]);
  expect(await rowOf(oldest)).toMatchObject({ ended_by: 'too many' });
  expect((await remote.listSessions({ userId: 0 }, { actor: user })).sessions).toHaveLength(100);
});

describe('what is ended', () => {
  test('is told to all, and is over at once in the process that ends it', async () => {
    const forgotten: number[] = [];
    const forget = (userId: number): void => void forgotten.push(userId);
    const sessions = openSessions({
      ...{ db: site.deps.db, signInDb: site.deps.db, config: site.deps.config },
      identity: { ...site.deps.identity, forget },
      log: createLog('content', 'api', 'silent'),
    });
    const [one] = [await logIn(), await logIn()] as [Granted, Granted];
    /** How many were told, and of whom this process forgot what it knew. */
    const outcome = async (work: () => Promise<unknown>) => {
      const before = await changes();
      await work();
      return [(await changes()) - before, ...forgotten.splice(0)];
    };
    expect(await outcome(() => sessions.end(user.id, one.id.toUpperCase()))).toEqual([1, user.id]);
    expect(await rowOf(one.id)).toMatchObject({ ended_by: 'user' });
    for (const id of [one.id, `x${one.id}`, `${one.id}x`])
      expect(await outcome(() => sessions.end(user.id, id))).toEqual([0, user.id]);
    expect(await outcome(() => sessions.endAll(user.id))).toEqual([1, user.id]);
    expect(await outcome(() => sessions.endAll(user.id))).toEqual([0, user.id]);
  });

  test('of all, also one that begins at the same moment', async () => {
    const { db, sessions } = site.deps;
    let ended: Promise<number> = Promise.resolve(0);
    let settled = false;
    await db.transaction(async (tx) => {
      // As a log-in does whose password was right.
      await store.lockOwner(tx, user.id);
      ended = sessions.endAll(user.id).finally(() => (settled = true));
      await until(async () => settled || (await lockWaits(db)) > 0);
      const { family, own: current } = makeToken();
      const session = {
        userId: user.id,
        applicationPassword: undefined,
        name: '',
        userAgent: '',
        network: '',
      };
      await store.insert(tx, { ...session, family, current }, { idle: 60, whole: 60 });
    });
    expect(await ended).toBe(1);
  });

  test('with an application password: what it has opened, and nothing else', async () => {
    const { db, sessions } = site.deps;
    const open = async (): Promise<{ id: string; by: string }> => {
      const { password, secret } = await passwords.create(db, user.id, 'script');
      const granted = await sessions.open({ username: user.username, password: secret, name: '', ...asking });
      return { id: granted?.id ?? '', by: password.id };
    };
    const [one, other] = [await open(), await open()];
    await db.transaction((tx) => passwords.revoke(tx, user.id, one.by));
    await until(async () => !(await lasts(one.id)));
    expect(await lasts(other.id)).toBe(true);
    const { sessions: left } = await remote.listSessions({ userId: 0 }, { actor: user });
    expect(left.map(({ id, byApplicationPassword }) => [id, byApplicationPassword])).toEqual([
      [other.id, true],
    ]);
  });
});

describe('SessionService', () => {
  test('finds an account by the names with which one may log in', async () => {
    const { db } = site.deps;
    await db.run(`update users set email = $2 where id = $1`, [user.id, `Mail.${user.username}@site.test`]);
    const find = async (username: string) => (await remote.findAccount({ username })).userId;
    for (const name of [user.username, ` ${user.username.toUpperCase()}\u0007`])
      expect(await find(name)).toBe(user.id);
    expect(await find(`mail.${user.username}@SITE.test`)).toBe(user.id);
    // A user name goes before the equal address of somebody else, as in the log-in.
    const other = await makeUser(db, 'author', { username: `mail.${user.username}@site.test` });
    expect(await find(`mail.${user.username}@site.test`)).toBe(other.id);
    for (const name of ['', '\0', 'nobody', String(user.id), 'x'.repeat(5_000)])
      expect(await find(name)).toBe(0);
  });

  test('shows and ends those of the actor, and of others to who may edit users', async () => {
    const [one, two] = [await logIn(), await logIn()] as [Granted, Granted];
    const { administrator, editor } = site.users;
    const seen = await remote.listSessions({ userId: user.id }, { actor: administrator });
    expect(seen.sessions.map(({ id }) => id)).toEqual([two.id, one.id]);
    expect(seen.sessions[0]).toEqual({
      id: two.id,
      name: '',
      userAgent: 'agent/1',
      network: '192.0.2.0/24',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      lastUsedAt: expect.stringMatching(/Z$/),
      endsAt: expect.stringMatching(/Z$/),
      byApplicationPassword: false,
    });
    for (const [options, status] of [
      [{ actor: undefined }, 401],
      [{ actor: editor }, 403],
    ] as const) {
      const refusal = { code: 'rest_cannot_manage_sessions', status };
      await expect(remote.listSessions({ userId: user.id }, options)).rejects.toMatchObject(refusal);
      await expect(remote.endSession({ userId: user.id, id: one.id }, options)).rejects.toMatchObject(
        refusal,
      );
      await expect(remote.endSessions({ userId: user.id }, options)).rejects.toMatchObject(refusal);
    }
    const notFound = { code: 'rest_session_not_found', status: 404 };
    for (const id of ['x', '00000000-0000-4000-8000-000000000000', one.id])
      await expect(remote.endSession({ userId: 0, id }, { actor: editor })).rejects.toMatchObject(notFound);
    expect(await remote.endSession({ userId: user.id, id: one.id }, { actor: administrator })).toMatchObject({
      id: one.id,
    });
    expect(await remote.endSessions({ userId: 0 }, { actor: user })).toEqual({ ended: 1 });
    expect([await lasts(one.id), await lasts(two.id)]).toEqual([false, false]);
  });

  test('knows nobody by what is no session of his', async () => {
    const { id } = await logIn();
    const ask = async (sessionId: string, userId: number) =>
      (await remote.authenticateSession({ sessionId, userId, address: '' })).ok;
    expect(await ask(id, user.id)).toBe(true);
    expect(await ask(id, site.users.administrator.id)).toBe(false);
    expect(await ask('x', user.id)).toBe(false);
    expect(await ask('00000000-0000-4000-8000-000000000000', user.id)).toBe(false);
  });
});
