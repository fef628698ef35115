/** What other sites show of an address that somebody posts there. */
import { cutText, type Facts, LONGEST_DESCRIPTION, LONGEST_NAME } from './facts';
import type { Image, Item, SocialCard } from './shape';
import { fill } from './templates';

const OG_TYPES: ReadonlyMap<string, string> = new Map(Object.entries({ post: 'article', user: 'profile' }));

export const ogTypeOf = (item: Item): string => OG_TYPES.get(item.objectSubtype) ?? 'website';

export function cardsOf(
  facts: Facts,
  told: { readonly title: string; readonly description: string },
): { og: SocialCard; twitter: SocialCard } {
  const { own } = facts.item;
  const image = imageOf(facts);
  const card: SocialCard = {
    // Like any other title it may name variables.
    title: cutText(fill(own.ogTitle ?? '', facts) || told.title, LONGEST_NAME),
    description: cutText(own.ogDescription ?? told.description, LONGEST_DESCRIPTION),
    ...(image ? { image } : {}),
  };
  return { og: card, twitter: card };
}

/** The featured picture, or the first one in the text. */
function imageOf({ item, page }: Facts): Image | undefined {
  if (item.image) return item.image;
  const first = item.hasPassword ? undefined : page.pictures[0];
  return first && { ...first, width: 0, height: 0, mimeType: '' };
}
