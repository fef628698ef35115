import { type Tag, openMarkup } from './markup';

function tagsOf(text: string): Tag[] {
  const tags: Tag[] = [];
  const reader = openMarkup({ tag: (tag) => void tags.push(tag), text: () => undefined });
  reader.write(text);
  reader.end();
  return tags;
}

test('attributes are found beside what is none', () => {
  const [tag] = tagsOf(`<a:b c="1"d='2' e f.g = "<&amp;>" 3h="4" i=5 j="6"/>`);
  expect(tag).toMatchObject({
    name: 'a:b',
    kind: 'empty',
    attributes: { c: '1', d: '2', 'f.g': '<&>', h: '4', j: '6' },
  });
});

// Each took the square of its length, all together some ten minutes.
test('long names cost no more than their length', () => {
  const tag = `<a ${'b'.repeat(60_000)}>`;
  expect(tagsOf(tag.repeat(200))).toHaveLength(200);
});
