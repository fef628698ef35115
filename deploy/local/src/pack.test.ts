/** What is packed is whole: every file that packed code asks for is packed, and nothing that only developing needs. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './settings';
import { temporaryFolder } from './test-support';

const folder = path.join(temporaryFolder(), 'packed');
const pack = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(repositoryRoot, 'deploy/pack/main.mjs'), ...args], {
    encoding: 'utf8',
  });
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const json = (name: string) => JSON.parse(read(name)) as Record<string, Record<string, unknown>>;

let files: string[];
beforeAll(() => {
  expect(pack('--folder', folder)).toMatchObject({ status: 0, stderr: '' });
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
});

test('no sources, no tests, no declarations', () => {
  expect(
    files.filter((name) =>
      /\.ts$|\.test\.|(^|\/)(src|testing|node_modules)(\/|$)|^test\/|tsbuildinfo/.test(name),
    ),
  ).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'package-lock.json',
      'deploy/cli.mjs',
      'deploy/local/samples/site.xml',
      'gateway/dist/program.js',
      'services/content/migrations/0001_settings.sql',
      'services/spamfilter/corpus/starting.jsonl',
    ]),
  );
});

test('whatever packed code loads is packed, or a dependency that the lock has', () => {
  const locked = Object.keys(json('package-lock.json').packages as object);
  const missing: string[] = [];
  for (const name of files.filter((one) => one.endsWith('.js')))
    for (const [, asked] of read(name).matchAll(/(?:require|import)\((?:'|")([^'"]+)(?:'|")\)/g)) {
      const wanted = asked as string;
      const own = /^@sevenfold\/(\w+)\/(.*)$/.exec(wanted);
      const found = wanted.startsWith('.')
        ? existsSync(path.join(folder, path.dirname(name), wanted.replace(/(\.js)?$/, '.js')))
        : own
          ? foldersOf(own[1] as string).some((place) =>
              existsSync(path.join(folder, place, 'dist', `${own[2] as string}.js`)),
            )
          : /^node:/.test(wanted) ||
            locked.some((place) => wanted.startsWith(place.replace(/^.*node_modules\//, '')));
      // The compiler, which only \`npm run dev\` asks for.
      if (!found && !/^typescript\//.test(wanted)) missing.push(`${name}: ${wanted}`);
    }
  expect(missing).toEqual([]);
});

const foldersOf = (name: string): string[] => [name, `services/${name}`, `deploy/${name}`];

test('the lock fits the packages and holds nothing for developing', () => {
  const { packages } = json('package-lock.json') as {
    packages: Record<string, { dev?: boolean; resolved?: string }>;
  };
  expect(Object.entries(packages).filter(([, entry]) => entry.dev)).toEqual([]);
  for (const [place, { resolved }] of Object.entries(packages))
    if (place.startsWith('node_modules/@sevenfold/'))
      expect(files).toContain(`${resolved as string}/package.json`);
  expect(json('package.json').devDependencies).toBeUndefined();
  expect(json('package.json').workspaces).not.toContain('test');
});

test('the same sources make the same archive', () => {
  const [one, two] = ['one.tgz', 'two.tgz'].map((name) => path.join(folder, '..', name)) as [string, string];
  for (const file of [one, two]) expect(pack('--file', file)).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
});
