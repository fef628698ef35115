import fc from 'fast-check';
import { rulesOf } from './languages';
import { readPage } from './page';
import { readability } from './readability';
import { countWords, readingMinutes, sentencesIn, wordsIn } from './words';

const score = (html: string, language: string): number | undefined => {
  const rules = rulesOf(language);
  return rules && readability(readPage(html, '', '').blocks, rules);
};

describe('reading ease, worked by hand', () => {
  it.each([
    // 13 words in 1 sentence, 24 syllables (the, Aus-tra-lian, plat-y-pus, is,
    // seem-ing-ly, a, hy-brid, of, a, mam-mal, and, rep-ti-lian, crea-ture).
    // 206.835 - 1.015 x 13 - 84.6 x 24/13 = 206.835 - 13.195 - 156.185 = 37.455
    ['en', 'The Australian platypus is seemingly a hybrid of a mammal and reptilian creature.', 37],
    // 6 words, 1 sentence, 6 syllables: 206.835 - 6.09 - 84.6 = 116.145, which is above the scale.
    ['en', 'The cat sat on the mat.', 100],
    // 10 words, 2 sentences; Der Gar-ten ist of-fen: 6, Wir freu-en uns auf vie-le Gäs-te: 9, together 15.
    // 180 - 10/2 - 58.5 x 15/10 = 180 - 5 - 87.75 = 87.25
    ['de', 'Der Garten ist offen. Wir freuen uns auf viele Gäste.', 87],
    // 18 words, 3 sentences; Le jar-din est ou-vert: 6, Nous ai-mons les fleurs rouges et la lu-mière: 10, L'ad-mi-nis-tra-tion
    // mu-ni-ci-pale com-mu-nique ré-gu-liè-re-ment ses dé-ci-sions: 21, together 37.
    // 207 - 1.015 x 18/3 - 73.6 x 37/18 = 207 - 6.09 - 151.289 = 49.621
    [
      'fr',
      "Le jardin est ouvert. Nous aimons les fleurs rouges et la lumière. L'administration municipale communique régulièrement ses décisions.",
      50,
    ],
    // 10 words, 2 sentences; El jar-dín es-tá a-bier-to: 8, La ad-mi-nis-tra-ción mu-ni-ci-pal co-mu-ni-ca sus
    // de-ci-sio-nes: 19, together 27. 206.835 - 10/2 - 62.3 x 27/10 = 206.835 - 5 - 168.21 = 33.625
    ['es', 'El jardín está abierto. La administración municipal comunica sus decisiones.', 34],
    // 10 words, 2 sentences; De tuin is o-pen: 5, De ge-meen-te maakt haar be-slui-ten be-kend: 11, together 16.
    // 206.84 - 0.93 x 10/2 - 77 x 16/10 = 206.84 - 4.65 - 123.2 = 78.99
    ['nl', 'De tuin is open. De gemeente maakt haar besluiten bekend.', 79],
  ])('%s: %s', (language, text, ease) => {
    expect(score(`<p>${text}</p>`, language)).toBe(ease);
    expect(score(`<h2>Incomprehensibilities</h2><div>${text}</div>`, `${language}-XX`)).toBe(ease);
  });

  it('is not told of other languages, nor of nothing', () => {
    expect(score('<p>Ogród jest otwarty.</p>', 'pl')).toBeUndefined();
    expect(score('<p>Text.</p>', 'constructor')).toBeUndefined();
    expect(score('<p>Text.</p>', '')).toBeUndefined();
    expect(score('<p>… !</p>', 'en')).toBeUndefined();
    expect(score('<h1>Title alone</h1>', 'en')).toBeUndefined();
  });

  it('is a whole number from 0 to 100 of whatever text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('en', 'de', 'fr', 'es', 'nl'),
        (text, language) => {
          const ease = score(`a ${text}`, language) ?? 0;
          expect(Number.isInteger(ease) && ease >= 0 && ease <= 100).toBe(true);
        },
      ),
    );
  });
});

describe('sentences', () => {
  const NONE: ReadonlySet<string> = new Set();
  it.each([
    ['One. Two! Three? Four… Five', 5],
    ['“One.” (Two.) Three', 3],
    ['Costs 3.5 euros at example.org today.', 1],
    ['J. Smith wrote it. He did.', 2],
    ['Wait... what? Yes.', 2],
    ['Wait. . . . no', 2],
    ['... !!! ???', 0],
    ['', 0],
  ])('%s', (text, count) => {
    expect(sentencesIn([text], NONE).count).toBe(count);
  });

  it('do not end with what is abbreviated', () => {
    const { abbreviations } = rulesOf('de')!;
    expect(
      sentencesIn(['Das ist z. B. Herr Dr. Meyer aus der Hauptstr. Nord (vgl. Abb. 3). Ende.'], abbreviations)
        .count,
    ).toBe(3);
    expect(sentencesIn(['Das ist z.B. Herr Dr. Meyer. Ende.'], abbreviations).count).toBe(2);
  });

  it('end with their block', () => {
    expect(sentencesIn(['One', 'two'], NONE)).toEqual({ words: ['One', 'two'], count: 2 });
  });
});

describe('words', () => {
  it.each([
    ["It's a well-known ‘fact’ – 3.5 km", ["It's", 'a', 'well-known', 'fact', '3', '5', 'km']],
    ['l’été à l’île', ['l’été', 'à', 'l’île']],
    ['--- ’ … §', []],
  ])('of %s', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('are two characters where there are no spaces', () => {
    expect(countWords(readPage('<p>吾輩は猫である ok</p><p>one two</p>', '', '').blocks)).toBe(4 + 1 + 2);
  });

  it.each([
    [0, 'en', 0],
    [1, 'en', 1],
    [228, 'en-GB', 1],
    [229, 'en', 2],
    [1790, 'de', 10],
    [1840, 'pl', 10],
  ])('%i of %s … are read in %i minutes', (words, language, minutes) => {
    expect(readingMinutes(words, language)).toBe(minutes);
  });
});

test('more words than a call takes arguments, with no space between them', () => {
  expect(sentencesIn([Array.from({ length: 150_000 }, (_, n) => n).join(',')], new Set()).words).toHaveLength(
    150_000,
  );
});
