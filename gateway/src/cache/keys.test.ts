import { keysOf, keysOfNews } from './keys';
import { readTags } from '@sevenfold/chassis/news/record';

const shown = (header: string): { service: string; tags: string[] }[] => [
  { service: 'content', tags: readTags(header) },
];
const ids = (kind: string, many: number): string =>
  `${kind}:${Array.from({ length: many }, (_, place) => 100_000 + place).join(',')}`;
const bytes = (keys: readonly string[]): number => keys.join(' ').length;

const answers = {
  small: 'post|post:12,13|user:5',
  'many rows': `post|${ids('post', 2_000)}|user:5`,
  'many sets': Array.from({ length: 1_000 }, (_, set) => `set${set}`).join('|') + '|post:12',
  unknown: '*',
};

test.each(Object.entries(answers))('%s: a header holds the keys', (_, header) => {
  const keys = keysOf(shown(header));
  expect(keys).toContain('content');
  expect(bytes(keys)).toBeLessThanOrEqual(4_000);
});

test.each([
  ['small', ['post:12'], true],
  ['small', ['post:14'], false],
  ['small', ['post'], true],
  ['small', ['post:*'], true],
  ['small', ['*'], true],
  ['small', ['user:12'], false],
  ['many rows', ['post:100005'], true],
  ['many rows', ['user:5'], true],
  ['many rows', ['term:5'], false],
  ['many sets', ['post:12'], true],
  ['many sets', ['set7'], true],
  ['unknown', ['anything:1'], true],
  ['unknown', ['*'], true],
] as const)('%s and news of %j', (name, news, old) => {
  const keys = new Set(keysOf(shown(answers[name])));
  expect(keysOfNews('content', news).some((key) => keys.has(key))).toBe(old);
  expect(keysOfNews('calendar', news).some((key) => keys.has(key))).toBe(false);
});
