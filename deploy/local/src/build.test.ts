/** The build as `npm start` runs it, on two small projects in a folder of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { until } from '@sevenfold/chassis/testing/until';
import { identityOf } from './leftovers';
import { repositoryRoot } from './settings';
import { temporaryFolder } from './test-support';

const root = path.join(temporaryFolder(), 'repository');
/** The compiler has less to read. */
const QUICK = { types: [], lib: ['es5'], skipLibCheck: true };
const at = (...names: string[]): string => path.join(root, ...names);
const project = (folder: string, needs: readonly string[], files: Readonly<Record<string, string>>): void => {
  mkdirSync(at(folder, 'src'), { recursive: true });
  const options = { rootDir: 'src', outDir: 'dist', composite: true, sourceMap: true, ...QUICK };
  const references = needs.map((need) => ({ path: `../${need}` }));
  writeFileSync(
    at(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['src'], references }),
  );
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(at(folder, 'src', name)), { recursive: true });
    writeFileSync(at(folder, 'src', name), text);
  }
};

beforeAll(() => {
  mkdirSync(at('node_modules'), { recursive: true });
  for (const name of [
    ...['typescript', 'cli-progress', 'string-width', 'strip-ansi', 'is-fullwidth-code-point'],
    ...['esbuild', '@jridgewell'],
  ])
    symlinkSync(path.join(repositoryRoot, 'node_modules', name), at('node_modules', name));
  cpSync(path.join(repositoryRoot, 'deploy/build'), at('deploy/build'), { recursive: true });
  project('lib', [], { 'one.ts': 'export const one: number = 1;\n', 'old.ts': 'export const old = 0;\n' });
  project('test', ['lib'], {
    'two.ts': "import { one } from '../../lib/src/one';\nexport const two = one + 1;\n",
  });
});

const start = (script = 'deploy/build/main.mjs', ...args: string[]) => {
  const child = spawn(process.execPath, [at(script), ...args], { cwd: root });
  let out = '';
  child.stdout.on('data', (text) => (out += String(text)));
  child.stderr.on('data', (text) => (out += String(text)));
  const over = once(child, 'close').then(([code]) => ({ code: code as number, out }));
  return { child, over };
};
const run = (script: string, ...args: string[]) => start(script, ...args).over;
const build = (...args: string[]) => run('deploy/build/main.mjs', ...args);
const lock = at('node_modules/.cache/sevenfold-build');
const built = (name: string): string => readFileSync(at('lib/dist', name), 'utf8');

const NOTHING = { code: 0, out: '' };
const ANEW = {
  code: 0,
  out: expect.stringMatching(/^building what changed\nbuilding 0 % lib\n[^]*built in [\d.]+ s\n$/) as string,
};

test('says how far it is, and nothing the second time', async () => {
  expect(await build()).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^building what changed\nbuilding 0 % lib\nbuilding \d+ % test\nbuilt in [\d.]+ s\n$/,
    ) as string,
  });
  expect(await build()).toEqual(NOTHING);
  expect(await build('--without-tests')).toEqual(NOTHING);
});

test('dates mean nothing: a copy is as good, and a change that looks old is a change', async () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(lib|test)\/src/.test(name),
  );
  for (const name of files) utimesSync(at(name), new Date(), new Date());
  expect(await build()).toEqual(NOTHING);
  writeFileSync(at('lib/src/one.ts'), 'export const one: number = 10;\n');
  utimesSync(at('lib/src/one.ts'), 0, 0);
  expect(await build()).toEqual(ANEW);
  expect(built('one.js')).toContain('one = 10');
});

test('what others compiled in between is seen', async () => {
  const source = readFileSync(at('lib/src/one.ts'));
  writeFileSync(at('lib/src/one.ts'), 'export const one: number = 99;\n');
  expect(await run('node_modules/typescript/bin/tsc', '-b', 'test')).toEqual(NOTHING);
  expect(built('one.js')).toContain('one = 99');
  writeFileSync(at('lib/src/one.ts'), source);
  expect(await build()).toEqual(ANEW);
  expect(built('one.js')).toContain('one = 10');
});

test('output that is gone is made again, and output of sources that are gone goes', async () => {
  rmSync(at('lib/dist/one.js'));
  expect(await build()).toEqual(ANEW);
  expect(built('one.js')).toContain('one = 10');
  rmSync(at('lib/src/old.ts'));
  expect(await build()).toEqual(ANEW);
  expect(existsSync(at('lib/dist/old.js'))).toBe(false);
  expect(existsSync(at('lib/dist/one.js'))).toBe(true);
});

test('a fault is told each time until it is mended', async () => {
  const source = readFileSync(at('lib/src/one.ts'));
  writeFileSync(at('lib/src/one.ts'), "export const one: number = 'one';\n");
  for (const _ of ['first', 'second']) {
    const { code, out } = await build();
    expect([code, out]).toEqual([1, expect.stringMatching(/one\.ts[^]*TS2322/)]);
  }
  writeFileSync(at('lib/src/one.ts'), source);
  expect((await build()).code).toBe(0);
  expect(await build()).toEqual(NOTHING);
});

test('two at once build once, and whoever was killed holds nobody up', async () => {
  writeFileSync(lock, '999999999 x 1');
  writeFileSync(at('lib/src/one.ts'), 'export const one: number = 11;\n');
  const outs = (await Promise.all([build(), build()])).map(({ out }) => out);
  expect(outs.filter((out) => out.includes('built in'))).toHaveLength(1);
  expect(readdirSync(path.dirname(lock))).toEqual([]);
});

test('one builds at a time, also where another took over what a killed one left just after this one had looked at it', async () => {
  const [log, go] = [at('said'), at('go')];
  writeFileSync(log, '');
  writeFileSync(
    at('take.mjs'),
    `import { appendFileSync, existsSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { alone } from './deploy/build/alone.mjs';
    const say = (what) => appendFileSync('${log}', process.argv[2] + ' ' + what + '\\n');
    const work = async () => {
      say('begins');
      while (!existsSync('${go}') && existsSync('${log}')) await sleep(10);
      say('ends');
    };
    await alone('${lock}', work, { onWait: () => say('waits') });`,
  );
  // Slow at two of its steps: before the first is done another begins, and a third while the lock is moved away.
  writeFileSync(
    at('slow.mjs'),
    `import fs from 'node:fs';
    import { spawn } from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    const { readFileSync, renameSync } = fs;
    const start = (name) => {
      spawn(process.execPath, ['take.mjs', name], { stdio: 'ignore' });
      while (!readFileSync('${log}', 'utf8').includes(name + ' begins'))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    };
    let isFirst = true;
    fs.readFileSync = (file, ...args) => {
      const text = readFileSync(file, ...args);
      if (file === '${lock}' && isFirst) {
        isFirst = false;
        start('second');
      }
      return text;
    };
    fs.renameSync = (from, to) => {
      renameSync(from, to);
      if (from === '${lock}') start('third');
    };
    syncBuiltinESMExports();
    process.argv[2] = 'first';
    await import('./take.mjs');`,
  );
  mkdirSync(path.dirname(lock), { recursive: true });
  writeFileSync(lock, '999999999 x 1');
  const { over } = start('slow.mjs');
  const said = (what: RegExp): string[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => what.test(line));
  await until(() => said(/^first/).length > 0);
  expect(said(/begins/)).toEqual(['second begins']);
  writeFileSync(go, '');
  expect((await over).code).toBe(0);
  expect(said(/begins|ends/)).toEqual(['second begins', 'second ends', 'first begins', 'first ends']);
  expect(readdirSync(path.dirname(lock))).toEqual([]);
});

test('while another builds it waits, and says so', async () => {
  writeFileSync(lock, `${process.pid} ${identityOf(process.pid)}`);
  writeFileSync(at('lib/src/one.ts'), 'export const one: number = 12;\n');
  const { child, over } = start();
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(String(said)).toBe('waiting for another build of the same files\n');
  expect([child.exitCode, built('one.js').includes('one = 11')]).toEqual([null, true]);
  rmSync(lock);
  expect((await over).code).toBe(0);
  expect(built('one.js')).toContain('one = 12');
});

describe('of a service one file is made', () => {
  const program = at('services/small/dist/program.js');
  const ran = async (): Promise<string> => {
    const child = spawn(process.execPath, [program]);
    let out = '';
    child.stdout.on('data', (text) => (out += String(text)));
    await once(child, 'close');
    return out;
  };
  beforeAll(() => {
    mkdirSync(at('node_modules/greeting'));
    writeFileSync(at('node_modules/greeting/package.json'), '{ "name": "greeting", "version": "1.0.0" }');
    writeFileSync(at('node_modules/greeting/index.js'), "module.exports = 'hello';\n");
    writeFileSync(at('package-lock.json'), '{ "packages": {} }');
    const globals =
      'declare const require: any, module: any, console: any, __dirname: string, __filename: string;\n';
    project('services/small', [], {
      'globals.d.ts': globals,
      'main.ts': `require(${JSON.stringify(path.join(repositoryRoot, 'services/chassis/dist/stacks.js'))});
        require('./deep/place').tell(require('greeting'));`,
      'deep/place.ts': `
        function fail(): never {
          throw new Error('Found.');
        }
        module.exports.tell = (word: string) => {
          console.log(word, __dirname, __filename);
          try {
            fail();
          } catch (error) {
            console.log((error as any).stack);
          }
        };`,
    });
    project('test', ['lib', 'services/small'], {});
  });

  test('which needs no other, knows where its modules were, and names their lines where it fails', async () => {
    expect((await build()).code).toBe(0);
    const deep = at('services/small/dist/deep');
    rmSync(at('node_modules/greeting/index.js'));
    rmSync(deep, { recursive: true });
    const [said, ...stack] = (await ran()).split('\n');
    expect(said).toBe(`hello ${deep} ${path.join(deep, 'place.js')}`);
    expect(stack.slice(0, 3)).toEqual([
      'Error: Found.',
      '    at fail (services/small/src/deep/place.ts:3)',
      expect.stringMatching(/^ {4}at \S+\.tell \(services\/small\/src\/deep\/place\.ts:8\)$/),
    ]);
    writeFileSync(at('node_modules/greeting/index.js'), "module.exports = 'good day';\n");
  });

  test('anew where it is gone, and where other packages are installed', async () => {
    rmSync(program);
    expect((await build()).code).toBe(0);
    expect(await ran()).toContain('good day');
    expect(await build()).toEqual(NOTHING);
    writeFileSync(at('node_modules/greeting/index.js'), "module.exports = 'good night';\n");
    writeFileSync(at('package-lock.json'), '{ "packages": { "node_modules/greeting": {} } }');
    expect((await build()).code).toBe(0);
    expect(await ran()).toContain('good night');
    expect(await build()).toEqual(NOTHING);
  });

  test('of which none comes about where a package that stays one is another there', async () => {
    for (const folder of ['node_modules/bullmq', 'node_modules/greeting/node_modules/bullmq']) {
      mkdirSync(at(folder), { recursive: true });
      writeFileSync(at(folder, 'index.js'), '');
    }
    writeFileSync(
      at('node_modules/greeting/index.js'),
      "module.exports = 'good night'; require('bullmq');\n",
    );
    rmSync(program);
    const { code, out } = await build();
    expect([code, out]).toEqual([1, expect.stringContaining('bullmq is installed for ')]);
    rmSync(at('node_modules/greeting/node_modules'), { recursive: true });
    expect((await build()).code).toBe(0);
    expect(await ran()).toContain('good night');
  });
});

test('without the compiler it says what is missing', async () => {
  rmSync(at('node_modules/typescript'));
  writeFileSync(at('lib/src/one.ts'), 'export const one: number = 13;\n');
  const { code, out } = await build();
  expect([code, out]).toEqual([
    1,
    'building what changed\nThe compiler is not installed. Run: npm ci (without --omit=dev)\n',
  ]);
});
