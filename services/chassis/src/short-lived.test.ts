/** What programs tell V8 before they load anything else. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const run = (code: string, flags: readonly string[] = []): string =>
  spawnSync(process.execPath, [...flags, '-e', code], { cwd: ROOT, encoding: 'utf8', env: {} }).stdout;

test.each(['gateway', 'services/content'])('%s says it first', (folder) => {
  const told = run(`
    const v8 = require('node:v8');
    v8.setFlagsFromString = (flag) => console.log(flag, Object.keys(require.cache).length);
    require('./${folder}/dist/program.js');
  `);
  const [, loaded] = /^--no-allocation-site-pretenuring (\d+)$/m.exec(told) ?? [];
  expect(Number(loaded)).toBeLessThanOrEqual(3);
});

test('V8 decides nothing about what lives long', () => {
  const work = 'const kept = []; for (let n = 0; n < 1e6; n++) kept[n % 1e5] = { n, list: [n] };';
  const looks = (first: string): boolean =>
    run(first + work, ['--trace-pretenuring-statistics']).includes('pretenuring');
  expect([looks(''), looks(`require('./services/chassis/dist/short-lived.js');`)]).toEqual([true, false]);
});
