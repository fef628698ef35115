/**
 * What an answer shows, as tags of the news that make it old (migrations/0003_news.sql): its rows, the sets they were
 * chosen from, what is embedded. Whoever keeps answers asks for them; the answer brings them with what its process had
 * heard of the news when the request came in. Answers of a route that does not say what it shows are not kept.
 */
import type { EmbedRow, EmbedTarget, Loaded } from './present';

export const TAGS_HEADER = 'x-sevenfold-tags';
/** Ids of the news heard last: its own, and `<service>=<id>` for each service whose news it follows. */
export const HEARD_HEADER = 'x-sevenfold-heard';
/** Until when it may be kept at most, in milliseconds since 1970. */
export const UNTIL_HEADER = 'x-sevenfold-until';
/** Sent by whoever wants them. */
export const WANTS_TAGS_HEADER = 'x-sevenfold-wants-tags';

/** Any news of the service. */
export const EVERYTHING = '*';

export interface Shows<C> {
  /** Kind of its rows: `post`; without it its items are no rows. */
  readonly rows?: string;
  /** Sets whose news change which rows a list has, how many, or their order. */
  readonly lists: (call: C) => readonly string[];
  /** What an item shows besides its own row. */
  readonly also?: (row: never) => readonly string[];
  /** It hangs on what day it is somewhere: kept for less than the quarter of an hour in which any zone's day may begin. */
  readonly clock?: true;
  /** Made of what other services are asked anew for each answer. */
  readonly asks?: true;
  /** An answer that is not for keeping, since it hangs on more than the address says. */
  readonly never?: (call: C) => boolean;
}

const QUARTER_MS = 900_000;
/** The next moment at which a day may begin: zones differ by quarters of an hour. */
export const nextQuarter = (now: number): number => (Math.floor(now / QUARTER_MS) + 1) * QUARTER_MS;

/** Of answers that no news make old, such as lists of what the code knows. */
export const fixed: Shows<unknown> = { lists: () => [] };

/** Tags of an item that was made from its row. */
export function itemTags(shows: Shows<never> | undefined, row: unknown): string[] {
  if (!shows) return [EVERYTHING];
  const also = shows.also?.(row as never) ?? [];
  return shows.rows === undefined ? [...also] : [`${shows.rows}:${(row as { id: number }).id}`, ...also];
}

/** Tags of what `_embed` brought for an item. */
export const embeddedTags = (
  rows: Readonly<Record<string, EmbedRow<never>>>,
  targets: readonly EmbedTarget[],
  loaded: Loaded,
): string[] =>
  targets.flatMap(({ loader, key }) => {
    const tagsOf = rows[loader]?.shows;
    return tagsOf ? tagsOf(key, loaded.get(loader)?.get(key)) : [EVERYTHING];
  });

/** Ids of equal kinds together: `post:1,2|user:5`. Any news of the service makes its own tags needless, not those of others. */
export function joinTags(tags: Iterable<string>): string {
  const kinds = new Map<string, Set<string>>();
  const sets = new Set<string>();
  for (const tag of tags) {
    const colon = tag.indexOf(':');
    if (colon < 0) sets.add(tag);
    else {
      const kind = tag.slice(0, colon);
      const ids = kinds.get(kind);
      if (ids) ids.add(tag.slice(colon + 1));
      else kinds.set(kind, new Set([tag.slice(colon + 1)]));
    }
  }
  const all = [...sets, ...[...kinds].map(([kind, ids]) => `${kind}:${[...ids].join(',')}`)];
  return (sets.has(EVERYTHING) ? all.filter((tag) => tag === EVERYTHING || tag.includes('/')) : all).join(
    '|',
  );
}
