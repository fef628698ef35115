import fc from 'fast-check';
import { domainOf, fold, hostOf, read, wordsOf } from './words';

describe('words', () => {
  test.each([
    ['buy V1AGRA now', 'buy viagra now'],
    ['ca$ino and fr€e m0ney', 'casino and free money'],
    ['f.r.e.e offer', 'free offer'],
    ['v i a g r a here', 'viagra here'],
    ['c-a-s-i-n-o', 'casino'],
    ['ca\u200bsi\u00adno', 'casino'],
    ['cаsinо', 'casino'], // with Cyrillic а and о
    ['ｃａｓｉｎｏ', 'casino'],
    ['c\u0336a\u0336s\u0336i\u0336n\u0336o\u0336', 'casino'],
    ['sooooo goooood', 'soo good'],
    ['Größe', 'große'],
    ['it’s well-known', 'it’s well known'],
    ['१০ক’টি বই', '१০ক’টি বই'],
    ['क1की', 'क1की'],
    ['version 2 of p2p in 2024', 'version of p2p in 2024'],
  ])('%j is read as %j', (text, words) => {
    expect(read(text).words.join(' ')).toBe(words);
  });

  test('scripts without spaces are read in pairs of letters', () => {
    expect(read('免费彩金').words).toEqual(['免费', '费彩', '彩金']);
    expect(read('สวัสดี').words.length).toBeGreaterThan(2);
  });

  test('what was disguised is known', () => {
    expect(read('cheap v1agra and c.i.a.l.i.s').disguised).toEqual(['viagra', 'cialis']);
    expect(read('Yours, J. R. R. Tolkien').disguised).toEqual([]);
  });

  test('text of HTML is read, scripts and tags are not', () => {
    const { words } = read('<p>good&nbsp;<b>mor</b>ning</p><script>var evil</script><!-- hidden -->');
    expect(words.join(' ')).not.toMatch(/evil|hidden|script/);
    expect(words).toContain('good');
  });
});

describe('links', () => {
  test('are found in HTML, in text, as bulletin codes and bare', () => {
    const { links, linkCount, anchors, bulletinCodes, words } = read(
      '<a href="http://www.One.example/x">one</a> https://two.example/y?z [url=three.example]three[/url] see four-x.com/path',
    );
    expect(links.map(({ host }) => host).sort()).toEqual([
      'four-x.com',
      'one.example',
      'three.example',
      'two.example',
    ]);
    expect([linkCount, anchors, bulletinCodes]).toEqual([4, 1, 2]);
    expect(words).toEqual(['one', 'three', 'see']);
  });

  test('are found bare where their names have vowel signs', () => {
    expect(read('यहाँ सस्ती-दवा.com पर').links).toEqual([{ url: 'सस्ती-दवा.com', host: 'सस्ती-दवा.com' }]);
  });

  test('sentences without a space are none', () => {
    expect(read('It ends.Then it goes on, e.g. here').linkCount).toBe(0);
  });

  test.each([
    ['a.b.example.co.uk', 'example.co.uk'],
    ['a.b.example.com', 'example.com'],
    ['192.0.2.7', '192.0.2.7'],
  ])('%s belongs to %s', (host, domain) => {
    expect(domainOf(host)).toBe(domain);
  });

  test.each([
    'mailto:a@example.org',
    'javascript:alert(1)',
    '#top',
    '/about',
    'http://',
    `http://${'a'.repeat(3000)}.example`,
  ])('%s is no address of the web', (url) => {
    expect(hostOf(url)).toBe('');
  });
});

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        '<a href=',
        '"',
        '[url=',
        ']',
        'http://',
        'www.',
        '.',
        'a',
        ' ',
        '\u0301',
        '&#',
        '!',
        '@',
      ),
      { maxLength: 300 },
    )
    .map((parts) => parts.join('')),
);

test('nothing that anybody writes makes it throw; words are folded and bounded', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const { words, links, linkCount } = read(text);
      expect(links.length).toBeLessThanOrEqual(50);
      expect(linkCount).toBeGreaterThanOrEqual(links.length);
      for (const word of words) expect(word.length).toBeLessThanOrEqual(64);
      expect(wordsOf(fold(text)).length).toBeLessThanOrEqual(fold(text).length);
    }),
    { numRuns: 500 },
  );
});

// Each took minutes where a step was not linear: the limit of the test is far above what any takes.
test.each([
  'a',
  '<',
  '[url=',
  'http://',
  '.a',
  'a.',
  '!',
  '<a href="',
  '\ufdfa',
  'a\u0301',
  '[a=',
  '…!',
  'aa ',
])('a message of nothing but %j is read in linear time', (piece) => {
  const { words } = read(piece.repeat(Math.ceil(70_000 / piece.length)));
  expect(words.length).toBeLessThanOrEqual(70_000);
});

// Putting so many in order takes the square of them: no more are left than any writing has, of marks that are taken for letters, too.
test.each([
  ['a' + '\u0651'.repeat(35_000) + '\u05b0'.repeat(35_000)],
  [('\uff9e' + '\u0651'.repeat(30)).repeat(1_100) + ('\uff9e' + '\u05b0'.repeat(30)).repeat(1_100)],
])('of marks in a row the first thirty count', (text) => {
  expect([...fold(text)].filter((letter) => /\p{M}/u.test(letter))).toHaveLength(30);
  expect(read(text).text.length).toBeLessThanOrEqual(31);
});
