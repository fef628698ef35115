/**
 * The page that other sites show in a frame: a picture, the title with the way to the item, its first words and whose it
 * is. It runs in a sandbox and without anything from elsewhere; its one script and its one style sheet are named by their
 * hashes, so that nothing that anybody wrote into a title can do a thing.
 */
import { hashSource } from '@sevenfold/chassis/http/hash-source';
import { languageAttributes } from '@sevenfold/text/direction';
import { decodeEntities, escapeAttribute, escapeHtml } from '@sevenfold/text/html';
import type { Item } from '../site/find';
import type { Site } from '../site/site';
import { PAGE_SCRIPT } from './scripts';

const STYLE = [
  ':root{color-scheme:light dark;--ink:#1b1f24;--soft:#4a5360;--paper:#fff;--line:#d0d7de;--link:#0a4f9e}',
  '@media(prefers-color-scheme:dark){:root{--ink:#f0f3f6;--soft:#b3bdc9;--paper:#14181d;--line:#3d4651;--link:#8cc2ff}}',
  '*{box-sizing:border-box}',
  'body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}',
  '#embed{border:1px solid var(--line);padding:1.25rem;overflow-wrap:anywhere}',
  'img{display:block;width:100%;height:auto;max-height:19rem;object-fit:cover;margin:0 0 1rem}',
  'h1{font-size:1.25rem;line-height:1.3;margin:0 0 .75rem}',
  'p{margin:0 0 .75rem}',
  'footer{border-top:1px solid var(--line);padding-top:.75rem;color:var(--soft);font-size:.9rem}',
  'a{color:var(--link)}',
  'a:focus-visible{outline:3px solid var(--link);outline-offset:2px}',
].join('');

const OWN = `script-src ${hashSource(PAGE_SCRIPT)}; style-src ${hashSource(STYLE)}`;

export interface Page {
  readonly html: string;
  readonly policy: string;
}

export function embedPage(item: Item, site: Site, siteUrl: string): Page {
  // An item without a title is called by its address, so that there is something to follow.
  const title = decodeEntities(item.title).trim() || item.link;
  const by = item.authorName === '' ? '' : `${escapeHtml(decodeEntities(item.authorName))} · `;
  const html = [
    `<!doctype html><html ${languageAttributes(site.language)}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)} – ${escapeHtml(site.name)}</title>`,
    `<link rel="canonical" href="${escapeAttribute(item.link)}"><style>${STYLE}</style></head>`,
    `<body><main id="embed">${pictureOf(item)}<h1>${link(item.link, title)}</h1>`,
    item.excerpt === '' ? '' : `<p>${escapeHtml(item.excerpt)}</p>`,
    `<footer>${by}${link(`${siteUrl}/`, site.name)}</footer></main>`,
    `<script>${PAGE_SCRIPT}</script></body></html>`,
  ].join('');
  return { html, policy: policyFor(item) };
}

/** Out of the frame: whoever follows a link leaves for the site. */
const link = (href: string, text: string): string =>
  `<a href="${escapeAttribute(href)}" target="_top">${escapeHtml(text)}</a>`;

const pictureOf = ({ picture }: Item): string =>
  picture
    ? `<img src="${escapeAttribute(picture.url)}" alt="${escapeAttribute(picture.altText)}" width="${picture.width}" height="${picture.height}">`
    : '';

const policyFor = ({ picture }: Item): string =>
  [
    "default-src 'none'",
    OWN,
    `img-src ${picture ? new URL(picture.url).origin : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ');
