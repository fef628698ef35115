import { SITE, testItem, testOrganizer, testPlace, testSettings } from '../testing/items';
import { faultsOf } from '../testing/vocabulary';
import { analyse } from './analyse';
import type { EventFacts, Image, Item, SeoSettings } from './shape';

type Node = Record<string, unknown>;

const IMAGE: Image = {
  url: `${SITE}/a.jpg`,
  width: 1200,
  height: 800,
  alt: 'A garden',
  mimeType: 'image/jpeg',
};
const AUTHOR = { id: 3, name: 'Ann', url: `${SITE}/author/ann/`, website: 'https://ann.example/' };
const PARTS = {
  image: IMAGE,
  author: AUTHOR,
  contentHtml: '<p>We dig <a href="/x/">a garden</a>.</p><img src="/b.png" alt="Spade">',
  terms: [
    { id: 1, taxonomy: 'category', name: 'Plants', url: `${SITE}/category/plants/`, ancestors: [] },
    { id: 2, taxonomy: 'post_tag', name: 'spring', url: `${SITE}/tag/spring/`, ancestors: [] },
  ],
};

const event = (given: Partial<EventFacts> = {}): EventFacts => ({
  startUtc: '2026-12-01T18:00:00Z',
  endUtc: '2026-12-01T20:00:00Z',
  timezone: 'Europe/Brussels',
  allDay: false,
  cost: '12,50',
  currency: 'EUR',
  website: 'https://opening.example/',
  places: [testPlace()],
  organizers: [testOrganizer()],
  ...given,
});

const graphOf = (item: Partial<Item>, settings: Partial<SeoSettings> = {}): Node[] =>
  analyse(testItem(item), testSettings(settings)).jsonLd['@graph'] as Node[];

const nodeOf = (graph: readonly Node[], type: string): Node | undefined =>
  graph.find((node) => node['@type'] === type);

const KINDS: Readonly<Record<string, Partial<Item>>> = {
  'a post': PARTS,
  'a post without anything': { titleHtml: '', contentHtml: '', slug: '', publishedUtc: '', modifiedUtc: '' },
  'a post behind a password': { ...PARTS, hasPassword: true },
  'a post of somebody without a page': { ...PARTS, author: { ...AUTHOR, url: '' } },
  'a page': { ...PARTS, objectSubtype: 'page', ancestors: [{ name: 'About', url: `${SITE}/about/` }] },
  'a picture': { ...PARTS, objectSubtype: 'attachment', file: { url: IMAGE.url, mimeType: 'image/jpeg' } },
  'a film': { objectSubtype: 'attachment', file: { url: `${SITE}/a.mp4`, mimeType: 'video/mp4' } },
  'a sound': { objectSubtype: 'attachment', file: { url: `${SITE}/a.mp3`, mimeType: 'audio/mpeg' } },
  'a document': { objectSubtype: 'attachment', file: { url: `${SITE}/a.pdf`, mimeType: 'application/pdf' } },
  'an event': { ...PARTS, objectSubtype: 'event', event: event() },
  'a free event of a whole day': { objectSubtype: 'event', event: event({ allDay: true, cost: '0' }) },
  'an event with a range of prices': { objectSubtype: 'event', event: event({ cost: 'from 15 to 5' }) },
  'an event of places without addresses': {
    objectSubtype: 'event',
    event: event({
      places: [testPlace({ url: '' })],
      organizers: [testOrganizer({ url: '', website: 'javascript:alert(1)' })],
      website: 'no address',
      cost: 'ask',
    }),
  },
  'an event of nonsense': {
    objectSubtype: 'event',
    event: event({ startUtc: 'soon', timezone: 'Mars/Olympus', places: [], organizers: [], currency: '' }),
  },
  'a venue': { ...PARTS, objectSubtype: 'venue', place: testPlace() },
  'a venue without anything': {
    objectSubtype: 'venue',
    place: {
      ...testPlace(),
      address: '',
      city: '',
      zip: '',
      country: '',
      phone: '',
      website: '',
      latitude: undefined,
    },
  },
  'an organizer': { ...PARTS, objectSubtype: 'organizer', organization: testOrganizer() },
  'a term': { objectType: 'term', objectSubtype: 'category', count: 3, excerptHtml: 'Of plants.' },
  'an author': {
    objectType: 'user',
    objectSubtype: 'user',
    permalink: AUTHOR.url,
    author: AUTHOR,
    titleHtml: 'Ann',
  },
  'the home page': { objectType: 'home', objectSubtype: 'home', id: 0, permalink: `${SITE}/`, titleHtml: '' },
};

describe('the graph is valid by the vocabulary of schema.org', () => {
  it.each(Object.entries(KINDS))('of %s', (_, item) => {
    expect(faultsOf(analyse(testItem(item), testSettings()).jsonLd)).toEqual([]);
  });

  it.each(Object.entries(KINDS))('of %s, of a person who publishes news', (_, item) => {
    const settings = testSettings({
      publisher: { kind: 'person', name: 'Ann', logo: IMAGE },
      profiles: ['https://social.example/ann', 'not an address'],
      newsSitemap: true,
    });
    expect(faultsOf(analyse(testItem(item), settings).jsonLd)).toEqual([]);
  });

  it('and the check finds what is not', () => {
    const graph = (node: Node): string[] => faultsOf({ '@context': 'https://schema.org', '@graph': [node] });
    expect(graph({ '@type': 'Event', name: 'x', wordCount: 1 })).toEqual([
      'Event[0].wordCount: no property of Event',
    ]);
    expect(graph({ '@type': 'Gathering' })).toEqual(['Gathering[0]: unknown type']);
    expect(graph({ '@type': 'Event', startDate: 'soon' })).toHaveLength(1);
    expect(graph({ '@type': 'Event', eventStatus: 'https://schema.org/EventForgotten' })).toHaveLength(1);
    expect(graph({ '@type': 'Event', location: { '@type': 'Person', name: 'x' } })).toHaveLength(1);
    expect(graph({ '@type': 'Event', organizer: { '@id': 'https://elsewhere.example/#me' } })).toHaveLength(
      1,
    );
    expect(graph({ '@type': 'ImageObject', width: 800 })).toHaveLength(1);
  });
});

describe('nodes', () => {
  it('of a post are linked by stable names', () => {
    const graph = graphOf(PARTS);
    const url = `${SITE}/2026/11/21/garden/`;
    expect(graph.map((node) => [node['@type'], node['@id']])).toEqual([
      ['WebPage', url],
      ['Article', `${url}#article`],
      ['ImageObject', `${url}#primaryimage`],
      ['Person', `${AUTHOR.url}#person`],
      ['BreadcrumbList', `${url}#breadcrumb`],
      ['WebSite', `${SITE}/#website`],
      ['Organization', `${SITE}/#publisher`],
    ]);
    expect(nodeOf(graph, 'Article')).toEqual({
      '@type': 'Article',
      '@id': `${url}#article`,
      headline: 'Garden',
      description: 'We dig a garden.',
      inLanguage: 'en-US',
      datePublished: '2026-11-21T10:00:00Z',
      dateModified: '2026-11-22T11:30:00Z',
      author: { '@id': `${AUTHOR.url}#person` },
      publisher: { '@id': `${SITE}/#publisher` },
      mainEntityOfPage: { '@id': url },
      image: { '@id': `${url}#primaryimage` },
      articleSection: ['Plants'],
      keywords: ['spring'],
      wordCount: 4,
    });
  });

  it('of an author are the same on their own page and on their posts', () => {
    const [own, mentioned] = [graphOf(KINDS['an author']!), graphOf(PARTS)].map((graph) =>
      nodeOf(graph, 'Person'),
    );
    expect(own).toEqual({ ...mentioned, description: 'We dig.' });
  });

  it('of an author without a page stand where they are named, and nowhere else', () => {
    const author = { ...AUTHOR, url: '' };
    const graph = graphOf({ ...PARTS, author });
    expect(nodeOf(graph, 'Person')).toBeUndefined();
    expect(nodeOf(graph, 'Article')?.['author']).toEqual({
      '@type': 'Person',
      name: 'Ann',
      sameAs: [AUTHOR.website],
    });
  });

  it('of an event tell clocks of its own time zone, and days of what takes whole days', () => {
    const dates = (given: Partial<EventFacts>): unknown[] => {
      const node = nodeOf(graphOf({ objectSubtype: 'event', event: event(given) }), 'Event');
      return [node?.['startDate'], node?.['endDate']];
    };
    expect(dates({})).toEqual(['2026-12-01T19:00:00+01:00', '2026-12-01T21:00:00+01:00']);
    expect(dates({ timezone: 'Asia/Kolkata' })).toEqual([
      '2026-12-01T23:30:00+05:30',
      '2026-12-02T01:30:00+05:30',
    ]);
    expect(dates({ timezone: 'America/New_York', allDay: true })).toEqual(['2026-12-01', '2026-12-01']);
  });

  it.each<[cost: string, currency: string, offers: unknown, isFree: unknown]>([
    ['12,50', 'EUR', { '@type': 'Offer', price: 12.5, priceCurrency: 'EUR' }, undefined],
    ['$12.50', 'USD', { '@type': 'Offer', price: 12.5, priceCurrency: 'USD' }, undefined],
    [
      '20 - 5',
      'EUR',
      { '@type': 'AggregateOffer', lowPrice: 5, highPrice: 20, priceCurrency: 'EUR' },
      undefined,
    ],
    ['0', 'EUR', { '@type': 'Offer', price: 0, priceCurrency: 'EUR' }, true],
    ['10 000', 'CZK', { '@type': 'Offer', price: 10_000, priceCurrency: 'CZK' }, undefined],
    ["1'500", 'CHF', { '@type': 'Offer', price: 1500, priceCurrency: 'CHF' }, undefined],
    ['0', '', undefined, true],
    ['1.250,00', 'EUR', undefined, undefined],
    ['5, 10, 15', 'EUR', undefined, undefined],
    ['ask us', 'EUR', undefined, undefined],
    ['12', '', undefined, undefined],
  ])('of an event that costs «%s» (%s)', (cost, currency, offers, isFree) => {
    const graph = graphOf({ objectSubtype: 'event', event: event({ cost, currency }) });
    const node = nodeOf(graph, 'Event');
    const url = `${SITE}/2026/11/21/garden/`;
    expect(node?.['offers']).toEqual(offers === undefined ? undefined : { ...(offers as Node), url });
    expect(node?.['isAccessibleForFree']).toBe(isFree);
  });

  it('of a venue are the same on its page and in its events, but for its text', () => {
    const url = testPlace().url;
    const own = nodeOf(
      graphOf({ objectSubtype: 'venue', titleHtml: 'Town hall', permalink: url, place: testPlace() }),
      'Place',
    );
    const mentioned = nodeOf(graphOf({ objectSubtype: 'event', event: event() }), 'Place');
    expect(own).toEqual({ ...mentioned, description: 'We dig.' });
  });

  it('tell nothing of a text behind a password', () => {
    const told = JSON.stringify(graphOf({ ...PARTS, hasPassword: true, excerptHtml: 'Secret we dig.' }));
    expect(told).not.toMatch(/dig|wordCount|b\.png/);
  });
});
