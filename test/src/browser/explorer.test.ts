/**
 * The explorer as people meet it: in a real browser, under its policy, without anything from elsewhere. It lists every
 * operation, asks as a stranger and as somebody, and remembers nobody.
 */
import { until } from '@sevenfold/chassis/testing/until';
import { createUser } from '@sevenfold/content/users/commands';
import type { Page } from 'puppeteer-core';
import { type TestBrowser, startBrowser, violations } from '../support/browser';
import { type Site, startSite } from '../support/site';

let site: Site;
let browser: TestBrowser | undefined;
let page: Page;
/** What the page said, what its policy stopped, and what it asked for. */
const said: string[] = [];
const asked: string[] = [];

beforeAll(async () => {
  site = await startSite();
  browser = await startBrowser({ 'site.test': new URL(site.url).host });
  page = await browser.open();
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('console', (message) => said.push(message.text()));
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  await page.evaluateOnNewDocument(`window.stopped = [];
    addEventListener('securitypolicyviolation', (event) => stopped.push(event.violatedDirective + ' ' + event.blockedURI));`);
  await page.goto('http://site.test/docs');
  await page.waitForSelector('.opblock-tag');
});
afterAll(async () => {
  await browser?.stop();
  await site?.stop();
});

const operation = (id: string): string => `.opblock[id$="-${id}"]`;

/** The page anew: nobody has signed in there. */
async function reload(): Promise<void> {
  await page.reload();
  await page.waitForSelector('.opblock-tag');
}

/** The group is opened where it is not, and then the operation. */
async function open(group: string, id: string): Promise<void> {
  if (!(await page.$(operation(id)))) await page.click(`.opblock-tag[data-tag="${group}"]`);
  await page.waitForSelector(operation(id));
  await page.click(`${operation(id)} .opblock-summary-control`);
  await page.waitForSelector(`${operation(id)} .execute`);
}

/** Status and body of what came of it. */
async function execute(id: string): Promise<{ status: string; body: string }> {
  await page.click(`${operation(id)} .execute`);
  const table = `${operation(id)} .live-responses-table .response`;
  await page.waitForSelector(`${table} .highlight-code pre`);
  return {
    status: await page.$eval(`${table} .response-col_status`, (cell) => cell.textContent?.trim() ?? ''),
    body: await page.$eval(`${table} .highlight-code pre`, (block) => block.textContent ?? ''),
  };
}

const POST = 'post_core_v2_categories';
const LIST = 'get_core_v2_categories';
const ME = 'get_core_v2_users_me';
const GROUP = 'core/v2 categories';

test('it lists the groups of all namespaces, and the operations of each', async () => {
  const { body } = await site.client.get('/openapi.json');
  const shown = await page.$$eval('.opblock-tag', (all) => all.map((one) => one.getAttribute('data-tag')));
  expect(shown).toEqual(body.tags.map(({ name }: { name: string }) => name));
  await open(GROUP, LIST);
  const listed = await page.$$eval('.opblock', (all) => all.map(({ id }) => id.replace(/^.*-/, '')));
  const operations = Object.values(
    body.paths as Record<string, Record<string, { operationId: string; tags: string[] }>>,
  )
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags }) => tags[0] === GROUP);
  expect(listed.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  expect(operations.length).toBeGreaterThan(5);
});

test('a stranger asks, and sees what strangers see', async () => {
  const { status, body } = await execute(LIST);
  const told = await site.client.get('/rest/core/v2/categories');
  expect([status, JSON.parse(body)]).toEqual(['200', told.body]);
});

test('whoever signs in writes, with the recorded example in the body; the page forgets who it was', async () => {
  const { Authorization = '' } = await site.signIn(site.content.users.editor);
  const [name = '', secret = ''] = Buffer.from(Authorization.slice(6), 'base64').toString().split(':');
  await page.click('.btn.authorize');
  await page.waitForSelector('.modal-ux');
  expect(await violations(page)).toEqual([]);
  await page.type('.modal-ux [name=username]', name);
  await page.type('.modal-ux [name=password]', secret);
  await page.click('.modal-ux .auth-btn-wrapper .authorize');
  await page.click('.modal-ux .btn-done');

  await open(GROUP, POST);
  expect(await violations(page)).toEqual([]);
  const body = `${operation(POST)} .body-param__text`;
  await page.waitForSelector(body);
  const example = JSON.parse(
    await page.$eval(body, (area) => (area as { value?: string }).value ?? ''),
  ) as object;
  expect(example).toEqual({ name: 'News', description: 'What is new here.' });
  await page.$eval(body, (area) => (area as { select?: () => void }).select?.());
  await page.keyboard.type(JSON.stringify({ name: 'Tried' }));
  const made = await execute(POST);
  expect([made.status, JSON.parse(made.body)]).toEqual(['201', expect.objectContaining({ name: 'Tried' })]);

  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  expect(kept).toBe(JSON.stringify([{}, {}, '']));
  await reload();
  await open(GROUP, POST);
  expect((await execute(POST)).status).toBe('401');
});

test('the window for signing in keeps the focus, and gives it back when it is closed by keyboard', async () => {
  const inside = (): Promise<unknown> =>
    page.evaluate(`!!document.activeElement.closest('.modal-ux[role=dialog]')`);
  await page.focus('.btn.authorize');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.modal-ux');
  expect(await page.$eval('.modal-ux', (box) => box.getAttribute('aria-label'))).toBe(
    'Available authorizations',
  );
  for (let tabs = 0; tabs < 9; tabs++) {
    await page.keyboard.press('Tab');
    // Past the last one comes the browser itself.
    expect(
      await page.evaluate(`document.activeElement === document.body`).then((out) => out || inside()),
    ).toBe(true);
  }
  // The button for signing in goes when it was pressed.
  await page.type('.modal-ux #auth-bearer-value', 'a token');
  await page.$$eval('.modal-ux .auth-btn-wrapper .authorize', (all) =>
    (all[1] as { click?: () => void; focus?: () => void }).focus?.(),
  );
  await page.keyboard.press('Enter');
  await until(inside);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForFunction(`!document.querySelector('.modal-ux')`);
  await page.waitForFunction(`document.activeElement.matches('.btn.authorize')`);
  expect(await page.$$('[inert]')).toEqual([]);
  await reload();
});

test('an access token does as well', async () => {
  const credentials = { username: 'reader', password: 'a password of some length' };
  await createUser(site.content.deps, { ...credentials, email: 'reader@example.org', roles: ['subscriber'] });
  const { body } = await site.client.post('/console/api/sessions', credentials);
  await page.click('.btn.authorize');
  await page.waitForSelector('.modal-ux');
  await page.type('.modal-ux #auth-bearer-value', body.access_token);
  // Of two ways to sign in, the second.
  await page.$$eval('.modal-ux .auth-btn-wrapper .authorize', (all) =>
    (all[1] as { click?: () => void }).click?.(),
  );
  await page.click('.modal-ux .btn-done');
  await open('core/v2 users', ME);
  expect(JSON.parse((await execute(ME)).body)).toMatchObject({ name: 'reader' });
});

/** Logs in on the page, with that name for the session, and lists what sessions there are then. */
async function logIn(session: string): Promise<{ status: string; body: string }> {
  const LOG_IN = 'post_console_api_sessions';
  const LIST_OF_MINE = 'get_console_api_sessions';
  await open('console/api sessions', LOG_IN);
  const body = `${operation(LOG_IN)} .body-param__text`;
  await page.waitForSelector(body);
  await page.$eval(body, (area) => (area as { select?: () => void }).select?.());
  await page.keyboard.type(
    JSON.stringify({ username: 'reader', password: 'a password of some length', name: session }),
  );
  expect((await execute(LOG_IN)).status).toBe('200');
  // The one that was typed in before is over.
  await site.content.deps.db.run(`update sessions set ends_at = now() where name = ''`);
  await open('console/api sessions', LIST_OF_MINE);
  return execute(LIST_OF_MINE);
}

test.each([
  ['whatever was shown before', 'Explorer', (): Promise<void> => Promise.resolve()],
  ['where nothing was shown before', 'Explorer anew', reload],
])('whoever logs in here goes on with the token, %s', async (_, name, before) => {
  await before();
  const mine = await logIn(name);
  expect([mine.status, JSON.parse(mine.body)]).toEqual([
    '200',
    expect.arrayContaining([expect.objectContaining({ name, current: true })]),
  ]);
});

test('it fits a narrow phone, with an operation opened and asked, too', async () => {
  const before = page.viewport();
  await page.setViewport({ width: 320, height: 640 });
  const width = (): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth');
  await reload();
  expect(await width()).toBe(320);
  await open(GROUP, LIST);
  expect(await width()).toBe(320);
  await execute(LIST);
  expect(await width()).toBe(320);
  expect(await violations(page)).toEqual([]);
  await page.setViewport(before);
  await reload();
});

test('nothing was stopped by its policy, nothing came from elsewhere', async () => {
  expect(await page.evaluate('stopped')).toEqual([]);
  expect(asked.filter((one) => !/^(GET|POST) (http:\/\/site\.test\/|data:)/.test(one))).toEqual([]);
  expect(said.filter((line) => !/401|favicon/.test(line))).toEqual([]);
  const { headers } = await site.client.get('/docs');
  expect(headers.get('content-security-policy')).not.toMatch(/unsafe/);
});

test('its files are kept for good, under names that change with them; the page is asked for each time', async () => {
  const shown = await site.client.get('/docs/');
  expect(shown.headers.get('cache-control')).toBe('no-cache');
  const files = Array.from(
    shown.text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g),
    ([, file]) => file ?? '',
  );
  expect(files.map((file) => file.replace(/-[0-9a-f]{16}\./, '.'))).toEqual(
    ['swagger-ui.css', 'explorer.css', 'swagger-ui.js', 'explorer.js'].map((name) => `/docs/assets/${name}`),
  );
  for (const file of files) {
    const { status, headers } = await site.client.get(file);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await site.client.get(file, { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304);
  }
  expect((await site.client.get(`${files[0]}x`)).status).toBe(404);
  expect((await site.client.post('/docs', {})).status).toBe(404);
});

test('the front page leads there; where it is switched off, neither is there', async () => {
  const link = 'href="http://site.test/docs"';
  expect((await site.client.get('/')).text).toContain(link);
  const without = await site.gateway({ EXPLORER: false });
  try {
    await until(async () => (await fetch(`${without.url}/readyz`)).ok);
    expect((await fetch(`${without.url}/docs`)).status).toBe(404);
    const front = await fetch(`${without.url}/`);
    expect([front.status, (await front.text()).includes(link)]).toEqual([200, false]);
  } finally {
    await without.stop();
  }
});
