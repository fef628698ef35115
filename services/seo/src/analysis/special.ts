/** Heads of pages that stand for no object: results of a search, and what is not there. Nobody indexes them. */
import { escapeHtml } from '@sevenfold/text/html';
import { analyse } from './analyse';
import { renderHead } from './head';
import type { Head, Item, SeoSettings } from './shape';

export interface SpecialPage {
  readonly kind: 'search' | '404';
  /** Whole address that was asked for. */
  readonly url: string;
  /** What was searched for. */
  readonly phrase?: string;
  readonly page?: number;
}

export function specialHead({ kind, url, phrase = '', page = 1 }: SpecialPage, settings: SeoSettings): Head {
  const item: Item = {
    objectType: 'home',
    objectSubtype: kind,
    id: 0,
    status: '',
    isPublic: true,
    hasPassword: false,
    permalink: url,
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
