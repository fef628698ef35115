import fc from 'fast-check';
import { messageOf } from '../checks/message';
import { conductOf } from '../evidence/conduct';
import { aMessage } from '../testing/filter';
import { START } from './calibration';
import { type Group, featuresOf, hashOf } from './features';
import { isForeign, tongueOf } from './language';
import { weigh } from './weigh';
import { judge } from '../checks/verdict';
import { read } from './words';

const labels = (more: Parameters<typeof aMessage>[0], group: Group): string[] =>
  featuresOf(messageOf(aMessage(more)))
    .all.filter((feature) => feature.group === group)
    .map(({ label }) => label);

describe('features', () => {
  test('are words and pairs of them', () => {
    expect(labels({ content: 'click here now' }, 'words')).toEqual([
      'click',
      'here',
      'now',
      'click here',
      'here now',
    ]);
  });

  test('are hosts, their domains and endings', () => {
    expect(labels({ content: 'see http://a.shop.example/x', authorUrl: 'own.example' }, 'hosts')).toEqual([
      'shop.example',
      '.example',
      'a.shop.example',
      'own.example',
      'a page of its own',
    ]);
  });

  test('are what is known of the sender', () => {
    const sender = labels(
      { address: '192.0.2.77', authorEmail: 'x9182736@Shop.example', userAgent: '' },
      'sender',
    );
    expect(sender).toEqual(
      expect.arrayContaining([
        '192.0.2.0/24',
        'shop.example',
        'no program named',
        'middle, many digits',
        'miller',
      ]),
    );
  });

  test.each(['shop.example', 'दुकान.भारत'])('are names that are addresses: %s', (authorName) => {
    expect(labels({ authorName }, 'sender')).toContain('an address as name');
  });

  test('are the language, and whether it is that of the place', () => {
    expect(labels({ content: 'Das ist nicht sehr schön und wir sind nicht froh' }, 'language')).toEqual([
      'latin letters',
      'in de',
      'not the language of the place',
    ]);
  });

  test('of a long message are bounded, and its end is among them', () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `word${index}x`).join(' ');
    const { all } = featuresOf(messageOf(aMessage({ content: `${words} hidden casino` })));
    expect(all.length).toBeLessThan(1_000);
    expect(all.map(({ label }) => label)).toContain('casino');
  });

  test('are whole numbers that databases hold, different for what is different', () => {
    const hashes = Array.from({ length: 10_000 }, (_, index) => hashOf(`w:${index}`));
    expect(hashes.every(Number.isSafeInteger)).toBe(true);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('language', () => {
  const of = (text: string, place: string) => isForeign(tongueOf(read(text).text, read(text).words), place);
  test.each([
    ['Спасибо за статью, очень интересно', 'en_US', true],
    ['Спасибо за статью, очень интересно', 'ru_RU', false],
    ['This is the way that we have it', 'en_US', false],
    ['写得很好，谢谢分享，请问这条路线', 'zh_CN', undefined],
    ['写得很好，谢谢分享，请问这条路线', 'fr_FR', true],
    ['ok', 'en_US', undefined],
    ['Qwertz asdfg yxcvb', 'en_US', undefined],
    ['This is the way that we have it', '', undefined],
  ])('%s at a place of %s: foreign %s', (text, place, foreign) => {
    expect(of(text, place)).toBe(foreign);
  });
});

test('no message makes it throw, and every score is a probability that its evidence adds up to', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const message = fc.record({
    kind: fc.constantFrom('comment', 'contact-form', ''),
    authorName: text,
    authorEmail: text,
    authorUrl: text,
    address: fc.oneof(fc.ipV4(), fc.ipV6(), text),
    userAgent: text,
    referrer: text,
    content: text,
    permalink: fc.oneof(fc.webUrl(), text),
    language: fc.constantFrom('en_US', 'de', '', '\u0000'),
    honeypot: fc.boolean(),
    secondsToFill: fc.double(),
  });
  const counts = { spam: 3, ham: 1, baseSpam: 2, baseHam: 0 };
  fc.assert(
    fc.property(message, (sent) => {
      const cut = messageOf(sent);
      const { all, written } = featuresOf(cut);
      const seen = new Map(all.map(({ hash }) => [hash, hash % 2 ? counts : { ...counts, ham: 9 }]));
      const judged = judge(
        weigh(all, seen, { spam: 9, ham: 9, baseSpam: 9, baseHam: 9 }),
        START,
        conductOf(cut, written),
      );
      expect(judged.score >= 0 && judged.score <= 1).toBe(true);
      const sum = judged.evidence.reduce((total, { weight }) => total + weight, 0);
      expect(judged.score).toBeCloseTo(1 / (1 + Math.exp(-sum)), 9);
    }),
    { numRuns: 300 },
  );
});
