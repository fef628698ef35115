/** The head of a page, as HTML and as data. Whatever is in a text, it stays text. */
import { escapeAttribute, escapeHtml } from '@sevenfold/text/html';
import type { Analysis, Head, Robots, SeoSettings } from './shape';

export function renderHead(analysis: Analysis, settings: SeoSettings): Head {
  const robots = robotsOf(analysis.robots);
  const tags: [string, string, string][] = [
    ['name', 'description', analysis.description],
    ['name', 'robots', robots],
    ['property', 'og:type', analysis.ogType],
    ['property', 'og:title', analysis.og.title],
    ['property', 'og:description', analysis.og.description],
    ['property', 'og:image', analysis.og.image?.url ?? ''],
    ['property', 'og:site_name', settings.site.title],
    ['name', 'twitter:card', 'summary_large_image'],
  ];
  const html = [
    `<title>${escapeHtml(analysis.title)}</title>`,
    ...tags
      .filter(([, , content]) => content !== '')
      .map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escapeAttribute(content)}" />`),
    ...(analysis.canonical === ''
      ? []
      : [`<link rel="canonical" href="${escapeAttribute(analysis.canonical)}" />`]),
    `<script type="application/ld+json">${scriptJson(analysis.jsonLd)}</script>`,
  ].join('\n');
  const { title, description, canonical, og, twitter, breadcrumb, jsonLd } = analysis;
  return { html, json: { title, description, canonical, robots, og, twitter, breadcrumb, schema: jsonLd } };
}

const robotsOf = (robots: Robots): string =>
  [
    robots.noindex ? 'noindex' : 'index',
    robots.nofollow ? 'nofollow' : 'follow',
    ...(['noarchive', 'noimageindex', 'nosnippet'] as const).filter((name) => robots[name]),
  ].join(', ');

/** Inside of a script element nothing but `<` could end it. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
