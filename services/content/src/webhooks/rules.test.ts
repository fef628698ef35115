/** Who may be told of what, and where: what a registration may say, and addresses that are refused. */
import type { ApiError } from '@sevenfold/chassis/errors';
import { openSealer } from '@sevenfold/chassis/seal';
import { variables } from '../config';
import { create } from './actions';
import { openSender } from './send';
import { startReceiver } from './testing/receiver';
import { follow, patternsOf, topics } from './topics';

const config = Object.fromEntries(
  Object.entries(variables).flatMap(([name, row]) => ('default' in row ? [[name, row.default]] : [])),
) as Parameters<typeof create>[0]['config'];

/** What is refused is refused before the database is asked. */
async function refusal(wanted: object): Promise<Record<string, string>> {
  const deps = { config, db: undefined as never, webhookSealer: openSealer('', 'tests') };
  try {
    await create(deps, 1, { url: 'https://hooks.example.org/', topics: ['*'], ...wanted });
  } catch (error) {
    const { data, code } = error as ApiError;
    return (data.params as Record<string, string> | undefined) ?? { code };
  }
  throw new Error('it was not refused');
}

test.each([
  'ftp://example.org/',
  'nowhere',
  'http://ann:secret@example.org/',
  'http://127.0.0.1/',
  'http://localhost:8080/',
  'http://10.1.2.3/',
  'http://[::1]/',
  'http://[::ffff:192.168.0.1]/',
  'http://169.254.169.254/latest',
  `https://example.org/${'x'.repeat(3_000)}`,
])('%s is no place for a webhook', async (url) => {
  expect(Object.keys(await refusal({ url }))).toEqual(['url']);
});

test('unknown topics are refused with the list of those that there are', async () => {
  const { topics: message } = await refusal({
    topics: ['content.post.published', 'content.post.burnt', 'calendar'],
  });
  expect(message).toContain('content.post.burnt, calendar');
  for (const name of Object.keys(topics)) expect(message).toContain(name);
  expect(Object.keys(await refusal({ topics: [] }))).toEqual(['topics']);
});

test('everything wrong is told at once; without a secret to seal with nothing is registered', async () => {
  expect(
    Object.keys(await refusal({ url: 'x', topics: ['x'], audience: 'all', description: 'x'.repeat(501) })),
  ).toEqual(['url', 'topics', 'audience', 'description']);
  expect(await refusal({})).toEqual({ code: 'webhook_secret_not_storable' });
});

test('every topic comes of a domain event, and every domain event leads to topics', () => {
  const led = Object.values(follow).flatMap(({ leadsTo }) => leadsTo);
  expect([...new Set(led)].sort()).toEqual(Object.keys(topics).sort());
  expect(patternsOf(['a.b.c'])).toEqual(['*', 'a.*', 'a.b.*', 'a.b.c']);
});

test('names that lead to private addresses are refused when something is sent', async () => {
  const receiver = await startReceiver();
  const sender = openSender({ allowPrivate: false, timeoutMs: 20_000 });
  try {
    const { signal } = new AbortController();
    for (const url of [`http://localhost:${receiver.port}/`, receiver.url]) {
      const outcome = await sender.send(url, {}, '{}', signal);
      expect(outcome).toMatchObject({ isArrived: false, status: 0, error: 'It is not at a public address.' });
    }
    expect(receiver.got).toEqual([]);
  } finally {
    await sender.close();
    await receiver.stop();
  }
});
