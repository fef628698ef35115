/** An object as the index keeps it. */
import { decodeEntities, stripTags } from '@sevenfold/text/html';
import { shorten } from '@sevenfold/text/text';
import { readPage } from './page';
import type { Analysis, Item, SeoSettings, SocialCard } from './shape';

const WORDS_PER_MINUTE = 200;
const LONGEST_DESCRIPTION = 156;

export function analyse(item: Item, settings: SeoSettings): Analysis {
  const { own } = item;
  const name = plain(item.titleHtml) || settings.site.title;
  const page = readPage(item.contentHtml, item.permalink);
  const title = own.title ?? titleOf(item, name, settings);
  const description = own.description ?? shorten(plain(item.excerptHtml), LONGEST_DESCRIPTION);
  const card: SocialCard = { title, description, image: item.image };
  const noindex = own.noindex ?? (settings.isHidden || settings.noindexed.includes(item.objectSubtype));
  return {
    title,
    description,
    canonical: own.canonical ?? (noindex ? '' : item.permalink),
    robots: {
      noindex,
      nofollow: own.nofollow ?? false,
      noarchive: own.noarchive ?? false,
      noimageindex: own.noimageindex ?? false,
      nosnippet: own.nosnippet ?? false,
    },
    breadcrumbTitle: name,
    breadcrumb: [
      { name: settings.site.title, url: `${settings.site.url}/` },
      ...item.ancestors,
      ...(item.objectType === 'home' ? [] : [{ name, url: item.permalink }]),
    ],
    ogType: item.objectType === 'post' ? 'article' : 'website',
    og: card,
    twitter: card,
    jsonLd: {
      '@context': 'https://schema.org',
      '@graph': [{ '@type': 'WebPage', '@id': item.permalink, url: item.permalink, name: title }],
    },
    focusKeyword: own.focusKeyword ?? '',
    isCornerstone: own.isCornerstone ?? false,
    wordCount: page.wordCount,
    readingMinutes: Math.ceil(page.wordCount / WORDS_PER_MINUTE),
    links: page.links,
    images: [...new Set([...(item.image ? [item.image.url] : []), ...page.images])],
  };
}

const titleOf = ({ objectType }: Item, name: string, { site, separator }: SeoSettings): string =>
  objectType === 'home' || name === site.title
    ? [site.title, site.tagline].filter(Boolean).join(` ${separator} `)
    : `${name} ${separator} ${site.title}`;

const plain = (html: string): string => decodeEntities(stripTags(html)).replace(/\s+/g, ' ').trim();
