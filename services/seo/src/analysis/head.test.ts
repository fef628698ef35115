import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { SITE, testItem, testOrganizer, testPlace, testSettings } from '../testing/items';
import { analyse } from './analyse';
import { renderHead } from './head';
import type { Item, SeoSettings } from './shape';
import { specialHead } from './special';

type Element = DefaultTreeAdapterTypes.Element;

interface Read {
  readonly title: string;
  readonly metas: Readonly<Record<string, string>>;
  readonly canonical: string | undefined;
  readonly jsonLd: unknown;
  /** Names of the elements of the head, in order; of the body, those that slipped into it. */
  readonly head: readonly string[];
  readonly body: readonly string[];
}

const elements = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): Element[] =>
  nodes.filter((node): node is Element => 'tagName' in node);

const textIn = ({ childNodes }: Element): string =>
  childNodes.map((node) => ('value' in node ? node.value : '')).join('');

const attribute = ({ attrs }: Element, name: string): string =>
  attrs.find((one) => one.name === name)?.value ?? '';

/** As a browser reads it. */
function read(html: string): Read {
  const page = elements(
    parse(`<!doctype html><html><head>${html}</head><body></body></html>`).childNodes,
  )[0]!;
  const [head, body] = elements(page.childNodes).map(({ childNodes }) => elements(childNodes));
  const named = (name: string): Element[] => head!.filter(({ tagName }) => tagName === name);
  return {
    title: textIn(named('title')[0]!),
    metas: Object.fromEntries(
      named('meta').map((meta) => [
        attribute(meta, 'name') || attribute(meta, 'property'),
        attribute(meta, 'content'),
      ]),
    ),
    canonical: named('link')[0] && attribute(named('link')[0]!, 'href'),
    jsonLd: JSON.parse(textIn(named('script')[0]!)),
    head: head!.map(({ tagName }) => tagName),
    body: body!.map(({ tagName }) => tagName),
  };
}

const headOf = (item: Partial<Item>, settings: Partial<SeoSettings> = {}): string => {
  const made = testSettings(settings);
  return renderHead(analyse(testItem(item), made), made).html;
};

it('of a post tells everything that there is to tell', () => {
  const told = read(
    headOf(
      {
        titleHtml: 'Garden &amp; <em>more</em>',
        language: 'de',
        author: { id: 3, name: 'Ann', url: `${SITE}/author/ann/`, website: '' },
        image: { url: `${SITE}/a.jpg`, width: 1200, height: 800, alt: 'Beds', mimeType: 'image/jpeg' },
        terms: [
          { id: 1, taxonomy: 'category', name: 'Plants', url: `${SITE}/category/plants/`, ancestors: [] },
          { id: 2, taxonomy: 'post_tag', name: 'spring', url: `${SITE}/tag/spring/`, ancestors: [] },
        ],
      },
      { twitterName: '@example', facebookAppId: '77' },
    ),
  );
  expect(told).toMatchObject({
    title: 'Garden & more - Example',
    canonical: `${SITE}/2026/11/21/garden/`,
    body: [],
    metas: {
      description: 'We dig.',
      robots: 'index, follow, max-image-preview:large',
      'og:locale': 'de_DE',
      'og:type': 'article',
      'og:title': 'Garden & more - Example',
      'og:description': 'We dig.',
      'og:url': `${SITE}/2026/11/21/garden/`,
      'og:site_name': 'Example',
      'og:image': `${SITE}/a.jpg`,
      'og:image:width': '1200',
      'og:image:height': '800',
      'og:image:type': 'image/jpeg',
      'og:image:alt': 'Beds',
      'fb:app_id': '77',
      'article:published_time': '2026-11-21T10:00:00Z',
      'article:modified_time': '2026-11-22T11:30:00Z',
      'article:section': 'Plants',
      'article:tag': 'spring',
      author: 'Ann',
      'twitter:card': 'summary_large_image',
      'twitter:site': '@example',
    },
  });
});

it('without a picture and with everything forbidden', () => {
  const own = { noindex: true, nofollow: true, noarchive: true, noimageindex: true, nosnippet: true };
  const told = read(headOf({ objectSubtype: 'page', own }));
  expect(told.canonical).toBeUndefined();
  expect(told.metas).toMatchObject({
    robots: 'noindex, nofollow, noarchive, noimageindex, nosnippet',
    'twitter:card': 'summary',
    'og:type': 'website',
  });
  expect(Object.keys(told.metas).filter((name) => /article|image|author/.test(name))).toEqual([]);
});

it('the same as data', () => {
  const settings = testSettings();
  const analysis = analyse(testItem(), settings);
  expect(renderHead(analysis, settings).json).toEqual({
    title: 'Garden - Example',
    description: 'We dig.',
    canonical: analysis.canonical,
    robots: 'index, follow, max-image-preview:large',
    url: analysis.url,
    type: 'article',
    article: analysis.article,
    og: analysis.og,
    twitter: analysis.twitter,
    breadcrumb: analysis.breadcrumb,
    schema: analysis.jsonLd,
  });
});

it.each([
  ['en-US', 'en_US'],
  ['nl', 'nl_NL'],
  ['pt-br', 'pt_BR'],
  ['zh-Hans-CN', 'zh_CN'],
  ['no language at all', undefined],
])('%s is the locale %s', (language, locale) => {
  expect(read(headOf({ language })).metas['og:locale']).toBe(locale);
});

it.each([
  [{ kind: 'search', phrase: 'a < b' }, 'en', 'a < b - Search results - Example'],
  [{ kind: 'search', phrase: 'Beete', page: 3 }, 'de', 'Beete - Suchergebnisse Seite 3 - Example'],
  [{ kind: 'search' }, 'nl', 'Example - Zoekresultaten'],
  [{ kind: '404' }, 'fr', 'Page introuvable - Example'],
] as const)('of a page that stands for no object: %j in %s', (page, language, title) => {
  const settings = testSettings({ site: { ...testSettings().site, language } });
  const told = read(specialHead(page, settings).html);
  expect(told.title).toBe(title);
  expect(told.metas['robots']).toBe('noindex, follow');
});

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      ...[
        '</script>',
        '<!--',
        '<script>',
        ']]>',
        '</title>',
        '"',
        "'",
        '<',
        '>',
        '&',
        '&lt;',
        '&#x3c;',
        '&#0;',
        '%%title%%',
      ],
      ...[
        '<p>',
        '</p>',
        '<a href="javascript:x">',
        '<img src=x onerror=y>',
        '\u2028',
        '\ud800',
        '\0',
        ' ',
        'a',
        '--',
        '/',
        '=',
      ],
    ),
  }),
);

it('whatever is in a text stays text', () => {
  const property = fc.property(fc.array(HOSTILE, { minLength: 14, maxLength: 14 }), (texts) => {
    const [
      title,
      body,
      excerpt,
      name,
      own,
      description,
      tag,
      phrase,
      place,
      cost,
      keyword,
      address,
      alt,
      separator,
    ] = texts as [string, ...string[]];
    const item = testItem({
      titleHtml: title,
      contentHtml: body!,
      excerptHtml: excerpt!,
      objectSubtype: 'event',
      author: { id: 1, name: name!, url: address!, website: address! },
      own: { title: own!, ogDescription: description!, focusKeyword: keyword!, canonical: address! },
      terms: [{ id: 1, taxonomy: 'post_tag', name: tag!, url: address!, ancestors: [] }],
      image: { url: address!, width: 1, height: 1, alt: alt!, mimeType: alt! },
      event: {
        startUtc: address!,
        endUtc: '',
        timezone: name!,
        allDay: false,
        cost: cost!,
        currency: 'EUR',
        website: address!,
        places: [testPlace({ name: place! })],
        organizers: [testOrganizer({ email: name! })],
      },
    });
    const settings = testSettings({ twitterName: phrase!, facebookAppId: phrase!, separator: separator! });
    const analysis = analyse(item, settings);
    const { html } = renderHead(analysis, settings);
    const told = read(html);
    // One script, one title, no element that is not of a head, and nothing that ended it.
    expect(told.body).toEqual([]);
    expect(told.head.filter((element) => element === 'script' || element === 'title')).toEqual([
      'title',
      'script',
    ]);
    expect(told.head.filter((element) => !['title', 'meta', 'link', 'script'].includes(element))).toEqual([]);
    expect(told.jsonLd).toEqual(JSON.parse(JSON.stringify(analysis.jsonLd)));
    expect(told.title).toBe(asRead(analysis.title));
    for (const [meta, value] of [
      ['description', analysis.description],
      ['og:title', analysis.og.title],
      ['og:description', analysis.og.description],
      ['og:image:alt', analysis.og.image?.alt ?? ''],
    ] as const) {
      expect(told.metas[meta] ?? '').toBe(asRead(value));
    }
  });
  fc.assert(property, { numRuns: 300 });
});

/** Parsers of HTML make `\n` of other line ends, and drop or replace NUL. */
const asRead = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
