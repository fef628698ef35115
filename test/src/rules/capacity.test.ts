/** The page of capacity figures is what its figures and assumptions make of it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Figures } from '../load/capacity/figures';
import { boundsOf, needsOf } from '../load/capacity/model';
import { pageOf } from '../load/capacity/page';

const deploy = path.resolve(__dirname, '../../../deploy');
const figures = JSON.parse(readFileSync(path.join(deploy, 'capacity.json'), 'utf8')) as Figures;
/** As a formatter leaves it. */
const words = (text: string): string =>
  text
    .replace(/ +/g, ' ')
    .replace(/:?-{3,}:?/g, '-')
    .trim();

test('the page is made of the figures: npm run capacity -- --page', () => {
  expect(words(readFileSync(path.join(deploy, 'CAPACITY.md'), 'utf8'))).toBe(words(pageOf(figures)));
});

test('twice the requests never need less, and what runs out first needs the most', () => {
  const few = needsOf(figures, { events: 1_000_000, requests: 5_000 });
  const many = needsOf(figures, { events: 1_000_000, requests: 10_000 });
  for (const [name, cores] of Object.entries(few.cores))
    expect(many.cores[name]).toBeGreaterThanOrEqual(cores);
  expect(many.network).toBeCloseTo(2 * few.network);
  expect(many.postgresql.bytes).toBe(few.postgresql.bytes);
  const bounds = boundsOf(many).map(({ times }) => times);
  expect(bounds).toEqual([...bounds].sort((a, b) => b - a));
  const { postgresql } = many;
  expect(postgresql.primaryCores).toBeLessThan(postgresql.calendarCores + postgresql.contentCores);
});
