/** The way from the home page to an object: what it is below, or the first category of what has categories. */
import type { Facts } from './facts';
import type { Crumb } from './shape';

const MOST_LEVELS = 20;

export function breadcrumbOf({ item, settings, name }: Facts): Crumb[] {
  const home = { name: settings.site.title, url: `${settings.site.url}/` };
  if (item.objectType === 'home') return [home];
  return [home, ...between(item).slice(-MOST_LEVELS), { name, url: item.permalink }];
}

function between(item: Facts['item']): readonly Crumb[] {
  if (item.ancestors.length > 0) return item.ancestors;
  const category = item.terms.find(({ taxonomy }) => taxonomy !== 'post_tag');
  return category ? [...category.ancestors, { name: category.name, url: category.url }] : [];
}
