/** What somebody meets who has just started a site: something to look at, and a front page that tells how to go on. */
import { Buffer } from 'node:buffer';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firstStart } from '@sevenfold/local/first-start';
import { keepSecrets } from '@sevenfold/local/secrets';
import { readSettings } from '@sevenfold/local/settings';
import { newFolder } from '@sevenfold/local/testing';
import { createApplicationPassword, createUser } from '@sevenfold/content/users/commands';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import { startBrowser, violations } from '../support/browser';
import { type Site, startSite } from '../support/site';

let site: Site;
let folder: string;
let secret: string;
beforeAll(async () => {
  folder = newFolder(tmpdir(), 'first-hour-');
  site = await startSite();
  const { deps } = site.content;
  const username = 'first';
  await createUser(deps, {
    username,
    email: 'first@example.org',
    password: 'first password',
    roles: ['administrator'],
  });
  ({ secret } = await createApplicationPassword(deps, { username, name: 'first' }));
});
afterAll(async () => {
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As `npm start` does it, with the file of secrets in a data folder. */
const start = async (name: string, more: Record<string, string> = {}): Promise<string[]> => {
  const secretsFile = path.join(folder, `${name}.json`);
  const env = { ADMIN_USERNAME: 'first', ADMIN_APPLICATION_PASSWORD: secret, ...more };
  const said: string[] = [];
  await firstStart({
    settings: readSettings(env),
    secrets: keepSecrets(secretsFile),
    secretsFile,
    url: site.url,
    say: (line) => said.push(line),
  });
  return said;
};

const authorization = (): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`first:${secret}`).toString('base64')}`,
});
const EVENTS = '/rest/calendar/events/v1/events';
const LISTS = ['/rest/core/v2/posts', '/rest/core/v2/pages', '/rest/core/v2/comments', EVENTS];
const totals = async (): Promise<(string | null)[]> =>
  Promise.all(LISTS.map(async (list) => (await site.client.get(list)).headers.get('x-total')));

const NONE = ['0', '0', '0', '0'];
const ONE_EACH = ['1', '1', '1', '1'];
const MADE = ['made a post, a page, an event and a comment to look at (SAMPLES=off for none)'];

test('whoever wants no samples gets none, at no later start either', async () => {
  expect(await start('none', { SAMPLES: 'off' })).toEqual([]);
  expect(await start('none')).toEqual([]);
  expect(await totals()).toEqual(NONE);
});

test('a fault is told, fails nothing, and the next start tries again', async () => {
  const [said] = await start('site', { ADMIN_APPLICATION_PASSWORD: 'the wrong one for this site' });
  expect(said).toBe(
    'could not make something to look at: The user name and the application password do not fit together.',
  );
  expect(await totals()).toEqual(NONE);
});

test('an empty site gets one of each, once; what was deleted does not come back', async () => {
  expect(await start('site')).toEqual(MADE);
  expect(await totals()).toEqual(ONE_EACH);
  expect(await start('site')).toEqual([]);
  expect(await totals()).toEqual(ONE_EACH);

  // The comment before its post, which would take it along.
  for (const list of LISTS.toReversed()) {
    const { body } = await site.client.get(list);
    const [{ id }] = (list === EVENTS ? body.events : body) as [{ id: number }];
    const force = list === EVENTS ? '' : '?force=true';
    const gone = await site.client.delete(`${list}/${id}${force}`, authorization());
    expect([list, gone.status]).toEqual([list, 200]);
  }
  expect(await start('site')).toEqual([]);
  expect(await totals()).toEqual(NONE);
});

test('a site that has something gets nothing, though nobody remembers', async () => {
  await site.client.post('/rest/core/v2/posts', { title: 'Mine', status: 'draft' }, authorization());
  expect(await start('other')).toEqual([]);
  expect(await totals()).toEqual(NONE);
});

/** What curl would do with the few options that the page uses; it is not on every machine. */
async function curl(command: string): Promise<Response> {
  const words = Array.from(
    command.matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, plain]) => quoted ?? (plain as string),
  );
  const given = (option: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const [address] = words.filter((word) => word.startsWith(TEST_SITE_URL)) as [string];
  const pairs = (option: string) => given(option).map((word) => word.split('=') as [string, string]);
  const form = new FormData();
  for (const [name, value] of pairs('-F')) form.append(name, value);
  const body =
    given('-F').length > 0 ? form : given('-d').length > 0 ? new URLSearchParams(pairs('-d')) : undefined;
  return fetch(address.replace(TEST_SITE_URL, site.url), {
    method: body ? 'POST' : 'GET',
    headers: given('-u').length > 0 ? authorization() : {},
    body,
  });
}

describe('the front page', () => {
  test('names the interface, the tour and the version, on its first page only', async () => {
    const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../../package.json'), 'utf8')) as {
      version: string;
    };
    const page = await fetch(`${site.url}/`, { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
    const html = await page.text();
    expect(html).toContain(`<a href="${TEST_SITE_URL}/rest/">`);
    expect(html).toContain(`<a href="${TEST_SITE_URL}/openapi/">`);
    expect(html).toContain(`Sevenfold ${version}.`);
    expect(html).toContain('A tour with curl');
  });

  test('each step of its tour works as it is written', async () => {
    const html = await (await fetch(`${site.url}/`)).text();
    const commands = Array.from(html.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g), ([, text]) =>
      (text as string).replaceAll('&#39;', "'").replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
    );
    expect(commands.length).toBeGreaterThanOrEqual(4);
    const statuses = await Promise.all(commands.map(async (command) => (await curl(command)).status));
    expect(statuses).toEqual(commands.map((command) => (command.includes(' -u ') ? 201 : 200)));
  });

  test('is for everybody, with the tour open too', async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.open({ dark: false });
      await page.goto(`${site.url}/`);
      await page.evaluate(`document.querySelector('details').open = true`);
      expect(await violations(page)).toEqual([]);
    } finally {
      await browser.stop();
    }
  });
});
