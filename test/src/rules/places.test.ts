/** What is bounded by number is made by `chassis/src/lru.ts`: the library makes all places at once, whether they are ever filled or not. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const ALL_PLACES = /new LRUCache\b[^;]*?\bmax:/;

test('no memory has all of its places from the start', () => {
  expect('new LRUCache<string, true>({ max: MOST })').toMatch(ALL_PLACES);
  const files = ['services', 'gateway', 'deploy/local'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(^|\/)src\//.test(file) && file.endsWith('.ts') && !file.includes('node_modules'))
      .map((file) => path.join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(600);
  expect(files.filter((file) => ALL_PLACES.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
});
