/** What templates, cards and graphs are made of: the item's texts as plain text of bounded length. */
import { shorten } from '@sevenfold/text/text';
import { MOST_INDEXED_EXCERPT, MOST_TITLE } from '@sevenfold/text/told';
import { type Block, type Page, plainText, readPage } from './page';
import type { Item, SeoSettings } from './shape';

export interface Facts {
  readonly item: Item;
  readonly settings: SeoSettings;
  /** Title of the object; of the home page the name of the site. */
  readonly name: string;
  /** What its author wrote as a summary. */
  readonly summary: string;
  /** The summary, or how the text begins. */
  readonly excerpt: string;
  readonly page: Page;
  /** Says what follows in a language other than the site's. */
  readonly language: string;
}

export const LONGEST_NAME = 200;
export const LONGEST_DESCRIPTION = 156;

const MOST_EXCERPT = 600;

export function factsOf(item: Item, settings: SeoSettings): Facts {
  const page = readPage(item.contentHtml, item.permalink, settings.site.url);
  // Of what has a password nothing but the title is for everybody.
  const summary = item.hasPassword ? '' : plainText(item.excerptHtml, MOST_INDEXED_EXCERPT);
  return {
    item,
    settings,
    name: cutText(plainText(item.titleHtml, MOST_TITLE), LONGEST_NAME) || nameless(item, settings),
    summary: cutText(summary, MOST_EXCERPT),
    excerpt: cutText(summary || (item.hasPassword ? '' : beginning(page.blocks)), MOST_EXCERPT),
    page,
    language: item.language || settings.site.language,
  };
}

/** At most `most` characters, cut between words where there is a space, with an ellipsis. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = shorten(text, most - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/(?<![\s,;:–-])[\s,;:–-]+$/, '')}…`;
}

const nameless = (item: Item, { site }: SeoSettings): string => {
  if (item.objectType === 'home') return site.title;
  return item.slug || (item.id > 0 ? `#${item.id}` : site.title);
};

function beginning(blocks: readonly Block[]): string {
  let text = '';
  for (const block of blocks) {
    if (text.length > LONGEST_DESCRIPTION) break;
    if (!block.isHeading) text = text === '' ? block.text : `${text} ${block.text}`;
  }
  return text;
}
