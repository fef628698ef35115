/**
 * The page around everything that the gateway shows to people: readable, without scripts, dark or light as the reader
 * likes it. Nothing but its own style sheet, pictures and frames can be loaded, whatever somebody wrote into a text.
 */
import { hashSource } from '@sevenfold/chassis/http/hash-source';
import { languageAttributes } from '@sevenfold/text/direction';
import { escapeAttribute, escapeHtml } from '@sevenfold/text/html';

const STYLE = [
  ':root{color-scheme:light dark;--ink:#1b1f24;--soft:#4a5360;--paper:#fff;--line:#d0d7de;--link:#0a4f9e}',
  '@media(prefers-color-scheme:dark){:root{--ink:#f0f3f6;--soft:#b3bdc9;--paper:#14181d;--line:#3d4651;--link:#8cc2ff}}',
  '*{box-sizing:border-box}',
  'body{margin:0 auto;padding:1rem;max-width:44rem;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}',
  'h1,h2{line-height:1.25}',
  'a{color:var(--link)}',
  'a:focus-visible,main:focus-visible{outline:3px solid var(--link);outline-offset:2px}',
  '.skip{position:absolute;inset-inline-start:-100rem}.skip:focus{position:static}',
  'header,footer{color:var(--soft)}header{border-bottom:1px solid var(--line)}footer{border-top:1px solid var(--line);margin-top:2rem}',
  'header p{margin:.25rem 0}.meta{color:var(--soft)}',
  'img,video,iframe,object,embed,hr,table,pre{max-width:100%}img,video{height:auto}pre,table{overflow-x:auto}',
  // What is laid out as a table scrolls nowhere. Words stay whole in it: columns would become one letter wide otherwise.
  'table{display:block;overflow-wrap:normal}',
  'figure{margin:1rem 0}figcaption{color:var(--soft)}',
  'dt{font-weight:600}dd{margin:0 0 .5rem}',
  'nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}',
].join('');
const STYLE_HASH = hashSource(STYLE);

/** Pictures of a text may be anywhere; players of other sites stand in frames, as do items of this one, by https or not. */
export const policyFor = (siteUrl: string, framedBy = "'self'"): string => {
  const { origin } = new URL(siteUrl);
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    `img-src 'self' ${origin} https: data:`,
    `media-src 'self' ${origin} https:`,
    `frame-src 'self' ${origin} https:`,
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join('; ');
};

export interface Document {
  readonly language: string;
  readonly siteName: string;
  readonly siteDescription: string;
  readonly homeUrl: string;
  /** HTML */
  readonly head: string;
  /** HTML of what the page is about, beginning with its h1. */
  readonly main: string;
}

export const documentHtml = (page: Document): string =>
  [
    `<!doctype html>\n<html ${languageAttributes(page.language)}>\n<head>\n<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1">`,
    page.head,
    `<style>${STYLE}</style>\n</head>\n<body>`,
    `<a class="skip" href="#content">Skip to the content</a>`,
    `<header><p><a href="${escapeAttribute(page.homeUrl)}">${escapeHtml(page.siteName)}</a></p>${
      page.siteDescription === '' ? '' : `<p>${escapeHtml(page.siteDescription)}</p>`
    }</header>`,
    `<main id="content" tabindex="-1">\n${page.main}\n</main>`,
    `<footer><p><a href="${escapeAttribute(page.homeUrl)}">${escapeHtml(page.siteName)}</a></p></footer>`,
    `</body>\n</html>\n`,
  ].join('\n');

/** A link, or its text alone where there is nowhere to go. */
export const linkHtml = (href: string, text: string): string =>
  /^https?:\/\//i.test(href)
    ? `<a href="${escapeAttribute(href)}">${escapeHtml(text)}</a>`
    : escapeHtml(text);
