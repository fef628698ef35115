/* What stands for a text: the excerpt it has, or its first words. */

import * as rendering from './excerpt';

const renderExcerpt = (raw: string, body: string): string =>
  rendering.renderExcerpt(raw, { raw: body, html: body }, { smilies: true });
const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

it('renders a stored excerpt', () => {
  expect(renderExcerpt('"a"', '<p>b</p>\n')).toBe('<p>&#8220;a&#8221;</p>\n');
});

it('takes the first 55 words of the body', () => {
  expect(renderExcerpt('', `<p>${words(55)}</p>\n`)).toBe(`<p>${words(55)}</p>\n`);
  expect(renderExcerpt(' ', `<p>${words(54)} <b>w54</b></p><p>more</p>`)).toBe(
    `<p>${words(55)} [&hellip;]</p>\n`,
  );
});

it('keeps blocks apart, entities as they are, scripts out', () => {
  expect(renderExcerpt('', '<li>a</li><li>b &#8217;</li><script>c</script>')).toBe('<p>a b &#8217;</p>\n');
});

it('leaves out what shortcodes show', () => {
  const body = 'a [caption]<img src="x"> text[/caption] [gallery] [[b]] [note] c';
  expect(renderExcerpt('', body)).toBe('<p>a [b] [note] c</p>\n');
});

it('is empty for an empty body', () => {
  expect(renderExcerpt('', '')).toBe('');
});

describe('of what sets no words apart', () => {
  const cut = (text: string): string => `<p>${text} [&hellip;]</p>\n`;

  it('ends after 600 letters', () => {
    for (const letter of ['日', 'ก', '𠮷', '👩‍👩‍👧', 'e\u0301', '&amp;', '&#8217;']) {
      expect(renderExcerpt('', letter.repeat(600))).toBe(`<p>${letter.repeat(600)}</p>\n`);
      expect(renderExcerpt('', letter.repeat(100_000))).toBe(cut(letter.repeat(600)));
    }
    expect(renderExcerpt('', `${'日'.repeat(599)} ${'本'.repeat(50)}`)).toBe(cut('日'.repeat(599)));
  });

  it('ends after 55 words where those come first, however long they are', () => {
    const long = Array.from({ length: 55 }, () => 'w'.repeat(9)).join(' ');
    expect(renderExcerpt('', `<p>${long} more</p>`)).toBe(cut(long));
    // Neither is what says that it goes on counted, nor is it cut.
    expect(renderExcerpt('', `<p>${words(54)} ${'x'.repeat(394)} more</p>`)).toBe(
      cut(`${words(54)} ${'x'.repeat(394)}`),
    );
  });

  it('ends where one letter would have no end, and never within a reference', () => {
    const excerpt = renderExcerpt('', `a${'\u0301'.repeat(100_000)}`);
    expect(excerpt.length).toBeLessThan(6_100);
    expect(excerpt).toMatch(/\u0301 \[&hellip;\]<\/p>\n$/);
    const marks = 'a'.padEnd(5_997, '\u0301');
    expect(renderExcerpt('', `${marks}&#8217;${marks}`)).toBe(cut(marks));
  });
});
