/**
 * Where long lists of events stand in indexes: `event_categories`, `event_tags` and `event_organizers` hold the published
 * events of each, in the order of their starts.
 */
import { isIn } from '@sevenfold/chassis/db/id-sets';
import { type Linked, fewLinks, fromLinks, linkedToAll } from '@sevenfold/chassis/db/links';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import type { Track } from '@sevenfold/chassis/db/track';
import { type LinkList, linksTo } from '../common/event-links';

/** A filter of a list that one of the tables knows. */
export interface LinkFilter {
  readonly what: LinkList;
  readonly ids: readonly number[];
}

/**
 * The published events that start inside a window. `others` are the conditions on `e` besides. Undefined where the conditions
 * find the events by themselves, or no index knows what they ask.
 */
export function trackOf(
  conditions: Conditions,
  asked: readonly LinkFilter[],
  others: readonly string[],
  [from, to]: readonly [string, string],
): Track | undefined {
  if (others.some((part) => /\be\.(?!venue_id\b|featured\b)/.test(part))) return undefined;
  const wanted = asked
    .map(({ what, ids }): Linked => ({ links: linksTo(what), ids: [...new Set(ids)] }))
    .sort((a, b) => a.ids.length - b.ids.length);
  const [first, ...rest] = wanted;
  if (!first) return undefined;
  const inside = [`e.start_local between ${from}::timestamp and ${to}::timestamp`, ...others];
  const ofLinks = inside.map((part) => part.replace(/\be\./g, 'l.'));
  const keeps = wanted.map((one) => [`select ${fromLinks(conditions, one)}`, ...ofLinks].join(' and '));
  const few = fewLinks(conditions, 'events', wanted, ofLinks, 'asc');
  const inOrder = (...columns: string[]): Track['order'] =>
    columns.map((sql) => ({ sql, direction: 'asc' as const }));
  const lookedUp = (id: string, some: readonly Linked[]): string[] =>
    some.length === 0 ? [] : [isIn('events', id, linkedToAll(conditions, some))];
  if (first.ids.length === 1)
    return {
      from: [fromLinks(conditions, first), ...ofLinks, ...lookedUp('l.event_id', rest)].join(' and '),
      id: 'l.event_id',
      order: inOrder('l.start_local', 'l.event_id'),
      few,
      keeps: wanted.length === 1 ? [] : keeps,
    };
  const base = [`e.status = 'publish'`, ...inside].join(' and ');
  return {
    from: `from events e where ${[base, ...lookedUp('e.id', wanted)].join(' and ')}`,
    id: 'e.id',
    order: inOrder('e.start_local', 'e.id'),
    among: base,
    few,
    keeps,
  };
}
