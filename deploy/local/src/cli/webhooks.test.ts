/** The commands about webhooks, on the database of a content service. */
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { printed } from './testing/printed';

let site: ContentSite;
const before = { ...process.env };
beforeAll(async () => {
  site = await startContent({ SPAM_KEY_SECRETS: 'the secret of the tests' });
  Object.assign(process.env, {
    DATA_DIR: '/nowhere',
    CONTENT_DATABASE_URL: site.deps.config.DATABASE_URL,
    SPAM_KEY_SECRETS: 'the secret of the tests',
  });
});
afterAll(async () => {
  process.env = before;
  await site.stop();
});

const cli = (...args: string[]): Promise<string> => printed('webhooks', ...args);

test('add, list, rotate, ping, deliveries, redeliver and remove', async () => {
  const { username, id: owner } = site.users.administrator;
  const url = 'https://hooks.example.org/told';
  const made = JSON.parse(
    await cli('add', url, '--topic', 'content.*', 'calendar.*', '--owner', username),
  ) as {
    id: number;
    secret: string;
  };
  expect(made).toMatchObject({ url, owner, topics: ['content.*', 'calendar.*'], audience: 'public' });
  const one = String(made.id);
  const [listed] = JSON.parse(await cli('list', '--format', 'json')) as [object];
  expect(listed).toMatchObject({ id: made.id, url, state: 'active', topics: ['content.*', 'calendar.*'] });
  expect(await cli('list')).toContain('content.* calendar.*');
  const rotated = JSON.parse(await cli('rotate', one)) as { secret: string };
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(made.secret);
  const ping = JSON.parse(await cli('ping', one)) as { id: number };
  const [delivery] = JSON.parse(await cli('deliveries', one, '--format', 'json')) as [object];
  expect(delivery).toMatchObject({ id: ping.id, topic: 'webhook.ping', state: 'waiting', attempts: 0 });
  expect(JSON.parse(await cli('redeliver', one, String(ping.id)))).toMatchObject({ id: ping.id });
  expect(await cli('remove', one)).toContain(url);
  expect(JSON.parse(await cli('list', '--format', 'json'))).toEqual([]);
  await expect(cli('add', 'http://10.0.0.1/', '--topic', '*', '--owner', username)).rejects.toMatchObject({
    status: 400,
  });
});
