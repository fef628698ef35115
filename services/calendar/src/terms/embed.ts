/** What `_embed` follows from a category: its parent, as core/v2 shows it. */
import type { EmbedLoader } from '@sevenfold/chassis/http/present';
import type { EmbedLoaders } from '@sevenfold/chassis/http/send';
import { ofContent } from '../content/news';
import type { CalendarCall, Deps } from '../deps';
import { categoryKind } from './kinds';
import { findTerms } from './list';
import { presentEmbedded } from './presenter';

/** Keys are numbers of categories. */
const embedCategories: EmbedLoader<CalendarCall<object>> = async ({ deps }, keys) => {
  const found = await findTerms(deps, keys.map(Number));
  return new Map([...found].map(([id, term]) => [id, presentEmbedded(term, categoryKind, deps)]));
};

export const embeds: EmbedLoaders<Deps> = {
  category: { load: embedCategories, shows: () => [ofContent.categories] },
};
