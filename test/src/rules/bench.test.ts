/** The benchmark leaves no resource out, so that none gets slow unseen. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readable, rows } from '../load/rows';
import { leastOf } from '../load/ways';

test('each resource that can be read has a row of the benchmark, its own or by what it declares', () => {
  const measured = new Set(rows.map(({ resource }) => resource));
  expect(readable.length).toBeGreaterThan(15);
  // What has no collection of its own, such as what hangs on a post, needs a row in the table.
  expect(readable.filter(({ resource }) => !measured.has(resource))).toEqual([]);
});

test('what is derived asks as whoever may, and knows a list', () => {
  const of = (name: string) => readable.find(({ resource }) => resource === name)?.row;
  expect(of('core/v2 settings')).toMatchObject({
    path: '/rest/core/v2/settings',
    signedIn: true,
    byDefault: false,
  });
  expect(of('core/v2 tags')).toMatchObject({ path: '/rest/core/v2/tags', signedIn: false, byDefault: true });
  expect(of('core/v2 revisions')).toBeUndefined();
});

test('no two rows have one name', () => {
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('what is asked for the most is measured from memory and past it, and held to a ratio; profiles beside our own words', () => {
  const waysOf = (name: string) =>
    rows.filter((row) => row.name.startsWith(`${name}: `)).map(({ way }) => way);
  for (const name of ['posts list', 'posts list of a profile'])
    expect(waysOf(name)).toEqual(expect.arrayContaining(['hit', 'miss', 'known', 'gzip']));
  const lists = [
    'comments list',
    'users list',
    'categories',
    'event categories',
    'venues list',
    'events list',
  ];
  for (const name of ['one post', 'one event', ...lists]) expect(waysOf(name)).toEqual(['hit', 'miss']);
  for (const row of rows.filter(({ way }) => way)) {
    expect(row.path).not.toBeUndefined();
    expect(Object.keys(leastOf(row) ?? {})).toEqual([
      row.ours ? 'ours' : row.way === 'miss' ? 'service' : 'express',
    ]);
  }
});

test('it runs by itself, with nothing around it that only tests have', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
  try {
    const file = path.join(folder, 'runs.json');
    writeFileSync(file, '[]');
    const bench = path.resolve(__dirname, '../../dist/load/bench.js');
    await expect(
      promisify(execFile)(process.execPath, [bench, '--compare', file, file]),
    ).resolves.toMatchObject({ stderr: '' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
