/** An object as the index keeps it. */
import { cardsOf, ogTypeOf } from './cards';
import { breadcrumbOf } from './crumbs';
import { type Facts, factsOf } from './facts';
import { focusScore } from './focus';
import { graphOf } from './graph';
import { rulesOf } from './languages';
import { wholeAddress } from './page';
import { readability } from './readability';
import type { Analysis, ArticleFacts, Item, Robots, SeoSettings } from './shape';
import { descriptionOf, titleOf } from './templates';
import { countWords, readingMinutes } from './words';

const MOST_LISTED = 20;
const LONGEST_LISTED = 2_048;

export function analyse(item: Item, settings: SeoSettings): Analysis {
  const facts = factsOf(item, settings);
  const { page, language, name } = facts;
  const robots = robotsOf(item, settings);
  const wordCount = countWords(page.blocks);
  const told = {
    url: item.permalink,
    language,
    title: titleOf(facts),
    description: descriptionOf(facts),
    canonical: robots.noindex ? '' : (wholeAddress(item.own.canonical ?? '') ?? item.permalink),
    robots,
    breadcrumbTitle: name,
    breadcrumb: breadcrumbOf(facts),
    ogType: ogTypeOf(item),
    ...(item.objectSubtype === 'post' ? { article: articleOf(facts) } : {}),
    focusKeyword: item.own.focusKeyword?.trim() ?? '',
    isCornerstone: item.own.isCornerstone ?? false,
    wordCount,
    readingMinutes: readingMinutes(wordCount, language),
  };
  const cards = cardsOf(facts, told);
  const rules = rulesOf(language);
  const focusKeywordScore = rules && focusScore({ ...told, slug: item.slug, page }, rules);
  const readabilityScore = rules && readability(page.blocks, rules);
  return {
    ...told,
    ...cards,
    jsonLd: graphOf(facts, { ...told, ...cards }),
    ...(focusKeywordScore === undefined ? {} : { focusKeywordScore }),
    ...(readabilityScore === undefined ? {} : { readabilityScore }),
    // What only those with the password read is no part of the graph of links, and none of a sitemap.
    links: item.hasPassword ? [] : page.links,
    images: imagesOf(facts),
  };
}

/** Lists without anything in them, and all of a site that is not to be found, are left out as well. */
function robotsOf(item: Item, settings: SeoSettings): Robots {
  const { own } = item;
  const isEmpty = item.objectType === 'term' && item.count === 0;
  return {
    noindex:
      settings.isHidden || (own.noindex ?? (isEmpty || settings.noindexed.includes(item.objectSubtype))),
    nofollow: settings.isHidden || (own.nofollow ?? false),
    noarchive: own.noarchive ?? false,
    noimageindex: own.noimageindex ?? false,
    nosnippet: own.nosnippet ?? false,
  };
}

function articleOf({ item }: Facts): ArticleFacts {
  const names = (isTag: boolean): string[] =>
    item.terms.filter(({ taxonomy }) => (taxonomy === 'post_tag') === isTag).map(({ name }) => name);
  return {
    publishedUtc: item.publishedUtc,
    modifiedUtc: item.modifiedUtc,
    author: item.author?.name ?? '',
    sections: names(false),
    tags: names(true),
  };
}

/** As many as a sitemap names, and none under an address that is too long for one: a text may have a thousand, and rows are read and written by the hundred. */
function imagesOf({ item, page }: Facts): string[] {
  const shown = item.hasPassword ? [] : page.pictures.map(({ url }) => url);
  return [...new Set([...(item.image ? [item.image.url] : []), ...shown])]
    .filter((url) => url.length <= LONGEST_LISTED)
    .slice(0, MOST_LISTED);
}
