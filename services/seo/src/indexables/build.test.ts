import { createLog } from '@sevenfold/chassis/log';
import type { Current } from '../settings/read';
import { testItem, testSettings } from '../testing/items';
import { build } from './build';

const current: Current = { settings: testSettings(), saved: {}, madeFor: 'these' };

test('what cannot be analysed is in the index without its text, as public as its owner says', () => {
  const lines: string[] = [];
  const log = createLog('build', 'test', 'error', { write: (line) => void lines.push(line) });
  // No text at all, so that each step of the analysis fails.
  const item = testItem({ status: 'trash', isPublic: false, contentHtml: {} as string });
  const built = build({ item, version: '2', author: 0, terms: [], objects: [], named: [] }, current, 1, log);
  expect(built?.row).toMatchObject({
    status: 'trash',
    isPublic: false,
    version: '2',
    permalink: item.permalink,
  });
  expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([item.id]);
});

test('where its texts are not to blame there is no row', () => {
  const log = createLog('build', 'test', 'silent');
  const item = testItem({ titleHtml: {} as string });
  expect(
    build({ item, version: '2', author: 0, terms: [], objects: [], named: [] }, current, 1, log),
  ).toBeUndefined();
});
