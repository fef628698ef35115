import fc from 'fast-check';
import { SITE, testItem, testPlace, testSettings } from '../testing/items';
import { cutText, factsOf } from './facts';
import type { Item, SeoSettings } from './shape';
import { descriptionOf, fill, titleOf, VARIABLE_NAMES } from './templates';

const facts = (item: Partial<Item> = {}, settings: Partial<SeoSettings> = {}): ReturnType<typeof factsOf> =>
  factsOf(testItem(item), testSettings(settings));

const EVENT = {
  startUtc: '2026-12-01T18:00:00Z',
  endUtc: '2026-12-01T23:30:00Z',
  timezone: 'Europe/Brussels',
  allDay: false,
  cost: '5',
  currency: 'EUR',
  website: '',
  places: [testPlace()],
  organizers: [],
};

describe('titles', () => {
  it.each<[string, Partial<Item>, string]>([
    ['a post', {}, 'Garden - Example'],
    ['a page', { objectSubtype: 'page' }, 'Garden - Example'],
    ['a file', { objectSubtype: 'attachment' }, 'Garden - Example'],
    [
      'an event',
      { objectSubtype: 'event', event: EVENT },
      'Garden - December 1, 2026 – December 2, 2026 - Example',
    ],
    [
      'a German event',
      { objectSubtype: 'event', language: 'de', event: { ...EVENT, endUtc: '' } },
      'Garden - 1. Dezember 2026 - Example',
    ],
    ['a venue', { objectSubtype: 'venue' }, 'Garden - Example'],
    ['an organizer', { objectSubtype: 'organizer' }, 'Garden - Example'],
    ['a term', { objectType: 'term', objectSubtype: 'any_taxonomy' }, 'Garden - Example'],
    [
      'a later page of a term',
      { objectType: 'term', objectSubtype: 'category', page: 2 },
      'Garden Page 2 - Example',
    ],
    ['an author', { objectType: 'user', objectSubtype: 'user' }, 'Garden - Example'],
    [
      'the home page',
      { objectType: 'home', objectSubtype: 'home', titleHtml: '' },
      'Example - A site of examples',
    ],
    ['what has no title', { titleHtml: ' <b></b>' }, 'garden - Example'],
    ['what has nothing', { titleHtml: '', slug: '' }, '#7 - Example'],
    ['what is called as the site is', { titleHtml: 'Example' }, 'Example'],
    ['a title with another variable in it', { titleHtml: '%%sitename%%' }, '%%sitename%% - Example'],
    ['a choice of its own', { own: { title: 'Mine' } }, 'Mine'],
    ['a choice with variables', { own: { title: '%%title%% %%sep%% by %%slug%%' } }, 'Garden - by garden'],
    ['a choice of variables that come out empty', { own: { title: '%%cost%%' } }, 'Garden - Example'],
    ['a later page of a choice', { own: { title: '%%title%%' }, page: 2 }, 'Garden Page 2'],
    [
      'a later page of a choice that names it',
      { own: { title: '%%page%%: %%title%%' }, page: 2 },
      'Page 2: Garden',
    ],
    [
      'a choice for what has a password',
      { own: { title: 'Mine %%excerpt%%' }, hasPassword: true, excerptHtml: 'Secret.' },
      'Mine',
    ],
  ])('%s', (_, item, title) => {
    expect(titleOf(facts(item))).toBe(title);
  });

  it('follow the template of the settings, with their separator', () => {
    const settings = {
      separator: '|',
      titleTemplates: { post: '%%sitename%% %%sep%% %%nothing%% %%sep%% “%%title%%”' },
    };
    expect(titleOf(facts({}, settings))).toBe('Example | “Garden”');
    expect(titleOf(facts({}, { titleTemplates: { post: '%%nothing%%' } }))).toBe('Garden');
  });
});

describe('variables', () => {
  it.each([
    ['%%category%% %%primary_category%% %%tag%%', 'Plants, Tools Plants spring'],
    ['%%name%% %%id%% %%slug%%', 'Ann 7 garden'],
    ['%%date%% / %%modified%%', 'November 21, 2026 / November 22, 2026'],
    ['%%parent_title%%', 'Outdoors'],
    ['%%excerpt%% %%excerpt_only%%', 'We dig.'],
    ['%%caption%% %%focuskw%%', 'Beds spade'],
    ['%%venue%%, %%address%%, %%city%%', 'Town hall, 1 Market Square, Ghent'],
    ['100%% %%', '100%% %%'],
    ['%%constructor%%%%__proto__%%', ''],
  ])('%s', (template, text) => {
    const of = facts({
      author: { id: 1, name: 'Ann', url: '', website: '' },
      ancestors: [{ name: 'Outdoors', url: '' }],
      image: { url: '', width: 0, height: 0, alt: 'Beds', mimeType: '' },
      place: testPlace(),
      own: { focusKeyword: 'spade' },
      terms: ['Plants', 'spring', 'Tools'].map((name, id) => ({
        id,
        name,
        taxonomy: name === 'spring' ? 'post_tag' : 'category',
        url: '',
        ancestors: [],
      })),
    });
    expect(fill(template, of)).toBe(text);
  });

  it('are all empty or text, whatever the item lacks', () => {
    const of = facts({ titleHtml: '', publishedUtc: 'never', language: '-', page: Number.NaN });
    for (const name of VARIABLE_NAMES) expect(typeof fill(`%%${name}%%`, of)).toBe('string');
  });
});

describe('descriptions', () => {
  const LONG = `${'word '.repeat(40)}end`;

  it.each<[string, Partial<Item>, string]>([
    ['the excerpt', { excerptHtml: '<p>Short &amp; good.</p>' }, 'Short & good.'],
    [
      'how the text begins, without headings',
      { contentHtml: '<h2>No</h2><p>One.</p><p>Two.</p>' },
      'One. Two.',
    ],
    [
      'of an event without a text, when and where',
      { objectSubtype: 'event', contentHtml: '', event: EVENT },
      'December 1, 2026 – December 2, 2026 - Town hall - Ghent',
    ],
    [
      'of a venue without a text, where',
      { objectSubtype: 'venue', contentHtml: '', place: testPlace() },
      '1 Market Square - Ghent',
    ],
    [
      'of the home page, what the site says of itself',
      { objectType: 'home', objectSubtype: 'home' },
      'A site of examples',
    ],
    ['nothing behind a password', { hasPassword: true, excerptHtml: 'Secret.' }, ''],
    ['what was chosen', { own: { description: 'Mine.' } }, 'Mine.'],
    ['nothing, where that was chosen', { own: { description: '' } }, ''],
    ['the beginning of what is long', { contentHtml: LONG }, `${'word '.repeat(31).trim()}…`],
  ])('%s', (_, item, description) => {
    expect(descriptionOf(facts(item))).toBe(description);
  });
});

it('what is cut is never longer than it may be, and never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, most) => {
      const cut = cutText(text, most);
      expect(cut.length).toBeLessThanOrEqual(most);
      expect(cut.isWellFormed?.() ?? true).toBe(true);
      if (text.length <= most) expect(cut).toBe(text);
    }),
  );
  expect(cutText('one two three', 9)).toBe('one two…');
  expect(cutText('onetwothree', 9)).toBe('onetwoth…');
  expect(cutText('one, two', 6)).toBe('one…');
});

it('addresses of the site are not needed', () => {
  expect(
    titleOf(facts({ permalink: `${SITE}/` }, { site: { ...testSettings().site, url: 'nowhere' } })),
  ).toBe('Garden - Example');
});
