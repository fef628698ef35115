/** What another site shows, read as what was written there. */
import { readComment } from './read-content';

const contentOf = (rendered: string): string => readComment({ id: 1, content: { rendered } }).content;

test('paragraphs and lines of a comment are lines again, and nothing else that begins with their letter goes', () => {
  expect(contentOf('<p class="x">One<br />\ntwo</p>\n<p>Three</p>\n')).toBe('One\ntwo\n\nThree');
  const code = '<pre>a\n  b</pre>';
  expect(contentOf(`<p>Look:</p>\n${code}\n<p>So.</p>`)).toBe(`Look:\n${code}\nSo.`);
});

test('what never ends is read once', () => {
  const endless = '<p<p '.repeat(100_000);
  expect(contentOf(endless)).toBe(endless.trim());
});
