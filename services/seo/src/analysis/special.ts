/** Heads of pages that stand for no object: results of a search, and what is not there. Nobody indexes them. */
import { escapeHtml } from '@sevenfold/text/html';
import { analyse } from './analyse';
import { renderHead } from './head';
import { laterPage } from './lists';
import type { Head, Item, SeoSettings } from './shape';

export interface SpecialPage {
  readonly kind: 'search' | '404';
  /** What was searched for. */
  readonly phrase?: string;
  readonly page?: number;
}

export function specialHead({ kind, phrase = '', page = 1 }: SpecialPage, settings: SeoSettings): Head {
  const item: Item = {
    objectType: 'home',
    objectSubtype: kind,
    id: 0,
    status: '',
    isPublic: true,
    hasPassword: false,
    permalink: addressOf({ kind, phrase, page }, settings.site.url),
    slug: '',
    titleHtml: escapeHtml(phrase),
    contentHtml: '',
    excerptHtml: '',
    language: settings.site.language,
    publishedUtc: '',
    modifiedUtc: '',
    terms: [],
    ancestors: [],
    page,
    own: { noindex: true },
  };
  return renderHead(analyse(item, settings), settings);
}

/** What is nowhere has no address: that of the site stands for it. */
function addressOf({ kind, phrase, page }: Required<SpecialPage>, site: string): string {
  if (kind === '404') return `${site}/`;
  return `${page > 1 ? laterPage(`${site}/`, page) : `${site}/`}?s=${encodeURIComponent(phrase.toWellFormed())}`;
}
