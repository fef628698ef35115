/** A user as the interface shows it. The context filter of the schema hides what is not for everybody. */
import { avatarUrls } from '../common/avatars';
import { capabilitiesOf, shownCapabilities } from './roles';
import type { UserRow } from './store';

export function presentUser(row: UserRow, site: { siteUrl: string; root: string }): Record<string, unknown> {
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
    // Shown to few and costly to list: made only where somebody looks.
    get capabilities() {
      return granted([...[...capabilitiesOf(row.roles)].flatMap(shownCapabilities), ...row.roles]);
    },
    extra_capabilities: granted(row.roles),
    avatar_urls: avatarUrls(row.email),
    meta: [],
    _links: { self: [{ href: `${collection}/${row.id}` }], collection: [{ href: collection }] },
  };
}

/** Page with what the user wrote. */
export const userLink = (siteUrl: string, row: Pick<UserRow, 'slug'>): string =>
  `${siteUrl}/author/${row.slug}/`;

const granted = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true]));
