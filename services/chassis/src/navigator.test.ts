/** What a process of a service loads before it does anything. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const LOADED = `console.log(process.moduleLoadList.filter((name) => name.includes('undici')).length)`;
const run = (code: string): string =>
  spawnSync(process.execPath, ['-e', code], { cwd: ROOT, encoding: 'utf8', env: {} }).stdout.trim();

test('the library of the database does not load all of fetch', () => {
  const library = `require('pg');`;
  expect(run(`${library}${LOADED}`)).toBe(Number(process.versions.node.split('.')[0]) > 20 ? '0' : '1');
  expect(run(`require('./services/chassis/dist/run-service.js');${library}${LOADED}`)).toBe('0');
});

test('whoever asks what runs here is told that it is Node', () => {
  const asked = `require('./services/chassis/dist/run-service.js'); console.log(navigator.userAgent)`;
  expect(run(asked)).toBe(`Node.js/${process.versions.node.split('.', 1)[0]}`);
});
