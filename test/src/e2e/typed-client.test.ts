/**
 * The program of gateway/OPENAPI.md, as a stranger would type it: types generated from the document of a running site, a
 * strict compiler, and a run against that site. What the types do not know does not compile.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Site, startSite } from '../support/site';
import { runTool } from '../support/tool';

const repository = path.resolve(__dirname, '../../..');
const document = readFileSync(path.join(repository, 'gateway/OPENAPI.md'), 'utf8');
const [program = ''] = (document.split('```ts\n')[1] ?? '').split('\n```', 1);

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

let site: Site;
let folder = '';
const file = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  site = await startSite();
  folder = mkdtempSync(path.join(tmpdir(), 'typed-client-'));
  symlinkSync(path.join(repository, 'node_modules'), file('node_modules'));
  writeFileSync(file('package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    file('tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noUncheckedIndexedAccess: true,
        target: 'es2022',
        module: 'nodenext',
        types: ['node'],
        outDir: 'made',
        rootDir: '.',
      },
      include: ['*.ts'],
    }),
  );
  const wrong = mistakes.map(([, line]) => `// @ts-expect-error\n${line}`);
  writeFileSync(file('program.ts'), `${program}\n`);
  writeFileSync(file('mistakes.ts'), `${program}\n${wrong.join('\n')}\n`);
  const { text } = await site.client.get('/openapi.json');
  writeFileSync(file('site.json'), text);
});

afterAll(async () => {
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('is typechecked strictly, and runs', async () => {
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

  const { users } = site.content;
  const { Authorization = '' } = await site.signIn(users.editor);
  const credentials = Buffer.from(Authorization.replace('Basic ', ''), 'base64').toString();
  const { stdout } = await promisify(execFile)(process.execPath, [
    file('made/program.js'),
    site.url,
    ...credentials.split(':'),
  ]);
  expect(JSON.parse(stdout)).toEqual({ titles: ['Typed'], total: 1, venues: [], gone: 200 });
  // Two compilers' work, on a machine that may have much else to do.
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
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
  expect((await site.client.get('/openapi/core/v2.json')).headers.get('etag')).not.toBe(tag);
});
