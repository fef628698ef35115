import fc from 'fast-check';
import { focusScore, MARKS } from './focus';
import { rulesOf } from './languages';
import { readPage } from './page';
import { countWords } from './words';

interface Given {
  keyword?: string;
  title?: string;
  description?: string;
  slug?: string;
  html?: string;
  language?: string;
  isCornerstone?: boolean;
}

function score(given: Given): number | undefined {
  const page = readPage(given.html ?? '', 'https://example.org/', 'https://example.org');
  return focusScore(
    {
      focusKeyword: given.keyword ?? 'garden',
      title: given.title ?? '',
      description: given.description ?? '',
      slug: given.slug ?? '',
      page,
      wordCount: countWords(page.blocks),
      isCornerstone: given.isCornerstone ?? false,
    },
    rulesOf(given.language ?? 'en')!,
  );
}

const words = (count: number): string => 'word '.repeat(count).trim();

it('is a hundred at most', () => {
  expect(Object.values(MARKS).reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
});

describe('marks, worked by hand', () => {
  it.each<[string, Given, number]>([
    ['nothing', {}, 0],
    ['title', { title: 'My gardens' }, 20],
    ['description', { description: 'Gardening? A garden!' }, 10],
    ['slug', { slug: 'the-garden-2' }, 10],
    ['no part of a word', { title: 'Gardenia', slug: 'gardenia' }, 0],
    // 0 words in the second paragraph count for the beginning: 15; 1 of 2 words is 50 %: 0; 2 of 300 words: 15 x 2/300 = 0.1
    ['beginning', { html: '<p>Garden</p><p>more</p>' }, 15],
    ['a later paragraph', { html: '<p>more</p><p>Garden</p>' }, 0],
    // 10 for the heading; 1 of 100 words is 1 %: 15; length 15 x 100/300 = 5
    ['heading and density', { html: `<h2>Garden</h2><p>${words(99)}</p>` }, 30],
    // 1 of 250 words is 0.4 %: 15/2 = 7.5; length 15 x 250/300 = 12.5; beginning 15
    ['too few', { html: `<p>Garden ${words(249)}</p>` }, 35],
    // 7 of 200 words are 3.5 %: 7.5; length 10; beginning 15: 32.5
    ['rather many', { html: `<p>${'garden '.repeat(7)}${words(193)}</p>` }, 33],
    // 10 of 200 words are 5 %: 0; length 10; beginning 15
    ['too many', { html: `<p>${'garden '.repeat(10)}${words(190)}</p>` }, 25],
    ['pictures', { html: '<img src="a.png" alt="The garden">' }, 5],
    // Length alone: 15, and 15 x 300/900 = 5
    ['long enough', { html: words(300) }, 15],
    ['too short for a cornerstone', { html: words(300), isCornerstone: true }, 5],
    [
      'all of it',
      {
        keyword: 'Vegetable Garden',
        title: 'Vegetable gardens',
        description: 'Of vegetable gardens.',
        slug: 'vegetable-gardens',
        html: `<p>A vegetable garden</p><h2>The vegetable garden</h2><p>${words(300)}</p><img src="a.png" alt="vegetable garden">`,
        // 2 of 306 words: 0.65 %
      },
      100,
    ],
    ['words of a keyword apart', { keyword: 'vegetable garden', title: 'A garden of vegetables' }, 0],
  ])('%s', (_, given, points) => {
    expect(score(given)).toBe(points);
  });
});

it.each([
  ['de', 'Haus', 'Die Häuser', 20],
  ['fr', 'jardin', 'Nos jardins', 20],
  ['es', 'jardín', 'Los jardines', 20],
  ['nl', 'tuin', 'Onze tuinen', 20],
  ['en', 'garden', 'Our gardens', 20],
])('%s: %s is in «%s»', (language, keyword, title, points) => {
  expect(score({ language, keyword, title })).toBe(points);
});

it('slugs are found though they have lost their accents', () => {
  expect(score({ language: 'de', keyword: 'Grüne Gärten', slug: 'meine-grune-garten' })).toBe(10);
});

it.each(['', '   ', '!!!'])('without a keyword («%s») nothing is scored', (keyword) => {
  expect(score({ keyword, title: 'Garden' })).toBeUndefined();
});

it('is a whole number from 0 to 100 whatever the texts are', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', '<p>', '<h2>') }),
  );
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.constantFrom('en', 'de', 'fr', 'es', 'nl'),
      (keyword, title, html, language) => {
        const points = score({ keyword: `a${keyword}`, title, slug: title, html, language }) ?? -1;
        expect(Number.isInteger(points) && points >= 0 && points <= 100).toBe(true);
      },
    ),
  );
});

it.each(['en', 'de', 'fr', 'es', 'nl'])(
  '%s: words without end cost no more than their length',
  (language) => {
    expect(score({ language, html: `<p>${'ying'.repeat(250_000)}</p>`, title: 'a '.repeat(100_000) })).toBe(
      0,
    );
    expect(score({ language, keyword: 'a '.repeat(90), html: 'a '.repeat(500_000) })).toBeGreaterThan(0);
  },
);
