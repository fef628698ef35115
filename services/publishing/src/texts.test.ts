/** What becomes of titles and bodies on their way into the database. */
import { getHeapSpaceStatistics } from 'node:v8';
import { systemActor } from '@sevenfold/chassis/actor';
import { collectGarbage, collectYoung } from '@sevenfold/chassis/testing/garbage';
import { readBody } from './texts';

const TEXTS = 4_000;
const AT_ONCE = 500;
const importer = systemActor(['manage_imports']);

const old = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? NaN;

/** As imports do it: many short texts, none of which is kept. */
function readMany(texts: number): void {
  for (let n = 1; n <= texts; n++) {
    readBody(importer, `<p>Number ${n} in a long row.</p>\n\nWith a few words more.`, { smilies: true });
    if (n % AT_ONCE === 0) collectYoung();
  }
}

test('what a body was rendered with is gone with the next collection of what is young', () => {
  readMany(TEXTS);
  collectGarbage();
  const before = old();
  readMany(TEXTS);
  expect((old() - before) / TEXTS).toBeLessThan(1_000);
});
