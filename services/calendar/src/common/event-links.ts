/** What published events name, as tables of links: `event_categories`, `event_tags` and `event_organizers`. */
import type { Links } from '@sevenfold/chassis/db/links';

const names = { categories: 'category_ids', tags: 'tag_ids', organizers: 'organizer_ids' } as const;

export type LinkList = keyof typeof names;
export const linkLists = Object.keys(names) as LinkList[];

export const linksTo = (what: LinkList): Links => ({
  table: `event_${what}`,
  target: 'target',
  at: 'start_local',
  id: 'event_id',
  list: what,
  rows: `events where status = 'publish'`,
  names: names[what],
});
