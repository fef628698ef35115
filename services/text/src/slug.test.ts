/* Slugs: what titles turn into, suffixes for clashes and the trash, and that a slug sent back stays the same. */

import fc from 'fast-check';
import { nextFreeSlug, slugify, trashedSlug, untrashedSlug } from './slug';

const japanese = (count: number): string => '日'.repeat(count);

function expectValid(slug: string): void {
  expect(slug).toMatch(/^(?:[a-z0-9_-]|%[0-9a-f]{2})*$/);
  expect(slug.length).toBeLessThanOrEqual(200);
  expect(() => decodeURIComponent(slug)).not.toThrow();
}

describe('slugify', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['  --A   b--  ', 'a-b'],
    ["Don't “Panic”", 'dont-panic'],
    ['snake_case Name', 'snake_case-name'],
    ['<b>Bold</b> &amp; Caf&eacute;', 'bold-cafe'],
    ['1.5/2 … 100%', '1-5-2-100'],
    ['Über Größe Straße', 'uber-grosse-strasse'],
    ['Zażółć gęślą jaźń Łódź', 'zazolc-gesla-jazn-lodz'],
    ['Tiếng Việt Đặng', 'tieng-viet-dang'],
    ['Ærø Øl Þór Ðe Œuvre', 'aero-ol-thor-de-oeuvre'],
    ['İstanbul ılık', 'istanbul-ilik'],
    ['ﬁne Ａ１ x² ½', 'fine-a%ef%bc%91-x2'],
    ['日本', '%e6%97%a5%e6%9c%ac'],
    ['Привет, Мир', '%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%d0%bc%d0%b8%d1%80'],
    ['한글', '%ed%95%9c%ea%b8%80'],
    ['🎉', ''],
    ['', ''],
    ['\ud800', ''],
  ])('%j → %j', (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  it('reads a slug sent back and other percent-encoding', () => {
    expect(slugify('%E6%97%A5-%e6%9c%ac')).toBe('%e6%97%a5-%e6%9c%ac');
    expect(slugify('50%20off')).toBe('50-off');
    expect(slugify('100%effective')).toBe('100-effective');
  });

  it('cuts before a character, not inside its escapes', () => {
    expect(slugify(japanese(100))).toBe('%e6%97%a5'.repeat(22));
    expect(slugify('a'.repeat(195) + japanese(1))).toBe('a'.repeat(195));
    expect(slugify(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
  });

  it('keeps the first thirty marks in a row, also where they were apart by what nobody sees', () => {
    const many = '\u0651'.repeat(250_000) + '\u05b0'.repeat(250_000);
    expect(slugify(`a${many}`)).toBe(`a${'%d9%91'.repeat(30)}`);
    const apart = ('\u0651\u05b0'.repeat(15) + '\u200d').repeat(16_000);
    expect(slugify(`a${apart}`)).toBe(`a${'%d6%b0'.repeat(15)}${'%d9%91'.repeat(15)}`);
  });

  it('gives a valid slug that it leaves alone, for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom('%', 'e', '3', '8', '1', ' ', '-', '日', '<', '&', 'é', '\u0301', '_'),
      }),
    );
    fc.assert(
      fc.property(text, (value) => {
        const slug = slugify(value);
        expectValid(slug);
        expect(slug).not.toMatch(/^-|-$|--/);
        expect(slugify(slug)).toBe(slug);
      }),
      { numRuns: 500 },
    );
  });
});

describe('nextFreeSlug', () => {
  it('counts up from 2', () => {
    expect(nextFreeSlug('a', [])).toBe('a');
    expect(nextFreeSlug('a', ['a'])).toBe('a-2');
    expect(nextFreeSlug('a', new Set(['a', 'a-2', 'a-4']))).toBe('a-3');
    expect(nextFreeSlug('', [''])).toBe('');
  });

  it('makes room for the number', () => {
    const long = slugify('a' + japanese(100));
    expect(nextFreeSlug(long, [long])).toBe(`a${'%e6%97%a5'.repeat(21)}-2`);
    const full = 'a'.repeat(200);
    expect(nextFreeSlug(full, [full])).toBe(`${'a'.repeat(198)}-2`);
    expectValid(nextFreeSlug(`${'a'.repeat(197)}-bb`, [`${'a'.repeat(197)}-bb`]));
  });
});

describe('the mark of the trash', () => {
  const full = 'a'.repeat(200);

  it('comes and goes', () => {
    expect(trashedSlug('a')).toBe('a__trashed');
    expect(trashedSlug('a__trashed')).toBe('a__trashed');
    expect(trashedSlug('')).toBe('__trashed');
    expect(untrashedSlug('a__trashed')).toBe('a');
    expect(untrashedSlug('a__trashed-12')).toBe('a');
    expect(untrashedSlug('__trashed')).toBe('');
    expect(untrashedSlug('a')).toBe('a');
  });

  it('cuts nothing off a long slug, and is not cut itself', () => {
    for (const slug of [full, slugify(japanese(22))]) {
      const trashed = trashedSlug(slug);
      const second = nextFreeSlug(trashed, [trashed]);
      expect([trashed, second]).toEqual([`${slug}__trashed`, `${slug}__trashed-2`]);
      expect(nextFreeSlug(second, [second])).toBe(`${slug}__trashed-2-2`);
      for (const marked of [trashed, second]) {
        expect(untrashedSlug(marked)).toBe(slug);
        expect(slugify(marked)).toBe(marked);
      }
    }
    expect(slugify(`${full}b__trashed`)).toBe(`${full}__trashed`);
    expect(slugify(`${full}__trashed-${'1'.repeat(10)}`)).toBe(full);
  });
});
