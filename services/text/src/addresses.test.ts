import { findAddresses, replaceAddresses } from './addresses';

const SITE = 'https://old.example/blog';
const find = (text: string): string[] => findAddresses(text, [SITE]);

test.each([
  ['<a href="https://old.example/blog/a/?x=1&amp;y=2#z">', ['https://old.example/blog/a/?x=1&amp;y=2#z']],
  [`see http://old.example/blog/b.`, ['http://old.example/blog/b']],
  ['(//old.example/blog/c)', ['//old.example/blog/c']],
  [
    'srcset="https://old.example/blog/a-1x1.jpg 1w, https://old.example/blog/a.jpg 2w"',
    ['https://old.example/blog/a-1x1.jpg', 'https://old.example/blog/a.jpg'],
  ],
  ['{"url":"https://old.example/blog/d"}', ['https://old.example/blog/d']],
  ['https://old.example/blog', ['https://old.example/blog']],
  ['The end is https://old.example/blog.', ['https://old.example/blog']],
  ['https://old.example/blogs', []],
  ['https://old.example.org/blog/', []],
  ['https://my-old.example/blog/', []],
  ['https://old.example/other', []],
  ['https://old.example/blog/&quot;', ['https://old.example/blog/']],
])('finds in %s', (text, found) => {
  expect(find(text)).toEqual(found);
});

test('replaces whole addresses, each where it stands', () => {
  const by = new Map([
    ['https://old.example/blog/a', 'https://new.example/1/'],
    ['https://old.example/blog/a/b', 'https://new.example/2/'],
  ]);
  const text = 'https://old.example/blog/a, https://old.example/blog/a/b; https://old.example/blog/a/c.';
  expect(replaceAddresses(text, by)).toEqual({
    text: 'https://new.example/1/, https://new.example/2/; https://old.example/blog/a/c.',
    replaced: 2,
  });
  expect(replaceAddresses(text, new Map())).toEqual({ text, replaced: 0 });
});

test('is linear in its input', () => {
  expect(find('https://old.example/blog/'.repeat(100_000))).toHaveLength(1);
  expect(find(`https://old.example/blog/${'.'.repeat(1_000_000)}`)).toEqual(['https://old.example/blog/']);
});

// By a pattern for the end each would take many minutes.
test('a long run of full stops costs no more than its length', () => {
  const address = `${SITE}/${'.'.repeat(1_000_000)}a`;
  expect(find(`${address}.`)).toEqual([address]);
  expect(replaceAddresses(`${address}.`, new Map([[address, 'here']])).text).toBe('here.');
});
