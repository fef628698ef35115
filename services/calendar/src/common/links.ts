/** Addresses of events, venues and organizers: for people, and in the interface. */
import { hasPermalink } from '@sevenfold/publishing/statuses';

export type Kind = 'event' | 'venue' | 'organizer';

const typeOf: Readonly<Record<Kind, string>> = {
  event: 'calendar_events',
  venue: 'calendar_venue',
  organizer: 'calendar_organizer',
};

/** The permalink, or the form with the id where there is none yet (or no more). */
export function publicLink(
  siteUrl: string,
  kind: Kind,
  row: { readonly id: number; readonly status: string; readonly slug: string },
): string {
  if (hasPermalink(row.status) && row.slug !== '') return `${siteUrl}/${kind}/${row.slug}/`;
  return `${siteUrl}/?post_type=${typeOf[kind]}&p=${row.id}`;
}

/** What publicLink made, taken apart; undefined for other addresses and other sites. */
export function readPublicLink(
  siteUrl: string,
  url: string,
): { kind: Kind; id?: number; slug?: string } | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const site = new URL(siteUrl);
  if (parsed.host !== site.host || !parsed.pathname.startsWith(site.pathname)) return undefined;
  const path = parsed.pathname.slice(site.pathname.replace(/\/$/, '').length);
  const byPath = /^\/(event|venue|organizer)\/([^/]+)\/?$/.exec(path);
  if (byPath) return { kind: byPath[1] as Kind, slug: (byPath[2] as string).toLowerCase() };
  const kind = (Object.keys(typeOf) as Kind[]).find(
    (name) => typeOf[name] === parsed.searchParams.get('post_type'),
  );
  const id = Number(parsed.searchParams.get('p'));
  return kind && path.replaceAll('/', '') === '' && Number.isSafeInteger(id) && id > 0
    ? { kind, id }
    : undefined;
}

export const namespaceRoot = (root: string): string => `${root}/calendar/events/v1`;
