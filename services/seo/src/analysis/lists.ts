/** Heads of the later pages of lists: of terms, authors and the home page. Each stands for itself; its words are those of the first. */
import { analyse } from './analyse';
import { renderHead } from './head';
import type { Analysis, Head, Item, SeoSettings } from './shape';

export const isList = ({ objectType }: Pick<Item, 'objectType'>): boolean => objectType !== 'post';

/** What has to be known of a list for that; its text has been read. */
export function listItemOf(item: Item, { description }: Analysis): Item {
  const { canonical: _ofTheFirst, ...own } = item.own;
  return { ...item, contentHtml: '', excerptHtml: '', own: { ...own, description } };
}

export function laterHead(list: Item, page: number, settings: SeoSettings): Head {
  const item = { ...list, permalink: laterPage(list.permalink, page), page };
  return renderHead(analyse(item, settings), settings);
}

/** Address of a page of a list whose first one has the permalink. */
export const laterPage = (permalink: string, page: number): string => `${permalink}page/${page}/`;
