/** A user as the interface shows it. The context filter of the schema hides what is not for everybody. */
import { openLru } from '@sevenfold/chassis/lru';
import { avatarUrls } from '../common/avatars';
import { capabilitiesOf, shownCapabilities } from './roles';
import type { OwnRow, UserRow } from './store';

export function presentUser(row: OwnRow, site: { siteUrl: string; root: string }): Record<string, unknown> {
  const collection = `${site.root}/core/v2/users`;
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    first_name: row.firstName,
    last_name: row.lastName,
    email: row.email,
    url: row.url,
    description: row.description,
    link: userLink(site.siteUrl, row),
    locale: row.locale,
    nickname: row.nickname,
    slug: row.slug,
    roles: row.roles,
    registered_date: `${row.registeredAt.slice(0, 10)}T${row.registeredAt.slice(11, 19)}+00:00`,
    capabilities: capabilitiesShown(row.roles),
    extra_capabilities: granted(row.roles),
    avatar_urls: avatarUrls(row.email),
    meta: [],
    _links: { self: [{ href: `${collection}/${row.id}` }], collection: [{ href: collection }] },
  };
}

/** Page with what the user wrote. */
export const userLink = (siteUrl: string, row: Pick<UserRow, 'slug'>): string =>
  `${siteUrl}/author/${row.slug}/`;

/** Costly to list, and the same for all of the same roles, of which there are few. */
const known = openLru<string, Record<string, true>>({ most: 100 });

function capabilitiesShown(roles: readonly string[]): Record<string, true> {
  const name = roles.join();
  let all = known.get(name);
  if (!all) {
    all = granted([...[...capabilitiesOf(roles)].flatMap(shownCapabilities), ...roles]);
    known.set(name, all);
  }
  return all;
}

const granted = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true]));
