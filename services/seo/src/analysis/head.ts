/** The head of a page, as HTML and as data. Whatever is in a text, it stays text. */
import { openLru } from '@sevenfold/chassis/lru';
import { escapeAttribute, escapeHtml } from '@sevenfold/text/html';
import { isLanguage, isoUtc } from './dates';
import type { Analysis, Head, Image, Robots, SeoSettings } from './shape';

type Meta = readonly [kind: 'name' | 'property', name: string, content: string];

export function renderHead(analysis: Analysis, settings: SeoSettings): Head {
  const { title, description, canonical, og, twitter, breadcrumb, jsonLd } = analysis;
  const robots = robotsText(analysis.robots);
  const metas: Meta[] = [
    ['name', 'description', description],
    ['name', 'robots', robots],
    ...ogMetas(analysis, settings),
    ...articleMetas(analysis),
    ...twitterMetas(analysis, settings),
  ];
  const html = [
    `<title>${escapeHtml(title)}</title>`,
    ...(canonical === '' ? [] : [`<link rel="canonical" href="${escapeAttribute(canonical)}" />`]),
    ...metas
      .filter(([, , content]) => content !== '')
      .map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escapeAttribute(content)}" />`),
    `<script type="application/ld+json">${scriptJson(jsonLd)}</script>`,
  ].join('\n');
  const { url, ogType, article } = analysis;
  return {
    html,
    json: {
      title,
      description,
      canonical,
      robots,
      url,
      type: ogType,
      ...(article ? { article } : {}),
      og,
      twitter,
      breadcrumb,
      schema: jsonLd,
    },
  };
}

/** https://ogp.me */
function ogMetas({ og, ogType, url, language }: Analysis, { site, facebookAppId }: SeoSettings): Meta[] {
  return [
    ['property', 'og:locale', localeOf(language)],
    ['property', 'og:type', ogType],
    ['property', 'og:title', og.title],
    ['property', 'og:description', og.description],
    ['property', 'og:url', url],
    ['property', 'og:site_name', site.title],
    ...(og.image ? imageMetas(og.image) : []),
    ['property', 'fb:app_id', facebookAppId],
  ];
}

function imageMetas({ url, width, height, alt, mimeType }: Image): Meta[] {
  const isKnown = width > 0 && height > 0;
  return [
    ['property', 'og:image', url],
    ['property', 'og:image:width', isKnown ? String(width) : ''],
    ['property', 'og:image:height', isKnown ? String(height) : ''],
    ['property', 'og:image:type', mimeType],
    ['property', 'og:image:alt', alt],
  ];
}

function articleMetas({ article }: Analysis): Meta[] {
  if (!article) return [];
  return [
    ['property', 'article:published_time', isoUtc(article.publishedUtc)],
    ['property', 'article:modified_time', isoUtc(article.modifiedUtc)],
    ['property', 'article:section', article.sections[0] ?? ''],
    ...article.tags.map((tag): Meta => ['property', 'article:tag', tag]),
    ['name', 'author', article.author],
  ];
}

function twitterMetas({ og, twitter }: Analysis, { twitterName }: SeoSettings): Meta[] {
  const name = twitterName.replace(/^@+/, '');
  // The card takes what it misses from open graph.
  const other = (own: string, shared: string): string => (own === shared ? '' : own);
  return [
    ['name', 'twitter:card', twitter.image ? 'summary_large_image' : 'summary'],
    ['name', 'twitter:site', name === '' ? '' : `@${name}`],
    ['name', 'twitter:title', other(twitter.title, og.title)],
    ['name', 'twitter:description', other(twitter.description, og.description)],
    ['name', 'twitter:image', other(twitter.image?.url ?? '', og.image?.url ?? '')],
  ];
}

function robotsText(robots: Robots): string {
  return [
    robots.noindex ? 'noindex' : 'index',
    robots.nofollow ? 'nofollow' : 'follow',
    ...(['noarchive', 'noimageindex', 'nosnippet'] as const).filter((name) => robots[name]),
    ...(robots.noindex ? [] : ['max-image-preview:large']),
  ].join(', ');
}

/** A site has few languages, and looking one up takes as long as the rest of a head. */
const locales = openLru<string, string>({ most: 100 });

function localeOf(tag: string): string {
  const known = locales.get(tag);
  if (known !== undefined) return known;
  const locale = likelyLocale(tag);
  locales.set(tag, locale);
  return locale;
}

/** `de_DE`: open graph wants a country, for `de` the one where most speak it. */
function likelyLocale(tag: string): string {
  if (!isLanguage(tag)) return '';
  const { language, region } = new Intl.Locale(tag).maximize();
  return region ? `${language}_${region}` : language;
}

/** Inside of a script element nothing but `<` could end it. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
