/** One number everywhere, what was released of schemas stays, and nothing gets a number that is not ready for it. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { version } from '@sevenfold/chassis/version';

const root = path.resolve(__dirname, '../../..');
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
};
const release = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, [path.join(folder, 'deploy/release/main.mjs'), ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, ...IDENTITY },
  });

test('all numbers agree, and no released file of a schema is another one', () => {
  expect(release(root, '--check')).toMatchObject({ status: 0, stderr: '' });
  expect(version).toBe(
    (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version,
  );
});

describe('in a repository of its own', () => {
  let copy = '';
  const file = (name: string): string => path.join(copy, name);
  const edit = (name: string, change: (text: string) => string): void =>
    writeFileSync(file(name), change(readFileSync(file(name), 'utf8')));
  const git = (...args: string[]): string => {
    const { stdout, stderr, status } = spawnSync('git', args, {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, ...IDENTITY },
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const commit = (): void => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'A change');
  };
  const faults = (...args: string[]): string => {
    const { status, stderr } = release(copy, ...args);
    expect(status).toBe(1);
    return stderr;
  };

  beforeAll(() => {
    copy = mkdtempSync(path.join(tmpdir(), 'release-'));
    const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      workspaces: string[];
    };
    const packages = workspaces
      .flatMap((one) =>
        one.endsWith('/*')
          ? readdirSync(path.join(root, one.slice(0, -2)), { withFileTypes: true })
              .filter((entry) => entry.isDirectory())
              .map(({ name }) => one.replace('*', name))
          : [one],
      )
      .map((one) => `${one}/package.json`);
    const names = [
      ...['package.json', 'package-lock.json', 'CHANGELOG.md', '.gitignore', 'deploy/compose.yaml'],
      ...['deploy/release', 'deploy/pack', 'deploy/build', 'deploy/helm/sevenfold/Chart.yaml'],
      ...['services/migrations.lock.json', 'services/chassis/migrations', 'services/seo/migrations'],
      ...packages,
    ];
    for (const name of names) {
      mkdirSync(path.dirname(file(name)), { recursive: true });
      cpSync(path.join(root, name), file(name), { recursive: true });
    }
    symlinkSync(path.join(root, 'node_modules'), file('node_modules'));
    edit('.gitignore', (text) => `${text}node_modules\n`);
    // Of the services that were copied, as if 3.0.0 were the first release.
    edit('CHANGELOG.md', (text) => `${text}\n## [3.0.0] - 2030-01-31\n\n### Added\n\n- All of it.\n`);
    rmSync(file('services/migrations.lock.json'));
    git('init', '--quiet');
    commit();
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('what is not ready is told at once, and changes nothing', () => {
    const before = git('status', '--porcelain');
    expect(before).toBe('');
    edit('gateway/package.json', (text) => text.replace(/"version": ".*"/, '"version": "9.9.9"'));
    const told = faults('0.0.1');
    for (const words of [
      'gateway/package.json (version) says 9.9.9',
      'is older than',
      'no entry «## [0.0.1]',
      'not committed',
    ])
      expect(told).toContain(words);
    expect(faults('--check')).toContain('9.9.9');
    expect(faults('1.0')).toContain('no version');
    git('checkout', '--quiet', '.');
    const dry = release(copy, '3.0.0', '--without-image');
    expect([dry.status, dry.stderr]).toEqual([0, '']);
    expect(git('status', '--porcelain')).toBe('');
  });

  test('a number is given to everything in one commit with a tag, and schemas are fixed from then on', () => {
    // Nothing compiles here: what comes after the tag fails, and would be repeated.
    expect(release(copy, '3.0.0', '--write', '--without-image').status).not.toBe(0);
    expect(git('tag', '--points-at', 'HEAD')).toBe('v3.0.0');
    expect(git('status', '--porcelain')).toBe('');
    expect(release(copy, '--check')).toMatchObject({ status: 0, stderr: '' });
    for (const [name, words] of [
      ['deploy/helm/sevenfold/Chart.yaml', 'version: 3.0.0\nappVersion: 3.0.0\n'],
      ['deploy/compose.yaml', 'sevenfold:3.0.0}'],
      ['services/chassis/package.json', '"@sevenfold/text": "3.0.0"'],
    ] as const)
      expect(readFileSync(file(name), 'utf8')).toContain(words);
    expect(release(copy, '3.0.0', '--without-image')).toMatchObject({ status: 0, stderr: '' });

    writeFileSync(file('services/seo/migrations/0099_new.sql'), 'select 1;\n');
    expect(release(copy, '--check').status).toBe(0);
    edit('services/seo/migrations/0001_indexables.sql', (text) => `${text}-- Only a word.\n`);
    rmSync(file('services/chassis/migrations/0002_waits.sql'));
    const told = faults('--check');
    expect(told).toContain('seo/0001_indexables.sql was released with 3.0.0 and is another one now');
    expect(told).toContain('chassis/0002_waits.sql was released with 3.0.0 and is not there now');
    git('checkout', '--quiet', '.');
    commit();
    expect(faults('3.0.0')).toContain('a number is given once');
  });
});
