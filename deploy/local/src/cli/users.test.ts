/** The commands about users and their sessions, on the database of a content service. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { makeUser } from '@sevenfold/content/testing/factories';
import { hashSecret } from '@sevenfold/content/users/secrets';
import { temporaryFolder } from '../test-support';
import { printed } from './testing/printed';

const folder = temporaryFolder();
let site: ContentSite;
const before = { ...process.env };
beforeAll(async () => {
  site = await startContent();
  Object.assign(process.env, { DATA_DIR: '/nowhere', CONTENT_DATABASE_URL: site.deps.config.DATABASE_URL });
});
afterAll(async () => {
  process.env = before;
  await site.stop();
});

const cli = (...args: string[]): Promise<string> => printed('users', 'sessions', ...args);

test('a user is created with the password of a file, or with one that is made', async () => {
  const create = async (name: string, ...more: string[]): Promise<{ password?: string }> =>
    JSON.parse(await printed('users', 'create', name, '--email', `${name}@mail.test`, '--json', ...more)) as {
      password?: string;
    };
  const opens = (username: string, password: string): Promise<unknown> =>
    site.deps.sessions.open({ username, password, address: '2001:db8::1', userAgent: '', name: '' });
  const file = path.join(folder, 'password');
  writeFileSync(file, 'of a file \n');
  expect(await create('filed', '--password-file', file)).not.toHaveProperty('password');
  expect(await opens('filed', 'of a file ')).toMatchObject({ user: { username: 'filed' } });
  const { password } = await create('made');
  expect(await opens('made', password as string)).toMatchObject({ user: { username: 'made' } });
  writeFileSync(file, '\n');
  await expect(create('empty', '--password-file', file)).rejects.toThrow(`${file} is empty.`);
});

test('those of a role are listed, and a role that there is not is no empty list', async () => {
  const { username } = await makeUser(site.deps.db, 'editor');
  expect(await printed('users', 'list', '--role', 'editor')).toContain(username);
  await expect(printed('users', 'list', '--role', 'editor', 'nope')).rejects.toThrow(
    'There is no role nope. Roles are administrator,',
  );
});

test('list and revoke, one or all', async () => {
  const { id, username } = await makeUser(site.deps.db, 'author', {
    password_hash: await hashSecret('a password'),
  });
  const asking = { username, password: 'a password', address: '2001:db8:1:2::3', userAgent: 'agent' };
  for (const name of ['phone', 'tablet', 'desk']) await site.deps.sessions.open({ ...asking, name });
  const listed = JSON.parse(await cli('list', username, '--format', 'json')) as {
    id: string;
    name: string;
  }[];
  expect(listed).toMatchObject([
    { name: 'desk', network: '2001:db8:1::/48', userAgent: 'agent' },
    { name: 'tablet' },
    { name: 'phone' },
  ]);
  expect(await cli('list', username)).toContain('phone');
  const phone = listed[2]?.id as string;
  expect(await cli('revoke', username, phone)).toBe('revoked');
  expect(await site.deps.sessions.authenticate(phone, id, '')).toBeUndefined();
  await expect(cli('revoke', username, phone)).rejects.toMatchObject({ code: 'rest_session_not_found' });
  await expect(cli('revoke', username, 'x')).rejects.toMatchObject({ code: 'rest_session_not_found' });
  await expect(cli('revoke', username)).rejects.toThrow('--all');
  await expect(cli('revoke', username, phone, '--all')).rejects.toThrow('--all');
  expect(await cli('revoke', username, '--all')).toBe('revoked 2 sessions');
  expect(await cli('list', username)).toBe('none');
  await expect(cli('list', 'nobody there')).rejects.toMatchObject({ code: 'rest_user_invalid_id' });
});
