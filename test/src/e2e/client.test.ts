/**
 * Programs as strangers would type them: that of gateway/OPENAPI.md, with types generated from the document of a running
 * site, and the tour of the client as it is packed. A strict compiler takes both, and they run against that site. What
 * the types do not know does not compile.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Tokens, createClient, logIn } from '@sevenfold/client';
import { picture } from '@sevenfold/content/media/testing/pictures';
import { startBrowser } from '../support/browser';
import { type Site, startSite } from '../support/site';
import { runTool } from '../support/tool';

const repository = path.resolve(__dirname, '../../..');
/** The first program of a document. */
const codeOf = (name: string, language = 'ts'): string =>
  (readFileSync(path.join(repository, name), 'utf8').split(`\`\`\`${language}\n`)[1] ?? '').split(
    '\n```',
    1,
  )[0] as string;
const program = codeOf('gateway/OPENAPI.md');

/** What the program's author might get wrong. */
const mistakes = [
  ['a field that posts have not', 'posts[0]?.headline;'],
  [
    'an argument of another type',
    "client.GET('/core/v2/posts', { params: { query: { per_page: 'five' } } });",
  ],
  ['an address without a route', "client.GET('/core/v2/articles');"],
  ['one event where a list is answered', 'calendar.data?.title;'],
] as const;

const tour = codeOf('client/README.md');

let site: Site;
let folder = '';
const file = (name: string): string => path.join(folder, name);
const inNode = promisify(execFile);
let credentials: string[] = [];

/** As somebody gets it who installs it: from a file, without the registry and without anything of ours beside it. */
async function installClient(): Promise<void> {
  const packed = ['client', 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers'];
  const { stdout } = await inNode(
    'npm',
    ['pack', '--json', '--pack-destination', folder, ...packed.map((name) => path.join(repository, name))],
    { cwd: folder },
  );
  const made = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  expect(
    made[0]?.files
      .map(({ path: name }) => name)
      .filter((name) => !/^dist\/.*\.(js|js\.map|d\.ts)$/.test(name)),
  ).toEqual(['LICENSE', 'README.md', 'package.json']);
  const tarballs = made.map(({ filename }) => file(filename));
  await inNode('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
}

const BUNDLED = '/bundled/';

/** A page, and what was installed, as a bundler would lay it out. */
async function servePage(root: string): Promise<{ port: number; close: () => void }> {
  const imports = {
    '@sevenfold/client': '/node_modules/@sevenfold/client/dist/index.js',
    'openapi-fetch': '/node_modules/openapi-fetch/dist/index.mjs',
  };
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script><script type="module" src="/page.mjs"></script>`;
  const server = http.createServer(({ url: asked = '/', method }, response) => {
    if (method === 'POST') return response.writeHead(301, { Location: '/package.json' }).end();
    // Service workers know no import maps: what is bundled knows the addresses itself.
    const bundled = asked.startsWith(BUNDLED);
    const name = path.join(root, path.normalize(asked.replace(BUNDLED, '/')));
    const isThere = asked !== '/' && existsSync(name);
    response.writeHead(asked === '/' || isThere ? 200 : 404, {
      'Content-Type': isThere ? 'text/javascript' : 'text/html',
    });
    if (!isThere || !bundled) return response.end(isThere ? readFileSync(name) : html);
    const addressed = Object.entries(imports).reduce(
      (text, [module, address]) => text.replaceAll(`'${module}'`, `'${BUNDLED}${address.slice(1)}'`),
      readFileSync(name, 'utf8'),
    );
    response.end(addressed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

beforeAll(async () => {
  site = await startSite({}, { content: { SPAM_KEY_SECRETS: 'the secret of the tests' } });
  folder = mkdtempSync(path.join(tmpdir(), 'typed-client-'));
  writeFileSync(file('package.json'), JSON.stringify({ type: 'module' }));
  await installClient();
  writeFileSync(
    file('tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        target: 'es2022',
        // Of browsers nothing: not every project of Node knows their types.
        lib: ['es2022'],
        module: 'nodenext',
        types: ['node'],
        typeRoots: [path.join(repository, 'node_modules/@types')],
        outDir: 'made',
        rootDir: '.',
      },
      include: ['*.ts', '*.mts'],
    }),
  );
  const wrong = mistakes.map(([, line]) => `// @ts-expect-error\n${line}`);
  writeFileSync(file('program.ts'), `${program}\n`);
  writeFileSync(file('mistakes.ts'), `${program}\n${wrong.join('\n')}\n`);
  writeFileSync(file('tour.ts'), tour);
  for (const name of ['types.mts', 'console.mts', 'page.mjs', 'worker.mjs'])
    copyFileSync(path.join(repository, 'test/programs/client', name), file(name));
  const { text } = await site.client.get('/openapi.json');
  writeFileSync(file('site.json'), text);

  credentials = namesOf(await site.signIn(site.content.users.editor));
});

/** User name and application password. */
const namesOf = ({ Authorization = '' }: Record<string, string>): string[] =>
  Buffer.from(Authorization.replace('Basic ', ''), 'base64').toString().split(':');

afterAll(async () => {
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('what is written by hand or with the packed client is typechecked strictly', async () => {
  const lines = program.split('\n').filter((line) => line.trim() !== '');
  expect(lines.length).toBeLessThanOrEqual(30);

  const generated = await runTool(
    'openapi-typescript/bin/cli.js',
    ['site.json', '--default-non-nullable', 'false', '-o', 'site.ts'],
    folder,
  );
  expect([generated.status, generated.stderr]).toEqual([0, '']);
  const compiled = await runTool('typescript/bin/tsc', ['-p', folder], folder);
  expect([compiled.status, compiled.stdout]).toEqual([0, '']);
  // Two compilers' work, on a machine that may have much else to do.
});

test('the program runs', async () => {
  const { stdout } = await inNode(process.execPath, [file('made/program.js'), site.url, ...credentials]);
  expect(JSON.parse(stdout)).toEqual({ titles: ['Typed'], total: 1, venues: [], gone: 200 });
});

test('so does the tour of the client, from what was packed', async () => {
  writeFileSync(file('harbour.png'), await picture(40, 30));
  const { stdout, stderr } = await inNode(
    process.execPath,
    [file('made/tour.js'), site.url, ...credentials],
    { cwd: folder },
  );
  expect([stdout, stderr]).toEqual([
    expect.stringMatching(/^Ferries \[\n {2}\{\n {4}id: \d+,[^]*\]\n0\n$/),
    '',
  ]);
});

test('and that of the README', async () => {
  writeFileSync(file('readme.mjs'), codeOf('README.md', 'js'));
  const { stdout } = await inNode(process.execPath, [file('readme.mjs'), site.url, ...credentials]);
  expect(stdout).toMatch(
    /^Hello by \S.*\n0 \[\]\nrest_invalid_param \{\s+status: 'status is not one of [^']+'\s+\}\n$/,
  );
});

test('the console is reached by the same client, at its own address', async () => {
  const administrator = namesOf(await site.signIn(site.content.users.administrator));
  const { stdout } = await inNode(process.execPath, [file('made/console.mjs'), site.url, ...administrator]);
  expect(JSON.parse(stdout)).toEqual({
    session: [true, ['Program'], 'Program', true],
    password: [true, true, 'Program', 401],
    webhook: [true, 'Told of', true],
    deliveries: [true, true, true],
    pages: [2, 1, null],
    imports: [true, 'pending', 0],
    raw: [200, true],
  });
});

describe('against a site', () => {
  const who = (): { url: string; username: string; password: string } => {
    const [username = '', password = ''] = credentials;
    return { url: site.url, username, password };
  };

  test('a session is opened, and its tokens are renewed for whoever waits', async () => {
    const { url, username } = who();
    const session = await logIn({ ...who(), name: 'Test' });
    const me = await createClient({ url, credentials: session }).users.me.get({ context: 'edit' });
    expect(me.username).toBe(username);

    const told: Tokens[] = [];
    const late = createClient({
      url,
      credentials: {
        ...session,
        accessToken: `${session.accessToken}x`,
        onRefreshed: (one) => told.push(one),
      },
    });
    const drafts = await Promise.all(
      ['One', 'Two'].map((title) => late.posts.create({ title, status: 'draft' })),
    );
    expect(drafts.map(({ title }) => title.raw)).toEqual(['One', 'Two']);
    expect(told).toEqual([{ accessToken: expect.any(String), refreshToken: expect.stringMatching(/^sfr_/) }]);
    await expect(logIn({ ...who(), password: 'wrong' })).rejects.toMatchObject({ status: 401 });
  });

  test('all of a list can be deleted while it is read', async () => {
    const { url, username, password: applicationPassword } = who();
    const { posts, calendar } = createClient({ url, credentials: { username, applicationPassword } });
    const day = { start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' };
    for (let number = 1; number <= 5; number += 1) {
      await posts.create({ title: `Gone ${number}`, status: 'publish', slug: `gone-${number}` });
      await calendar.events.create({ title: `Gone ${number}`, status: 'publish', ...day });
    }
    const gone = new Set<number>();
    for await (const { id } of posts.list({ search: 'gone', per_page: 2 })) {
      await posts.delete(id, { force: true });
      gone.add(id);
    }
    for await (const { id } of calendar.events.list({ start_date: '2031-01-01', per_page: 2 })) {
      await calendar.events.delete(id);
      gone.add(id);
    }
    expect(gone.size).toBe(10);
    expect((await calendar.events.list({ start_date: '2031-01-01' }).page(1)).total).toBe(0);
  });

  test('a page of another site uses it in a browser', async () => {
    const server = await servePage(folder);
    const browser = await startBrowser({ 'shop.example': '127.0.0.1' });
    try {
      const page = await browser.open();
      await page.goto(`http://shop.example:${server.port}/`);
      await page.waitForFunction('globalThis.run');
      const run = `run(...${JSON.stringify(Object.values(who()))})`;
      expect(await page.evaluate(run)).toEqual({
        title: 'page',
        isRising: true,
        last: [400_000, 400_000],
        given: 'enough',
        names: ['stream', 'page'],
        wrong: { code: 'rest_invalid_param', params: ['status'], isFound: true },
      });
    } finally {
      await browser.stop();
      server.close();
    }
  });

  test('a service worker does, and an upload that is sent elsewhere is none', async () => {
    const server = await servePage(folder);
    const browser = await startBrowser();
    const address = `http://127.0.0.1:${server.port}/`;
    try {
      const page = await browser.open();
      await page.goto(address);
      await page.waitForFunction('globalThis.behind');
      expect(await page.evaluate(`behind(...${JSON.stringify(Object.values(who()))})`)).toEqual({
        titles: ['behind', 'streamed'],
        told: [1_000, 1_000],
      });
      expect(await page.evaluate(`move(${JSON.stringify(address)})`)).toEqual({
        code: 'unreachable',
        message: expect.stringContaining('elsewhere'),
      });
    } finally {
      await browser.stop();
      server.close();
    }
  });
});

test('the document is kept by caches, and not sent to those who have it', async () => {
  const { status, headers, body } = await site.client.get('/openapi.json');
  expect([status, headers.get('cache-control'), body.servers]).toEqual([
    200,
    'public, max-age=60',
    [{ url: 'http://site.test/rest' }],
  ]);
  const tag = headers.get('etag') ?? '';
  const again = await site.client.get('/openapi.json', { 'If-None-Match': `"other", W/${tag}` });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', `W/${tag}`]);
  expect((await site.client.get('/openapi/core/v2.json')).headers.get('etag')).not.toBe(tag);
});
