import fc from 'fast-check';
import { SITE, testItem, testSettings } from '../testing/items';
import { analyse } from './analyse';
import { renderHead } from './head';
import type { Analysis, Item, SeoSettings } from './shape';

const of = (item: Partial<Item> = {}, settings: Partial<SeoSettings> = {}): Analysis =>
  analyse(testItem(item), testSettings(settings));

const CRUMB = { name: 'Outdoors', url: `${SITE}/outdoors/` };

describe('robots', () => {
  it.each<[string, Partial<Item>, Partial<SeoSettings>, boolean]>([
    ['a post', {}, {}, false],
    ['of a subtype that is left out', {}, { noindexed: ['post'] }, true],
    ['of such a one, but wanted', { own: { noindex: false } }, { noindexed: ['post'] }, false],
    ['unwanted', { own: { noindex: true } }, {}, true],
    ['of a site that hides, though wanted', { own: { noindex: false } }, { isHidden: true }, true],
    ['a term without anything in it', { objectType: 'term', objectSubtype: 'category', count: 0 }, {}, true],
    ['a term with something in it', { objectType: 'term', objectSubtype: 'category', count: 1 }, {}, false],
  ])('%s', (_, item, settings, isNoindex) => {
    const { robots, canonical } = of(item, settings);
    expect(robots.noindex).toBe(isNoindex);
    expect(canonical).toBe(isNoindex ? '' : `${SITE}/2026/11/21/garden/`);
  });

  it('of a site that hides follow nothing', () => {
    expect(of({}, { isHidden: true }).robots).toMatchObject({ noindex: true, nofollow: true });
  });
});

it.each([
  ['https://other.example/x', 'https://other.example/x'],
  ['javascript:alert(1)', `${SITE}/2026/11/21/garden/`],
  ['no address', `${SITE}/2026/11/21/garden/`],
])('the canonical address may be chosen: %s', (canonical, expected) => {
  expect(of({ own: { canonical } }).canonical).toBe(expected);
});

describe('the breadcrumb', () => {
  const category = {
    id: 1,
    name: 'Plants',
    url: `${SITE}/category/plants/`,
    taxonomy: 'category',
    ancestors: [CRUMB],
  };
  const tag = { id: 2, name: 'spring', url: `${SITE}/tag/spring/`, taxonomy: 'post_tag', ancestors: [] };
  it.each<[string, Partial<Item>, string[]]>([
    ['of a post', { terms: [tag, category] }, ['Example', 'Outdoors', 'Plants', 'Garden']],
    ['of a post without a category', { terms: [tag] }, ['Example', 'Garden']],
    ['of a page', { objectSubtype: 'page', ancestors: [CRUMB] }, ['Example', 'Outdoors', 'Garden']],
    ['of the home page', { objectType: 'home', objectSubtype: 'home' }, ['Example']],
  ])('%s', (_, item, names) => {
    expect(of(item).breadcrumb.map(({ name }) => name)).toEqual(names);
  });
});

it('cards have the texts that were chosen for them, and the first picture of the text', () => {
  const { og, twitter, images } = of({
    own: { ogTitle: 'Look', ogDescription: 'Here.' },
    contentHtml: '<img src="/a.png" alt="A"><img src="/b.png"><img src="/a.png">',
  });
  expect(og).toEqual({
    title: 'Look',
    description: 'Here.',
    image: { url: `${SITE}/a.png`, alt: 'A', width: 0, height: 0, mimeType: '' },
  });
  expect(twitter).toEqual(og);
  expect(images).toEqual([`${SITE}/a.png`, `${SITE}/b.png`]);
});

it('titles of cards may name variables, and are as that of the page where nothing comes of it', () => {
  const cardOf = (ogTitle: string) => of({ own: { title: 'Mine', ogTitle } }).og.title;
  expect(['Look: %%title%%', '%%cost%%', ''].map(cardOf)).toEqual(['Look: Garden', 'Mine', 'Mine']);
});

it('of what has a password nothing but the title and the featured picture is told', () => {
  const image = { url: `${SITE}/f.png`, width: 1, height: 1, alt: '', mimeType: 'image/png' };
  const told = of({
    hasPassword: true,
    image,
    contentHtml: '<p>Secret <a href="/x/">x</a><img src="/a.png"></p>',
    excerptHtml: 'Secret',
  });
  expect(told).toMatchObject({
    title: 'Garden - Example',
    description: '',
    links: [],
    images: [image.url],
    wordCount: 2,
  });
  expect(JSON.stringify(renderHead(told, testSettings()))).not.toMatch(/Secret|a\.png/);
});

it('scores are missing where nothing is scored', () => {
  const { focusKeywordScore, readabilityScore } = of({ own: { focusKeyword: 'garden' } });
  expect([focusKeywordScore, readabilityScore]).toEqual([20 + 10, 100]);
  expect(of({ language: 'pl', own: { focusKeyword: 'ogród' } })).not.toHaveProperty('focusKeywordScore');
  expect(of({ language: 'pl' })).not.toHaveProperty('readabilityScore');
  expect(of()).not.toHaveProperty('focusKeywordScore');
});

it('never throws, and tells nothing that PostgreSQL refuses, whatever it is given', () => {
  const text = fc.string({ unit: 'binary' });
  const item = fc.record({
    objectSubtype: fc.constantFrom('post', 'event', 'user', 'constructor', '__proto__', ''),
    permalink: fc.oneof(text, fc.webUrl()),
    titleHtml: text,
    contentHtml: text,
    excerptHtml: text,
    language: text,
    publishedUtc: text,
    slug: text,
  });
  fc.assert(
    fc.property(item, text, (given, url) => {
      const settings = testSettings({ site: { title: '', tagline: '', url, language: '', timezone: url } });
      const analysis = analyse(testItem(given), settings);
      renderHead(analysis, settings);
      const { title, description, breadcrumbTitle } = analysis;
      expect(description.length).toBeLessThanOrEqual(156);
      expect(title.length).toBeLessThanOrEqual(200);
      if (!given.slug.includes('\0')) expect(title + description + breadcrumbTitle).not.toContain('\0');
    }),
  );
});
