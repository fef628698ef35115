import { type ContentSite, startContent } from '../testing/service';
import * as commands from './commands';
import { hashSecret, hintOf, ungrouped } from './secrets';
import { ensureAdministrator } from './setup';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
beforeEach(() => site.deps.db.run('delete from users'));
afterAll(() => site.stop());

const wanted = { username: 'boss', password: 'a password', email: 'boss@mail.test', applicationPassword: '' };
const all = () =>
  site.deps.db.rows<{ id: number; username: string; roles: string[] }>(
    'select id, username, roles from users',
  );
const passwords = async () => commands.listApplicationPasswords(site.deps, { username: 'boss' });
const works = async (secret: string) =>
  (await site.deps.identity.authenticate('boss', secret, '')) !== undefined;

describe('ensureAdministrator', () => {
  test('makes the administrator of a site that has none, once, however many replicas start', async () => {
    await Promise.all(
      Array.from({ length: 4 }, () =>
        ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'abcd efgh' }),
      ),
    );
    await ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'abcd efgh' });
    expect(await all()).toEqual([{ id: expect.any(Number), username: 'boss', roles: ['administrator'] }]);
    expect(await site.deps.identity.logIn('boss', 'a password', '')).toMatchObject({
      user: { username: 'boss' },
    });
    expect((await passwords()).map((row) => row.name)).toEqual(['setup']);
    expect(await works('abcdefgh')).toBe(true);
  });

  test('a changed application password takes the place of the old one, and leaves others alone', async () => {
    await ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'first one' });
    const own = await commands.createApplicationPassword(site.deps, { username: 'boss', name: 'own' });
    expect(await works('first one')).toBe(true);
    await ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'second one' });
    site.deps.identity.forget((await all())[0]?.id ?? 0);
    expect([await works('first one'), await works('second one'), await works(own.secret)]).toEqual([
      false,
      true,
      true,
    ]);
    await ensureAdministrator(site.deps.db, wanted);
    expect(await passwords()).toHaveLength(2);
  });

  test('an application password that was revoked does not come back with the next start, another one comes', async () => {
    const start = (applicationPassword: string) =>
      ensureAdministrator(site.deps.db, { ...wanted, applicationPassword });
    await start('leaked one');
    const [{ id } = { id: '' }] = await passwords();
    await commands.revokeApplicationPassword(site.deps, { username: 'boss', id });
    await Promise.all([start('leaked one'), start('leaked one')]);
    expect(await passwords()).toEqual([]);
    expect(await works('leaked one')).toBe(false);
    await start('a new one');
    expect([await works('leaked one'), await works('a new one')]).toEqual([false, true]);
    // The configuration of before, put back: nobody has revoked that.
    await start('yet another');
    await start('a new one');
    expect((await passwords()).map(({ name }) => name)).toEqual(['setup']);
    expect(await works('a new one')).toBe(true);
  });

  test('an application password that a person called the same stays', async () => {
    await ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'of the site' });
    const { secret } = await commands.createApplicationPassword(site.deps, {
      username: 'boss',
      name: 'setup',
    });
    await ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'of the site' });
    await ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'of the site by now' });
    expect(await Promise.all(['of the site', 'of the site by now', secret].map(works))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('what a version before makes of its configuration, after a roll-back, is known as that of the configuration', async () => {
    const start = (applicationPassword: string) =>
      ensureAdministrator(site.deps.db, { ...wanted, applicationPassword });
    await start('new one');
    const [{ id } = { id: 0 }] = await all();
    // As that version does it, which knows such a password by its name.
    const rollBack = async (secret: string) => {
      await site.deps.db.run(
        `update application_passwords set revoked_at = now() where user_id = $1 and name = 'setup' and revoked_at is null`,
        [id],
      );
      await site.deps.db.run(
        `insert into application_passwords (user_id, name, hash, hint) values ($1, 'setup', $2, $3)`,
        [id, await hashSecret(ungrouped(secret)), hintOf(ungrouped(secret))],
      );
      site.deps.identity.forget(id);
    };
    await rollBack('former one');
    expect([await works('former one'), await works('new one')]).toEqual([true, false]);
    await start('new one');
    site.deps.identity.forget(id);
    expect([await works('former one'), await works('new one')]).toEqual([false, true]);
    expect(await passwords()).toHaveLength(1);
  });

  test('leaves a site that has an administrator as it is', async () => {
    const options = { username: 'other', email: 'o@mail.test', password: 'x', roles: ['administrator'] };
    await commands.createUser(site.deps, options);
    await ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'abcd' });
    expect((await all()).map((user) => user.username)).toEqual(['other']);
    // A user who only happens to have the name gets no key to the site.
    await commands.createUser(site.deps, { ...wanted, roles: ['author'] });
    await ensureAdministrator(site.deps.db, { ...wanted, applicationPassword: 'abcd' });
    expect(await passwords()).toEqual([]);
    expect(await works('abcd')).toBe(false);
  });

  test('says what is wrong with the configuration', async () => {
    const broken = ensureAdministrator(site.deps.db, { ...wanted, username: 'b*ss', email: 'nowhere' });
    await expect(broken).rejects.toThrow(/ADMIN_USERNAME cannot be created.*username.*email/s);
    await commands.createUser(site.deps, { ...wanted, username: 'someone' });
    await expect(ensureAdministrator(site.deps.db, wanted)).rejects.toThrow(/e-mail address/);
    expect((await all()).map((user) => user.username)).toEqual(['someone']);
  });

  test('runs at the start of a service', async () => {
    const other = await startContent({
      ADMIN_USERNAME: 'root',
      ADMIN_PASSWORD: 'secret',
      ADMIN_APPLICATION_PASSWORD: 'apples',
    });
    try {
      const verified = await other.deps.identity.authenticate('root', 'apples', '');
      expect(verified?.user.roles).toEqual(['administrator']);
    } finally {
      await other.stop();
    }
  });
});

describe('commands', () => {
  test('create, find and list users by the rules of the routes', async () => {
    const made = await commands.createUser(site.deps, {
      username: 'ann',
      email: 'ann@mail.test',
      password: 'x',
      name: 'Ann',
      roles: ['editor'],
    });
    expect(made).toMatchObject({ username: 'ann', name: 'Ann', roles: ['editor'], slug: 'ann' });
    expect(made).not.toHaveProperty('passwordHash');
    await commands.createUser(site.deps, { username: 'ben', email: 'ben@mail.test', password: 'x' });
    const { rows, total } = await commands.listUsers(site.deps);
    expect([rows.map((row) => row.username), total]).toEqual([['ann', 'ben'], 2]);
    expect((await commands.listUsers(site.deps, { roles: ['editor'] })).total).toBe(1);
    expect((await commands.listUsers(site.deps, { search: 'ben@', perPage: 1 })).rows[0]?.username).toBe(
      'ben',
    );
    const again = commands.createUser(site.deps, { username: 'ann', email: 'ann@mail.test', password: 'x' });
    await expect(again).rejects.toMatchObject({ code: 'existing_user_login', status: 409 });
    const invalid = commands.createUser(site.deps, { username: '', email: 'x', password: '' });
    await expect(invalid).rejects.toThrow(/username, email, password/);
  });

  test('make, list and revoke application passwords', async () => {
    await commands.createUser(site.deps, { ...wanted, roles: ['author'] });
    const { applicationPassword, secret } = await commands.createApplicationPassword(site.deps, {
      username: 'boss@mail.test',
      name: 'cron',
    });
    expect(await works(secret)).toBe(true);
    expect(await passwords()).toMatchObject([{ id: applicationPassword.id, name: 'cron' }]);
    await commands.revokeApplicationPassword(site.deps, { username: 'boss', id: applicationPassword.id });
    expect(await passwords()).toEqual([]);
    const unknown = commands.listApplicationPasswords(site.deps, { username: 'nobody' });
    await expect(unknown).rejects.toMatchObject({ code: 'rest_user_invalid_id' });
  });
});
