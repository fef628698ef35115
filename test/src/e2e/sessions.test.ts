/**
 * Sessions from log-in to their end, through two gateways before one content service: tokens that are stolen, shown twice, lost on
 * their way, taken away.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { makeUser } from '@sevenfold/content/testing/factories';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { hashSecret } from '@sevenfold/content/users/secrets';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { addresses, startTestGateway } from '@sevenfold/gateway/testing';
import {
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';

const PASSWORD = 'correct horse battery staple';
const TOKEN_KEYS = 'the secret of these tests that signs tokens';
const SESSIONS = '/console/api/sessions';
const ME = '/rest/core/v2/users/me?context=edit';

let content: ContentSite;
let gateway: RunningGateway;
let other: RunningGateway;
let hash: string;
let user: Actor;

const startGateway = (settings: object = {}): Promise<RunningGateway> =>
  startTestGateway({ ...addresses('CONTENT', content.service), TOKEN_KEYS, ...settings });
const at = (where: RunningGateway) => speaker(where.url);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const logIn = (username = user.username, password = PASSWORD, more: object = {}): Promise<Answer> =>
  at(gateway).post(SESSIONS, { username, password, ...more });
const refresh = (token: string, where = gateway): Promise<Answer> =>
  at(where).post(`${SESSIONS}/refresh`, { refresh_token: token });
const me = async (token: string, where = gateway): Promise<number> =>
  (await at(where).get(ME, bearer(token))).status;
const sessionRow = (id: string) =>
  content.deps.db.first<Record<string, unknown>>('select * from sessions where id = $1', [id]);

beforeAll(async () => {
  // Longer than a busy machine takes for what comes at once.
  content = await startContent({ REFRESH_GRACE_SECONDS: 60 });
  hash = await hashSecret(PASSWORD);
  gateway = await startGateway();
  // Only the news of users tell it what has changed in time.
  other = await startGateway({ CREDENTIAL_SECONDS: 30 });
});
beforeEach(async () => {
  user = await makeUser(content.deps.db, 'editor', { password_hash: hash });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), other.stop()]);
  await content.stop();
});

describe('a log-in', () => {
  test('gets an access token that opens what its user may, by every gateway', async () => {
    const { status, headers, body } = await logIn(user.username, PASSWORD, { name: ' Phone <b> ' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('set-cookie')).toBeNull();
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: expect.stringMatching(/^sfr_[\w-]{64}$/),
      refresh_expires_in: 30 * 24 * 3600,
      session: expect.any(String),
      user: {
        id: user.id,
        username: user.username,
        name: user.name,
        email: user.email,
        roles: ['editor'],
        capabilities: [...user.capabilities],
      },
    });
    for (const where of [gateway, other]) {
      const mine = await at(where).get(ME, bearer(body.access_token));
      expect([mine.status, mine.body.username]).toEqual([200, user.username]);
    }
    const made = await at(gateway).post(
      '/rest/core/v2/posts',
      { title: 'By token' },
      bearer(body.access_token),
    );
    expect([made.status, made.body.author]).toEqual([201, user.id]);
    expect(await sessionRow(body.session)).toMatchObject({ name: 'Phone', network: '127.0.0.0/24' });
  });

  test('also takes the e-mail address, and an application password, with which the session ends', async () => {
    expect((await logIn(user.email.toUpperCase())).status).toBe(200);
    const identity = content.dial<IdentityServiceServer>(IdentityServiceService, 'gateway');
    const { secret, applicationPassword } = await identity.createApplicationPassword(
      { userId: 0, name: 'script' },
      { actor: user },
    );
    const { body } = await logIn(user.username, secret);
    expect(await me(body.access_token)).toBe(200);
    await identity.revokeApplicationPassword(
      { userId: 0, id: applicationPassword?.id ?? '' },
      { actor: user },
    );
    identity.close();
    await until(async () => (await me(body.access_token, other)) === 401);
    expect((await refresh(body.refresh_token)).status).toBe(401);
  });

  test('is one question once it is known whose the name is, and follows the name to another account', async () => {
    const { db } = content.deps;
    const told = async (method: string): Promise<number> => {
      const text = await (await fetch(`${content.url}/metrics`)).text();
      const counts = text.matchAll(/^grpc_server_duration_seconds_count\{([^}]*)\} (\d+)$/gm);
      return Array.from(counts, ([, labels = '', count]) =>
        labels.includes(`/${method}"`) ? Number(count) : 0,
      ).reduce((sum, count) => sum + count, 0);
    };
    const email = `shared-${user.username}@site.test`;
    await db.run('update users set email = $2 where id = $1', [user.id, email]);
    const whose = async (): Promise<unknown> =>
      ((await logIn(email)).body as { user: { id: number } }).user.id;
    const before = await told('FindAccount');
    expect([await whose(), await whose(), await whose()]).toEqual([user.id, user.id, user.id]);
    expect((await told('FindAccount')) - before).toBe(1);
    const next = await makeUser(db, 'author', { password_hash: hash });
    await db.run(`update users set email = '' where id = $1`, [user.id]);
    await db.run('update users set email = $2 where id = $1', [next.id, email]);
    expect([await whose(), await whose()]).toEqual([next.id, next.id]);
    expect((await told('FindAccount')) - before).toBe(2);
  });

  test('that is wrong is told the same whoever is meant', async () => {
    const answers = await Promise.all([
      logIn(user.username, 'wrong'),
      logIn('nobody at all', 'wrong'),
      logIn((await makeUser(content.deps.db, 'editor')).username, '!'),
    ]);
    for (const { status, headers, body } of answers) {
      expect([status, body.code]).toEqual([401, 'rest_invalid_credentials']);
      expect(body).toEqual(answers[0]?.body);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="site.test"');
    }
  });

  test('takes no secret from an address, and no form', async () => {
    const query = `username=${user.username}&password=${encodeURIComponent(PASSWORD)}`;
    const inAddress = await at(gateway).post(`${SESSIONS}?${query}`, {});
    expect([inAddress.status, Object.keys(inAddress.body.data.params)]).toEqual([
      400,
      ['username', 'password'],
    ]);
    const form = await at(gateway).post(SESSIONS, new URLSearchParams(query));
    expect(form.status).toBe(415);
  });
});

describe('a refresh token', () => {
  test('is exchanged at each use; the session goes on', async () => {
    const { body: first } = await logIn();
    const { body: second } = await refresh(first.refresh_token);
    const { body: third } = await refresh(second.refresh_token, other);
    expect([second, third]).toMatchObject([{ session: first.session }, { session: first.session }]);
    expect(new Set([first, second, third].map((body) => body.refresh_token)).size).toBe(3);
    expect(await me(third.access_token)).toBe(200);
    const stored = JSON.stringify(await sessionRow(first.session));
    for (const { refresh_token: token } of [first, second, third])
      for (const encoding of ['base64', 'hex'] as const)
        expect(stored).not.toContain(Buffer.from(token.slice(4), 'base64url').toString(encoding));
  });

  test('that was exchanged and is shown again ends the session, for the thief and for the robbed', async () => {
    const { body: first } = await logIn();
    const { body: second } = await refresh(first.refresh_token);
    const { body: third } = await refresh(second.refresh_token);
    const { status, body } = await refresh(first.refresh_token, other);
    expect([status, body.code]).toEqual([401, 'rest_invalid_refresh_token']);
    expect((await refresh(third.refresh_token)).status).toBe(401);
    await until(
      async () => (await me(third.access_token)) === 401 && (await me(third.access_token, other)) === 401,
    );
    expect(await sessionRow(first.session)).toMatchObject({ ended_by: 'replayed' });
    // Others of the user are not concerned.
    expect((await logIn()).status).toBe(200);
  });

  test('of which the answer was lost gets the same answer again, for a moment and while nobody has used it', async () => {
    const { body: first } = await logIn();
    const answers = await Promise.all(
      [gateway, other, gateway, other].map((where) => refresh(first.refresh_token, where)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [second] = answers.map(({ body }) => body.refresh_token as string);
    expect(answers.map(({ body }) => body.refresh_token)).toEqual([second, second, second, second]);
    await content.deps.db.run(
      `update sessions set refreshed_at = refreshed_at - interval '61 seconds' where id = $1`,
      [first.session],
    );
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect((await refresh(second as string)).status).toBe(401);
  });

  test('that is none changes nothing', async () => {
    const { body } = await logIn();
    const strange = ['', 'x', `${body.refresh_token}x`, body.access_token, `sfr_${'A'.repeat(64)}`];
    const statuses = [];
    for (const token of strange) statuses.push((await refresh(token)).status);
    expect(statuses).toEqual([400, 401, 401, 400, 401]);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });
});

describe('the end of a session', () => {
  test('is heard by every gateway, and is of one or of all', async () => {
    const [one, two, three] = [await logIn(), await logIn(), await logIn()].map(({ body }) => body);
    const asTwo = bearer(two.access_token);
    const listed = await at(gateway).get(SESSIONS, asTwo);
    expect(listed.body.map((row: { id: string; current: boolean }) => [row.id, row.current])).toEqual([
      [three.session, false],
      [two.session, true],
      [one.session, false],
    ]);
    expect(listed.body[0]).toMatchObject({ network: '127.0.0.0/24', by_application_password: false });
    for (const where of [gateway, other]) expect(await me(one.access_token, where)).toBe(200);
    const ended = await at(gateway).delete(`${SESSIONS}/${one.session}`, asTwo);
    expect([ended.status, ended.body.deleted, ended.body.previous.id]).toEqual([200, true, one.session]);
    for (const where of [gateway, other])
      await until(async () => (await me(one.access_token, where)) === 401);
    expect((await at(gateway).delete(`${SESSIONS}/${one.session}`, asTwo)).status).toBe(404);
    expect((await at(other).delete(SESSIONS, asTwo)).body).toEqual({ ended: 2 });
    for (const { access_token: token, refresh_token: next } of [two, three]) {
      for (const where of [gateway, other]) await until(async () => (await me(token, where)) === 401);
      expect((await refresh(next)).status).toBe(401);
    }
  });

  test('is nobody else’s to decide', async () => {
    const [mine, strange] = [await logIn(), await logIn(content.users.editor.username)];
    expect(strange.status).toBe(401);
    const stranger = await makeUser(content.deps.db, 'editor', { password_hash: hash });
    const { body } = await logIn(stranger.username);
    const path = `${SESSIONS}/${mine.body.session}`;
    expect((await at(gateway).delete(path, bearer(body.access_token))).status).toBe(404);
    expect((await at(gateway).delete(path)).status).toBe(401);
    expect((await at(gateway).get(SESSIONS)).status).toBe(401);
    expect(await me(mine.body.access_token)).toBe(200);
  });

  test('comes with a new password and with the end of the user', async () => {
    const { body: first } = await logIn();
    const by = content.by('administrator');
    expect((await by.post(`/users/${user.id}`, { password: 'another passphrase' })).status).toBe(200);
    for (const where of [gateway, other])
      await until(async () => (await me(first.access_token, where)) === 401);
    expect((await refresh(first.refresh_token)).status).toBe(401);
    const { body: second } = await logIn(user.username, 'another passphrase');
    expect(await me(second.access_token)).toBe(200);
    await by.delete(`/users/${user.id}?force=true&reassign=${content.users.administrator.id}`);
    for (const where of [gateway, other])
      await until(async () => (await me(second.access_token, where)) === 401);
    expect((await refresh(second.refresh_token)).status).toBe(401);
  });
});

describe('application passwords', () => {
  const PASSWORDS = '/console/api/application-passwords';
  const basic = (username: string, password: string) => ({
    Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  });
  const tokenOf = async (of: Actor): Promise<Record<string, string>> =>
    bearer(String((await logIn(of.username)).body.access_token));

  test('are made, listed without their secrets, used, and revoked', async () => {
    const me = await tokenOf(user);
    const made = await at(gateway).post(PASSWORDS, { name: ' Phone <b>' }, me);
    expect([made.status, made.headers.get('cache-control'), made.body]).toEqual([
      201,
      'no-store',
      {
        id: expect.any(String),
        name: 'Phone',
        created: expect.any(String),
        last_used: '',
        last_address: '',
        password: expect.stringMatching(/^(\w{4} ){5}\w{4}$/),
      },
    ]);
    const { id, password } = made.body as { id: string; password: string };
    const own = basic(user.username, password);
    expect((await at(other).get(ME, own)).status).toBe(200);
    const listed = (await at(gateway).get(PASSWORDS, own)).body as unknown as {
      id: string;
      last_used: string;
    }[];
    expect(listed.map((one) => [one.id, one.last_used !== '', 'password' in one])).toEqual([
      [id, true, false],
    ]);
    const gone = await at(gateway).request('DELETE', `${PASSWORDS}/${id}`, { headers: me });
    expect([gone.status, gone.body.deleted, gone.body.previous]).toEqual([200, true, listed[0]]);
    await until(async () => (await at(other).get(ME, own)).status === 401);
    const again = await at(gateway).request('DELETE', `${PASSWORDS}/${id}`, { headers: me });
    expect(again.status).toBe(404);
    expect((await at(gateway).get(PASSWORDS, me)).body).toEqual([]);
    for (const name of ['', ' ', 'x'.repeat(101)])
      expect((await at(gateway).post(PASSWORDS, { name }, me)).status).toBe(400);
  });

  test('of others are for those who may edit users', async () => {
    const administrator = await makeUser(content.deps.db, 'administrator', { password_hash: hash });
    const [mine, theirs] = [await tokenOf(user), await tokenOf(administrator)];
    const made = await at(gateway).post(PASSWORDS, { name: 'For them', user: user.id }, theirs);
    const { id, password } = made.body as { id: string; password: string };
    expect((await at(gateway).get(ME, basic(user.username, password))).body.id).toBe(user.id);
    const of = `?user=${administrator.id}`;
    for (const [method, path, body] of [
      ['GET', `${PASSWORDS}${of}`, undefined],
      ['POST', PASSWORDS, { name: 'Mine', user: administrator.id }],
      ['DELETE', `${PASSWORDS}/${id}${of}`, undefined],
    ] as const)
      for (const [headers, status] of [
        [mine, 403],
        [{}, 401],
      ] as const)
        expect([path, (await at(gateway).request(method, path, { headers, body })).status]).toEqual([
          path,
          status,
        ]);
    expect((await at(gateway).get(`${PASSWORDS}?user=999999`, theirs)).status).toBe(404);
    const gone = await at(gateway).request('DELETE', `${PASSWORDS}/${id}?user=${user.id}`, {
      headers: theirs,
    });
    expect(gone.status).toBe(200);
  });
});

test('rights are those of the moment, not those of the log-in', async () => {
  const { body } = await logIn();
  const settings = () => at(gateway).get('/rest/core/v2/settings', bearer(body.access_token));
  expect((await settings()).status).toBe(403);
  await content.by('administrator').post(`/users/${user.id}`, { roles: ['administrator'] });
  await until(async () => (await settings()).status === 200);
});
