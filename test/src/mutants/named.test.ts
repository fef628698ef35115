/** The tables of the mutation check say what is true: their files are there, and what a row would change stands in its file. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { equivalents } from './equivalents';
import { namedFaults } from './named';
import { instrument } from './operators';
import { targets } from './targets';

const root = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

test.each(namedFaults)('$name', ({ file, find, replace, tests }) => {
  expect(read(file).split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
  for (const test of tests) expect(existsSync(path.join(root, test))).toBe(true);
});

test.each(targets)('$file', ({ file, tests }) => {
  expect(instrument(file, read(file)).mutants.length).toBeGreaterThan(0);
  for (const test of tests) expect(existsSync(path.join(root, test))).toBe(true);
});

test.each(equivalents)('$file: $line', ({ file, line, original }) => {
  const target = targets.find((one) => one.file.endsWith(file));
  const lines = read(target?.file as string)
    .split('\n')
    .filter((text) => text.includes(line));
  expect(lines.length).toBeGreaterThan(0);
  if (original !== undefined) expect(lines.some((text) => text.includes(original))).toBe(true);
});
