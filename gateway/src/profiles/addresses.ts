/** Addresses of the interface and of the site, with the words in their paths and queries. */
import { REST } from '../edge/paths';
import { services } from '@sevenfold/catalog/catalog';
import { trimEnd } from '@sevenfold/text/trim';
import { type Kind, type Place, type PlaceName, places, rows, wordsInPath } from './places';
import type { ProfileData, Swap } from './profile';
import { remembered } from './remembered';

/** What stands below a root. The namespace is as we call it. */
export interface Route {
  readonly namespace: string;
  /** Below the namespace. */
  readonly route: string;
}

export interface Below extends Route {
  /** The whole, as the other side has it. */
  readonly swapped: string;
}

const namespaces = services.map(({ namespace }) => namespace);

type Known = Readonly<Partial<Record<Kind, Swap>>>;

/** `known` are the other kinds. `once` is `address` for those of a single answer, which would only push out what comes again. */
export function openAddresses(
  data: ProfileData,
  siteUrl: string,
  known: Known,
): Readonly<Record<'address' | 'once' | 'path' | 'route', Swap>> {
  const below = readerOf(data, known.word as Swap);
  const curies = new Map([
    [`${siteUrl}${data.relations.href[0]}`, data.relations.href[1]],
    [data.relations.href[1], `${siteUrl}${data.relations.href[0]}`],
  ]);
  const roots = [
    [REST, data.root],
    [data.root, REST],
  ] as const;
  /** Undefined where it is not below a root. */
  const path = (text: string): { readonly found: Below; readonly swapped: string } | undefined => {
    for (const [from, to] of roots) {
      if (!text.startsWith(from) || !isEnd(text, from.length)) continue;
      const found = below(text.slice(from.length));
      return { found, swapped: to + found.swapped };
    }
    return undefined;
  };
  const once: Swap = (text) => {
    if (!text.startsWith(siteUrl) || !isEnd(text, siteUrl.length)) return curies.get(text) ?? text;
    const mark = text.indexOf('?', siteUrl.length);
    const given = text.slice(siteUrl.length, mark < 0 ? undefined : mark);
    const asked = path(given);
    if (mark < 0) return asked ? siteUrl + asked.swapped : (curies.get(text) ?? text);
    const place = asked ? placeAsked(asked.found) : 'siteArguments';
    return `${siteUrl}${asked?.swapped ?? given}?${swapQuery(text.slice(mark + 1), place, all)}`;
  };
  const all: Known = { ...known, address: remembered(once) };
  const spelled = patternsOf(data);
  /** Of its host, where the site is not all of that. */
  const folder = trimEnd(new URL(siteUrl).pathname, '/');
  return {
    address: all.address as Swap,
    once,
    path: (text) => {
      const asked = text.startsWith(folder) ? path(text.slice(folder.length)) : undefined;
      return asked ? folder + asked.swapped : text;
    },
    route: (text) => {
      const { namespace, swapped } = below(text);
      return spelled(namespace, swapped);
    },
  };
}

const isEnd = (text: string, at: number): boolean =>
  at === text.length || text[at] === '/' || text[at] === '?';

export function readerOf(data: ProfileData, word: Swap): (text: string) => Below {
  const table = [
    ...data.namespaces.map(([ours, theirs]) => ({ from: `/${ours}`, to: `/${theirs}`, namespace: ours })),
    ...data.namespaces.map(([ours, theirs]) => ({ from: `/${theirs}`, to: `/${ours}`, namespace: ours })),
  ];
  return (text) => {
    const row = table.find(({ from }) => text.startsWith(from) && isEnd(text, from.length));
    if (!row) {
      return { ...routeOf(REST + text), swapped: text };
    }
    const route = text.slice(row.from.length);
    const told = row.namespace === wordsInPath.namespace ? swapSegments(route, word) : route;
    return { namespace: row.namespace, route, swapped: row.to + told };
  };
}

/** Of a path of ours. */
export function routeOf(path: string): Route {
  const below = path.slice(REST.length);
  const namespace = namespaces.find((one) => below.startsWith(one, 1) && isEnd(below, one.length + 1));
  if (namespace === undefined) return { namespace: '', route: below };
  return { namespace, route: below.slice(namespace.length + 1) };
}

/** Of the first two segments of a route those that are words. */
function swapSegments(route: string, word: Swap): string {
  const end = route.indexOf('/', 1);
  const first = end < 0 ? route.slice(1) : route.slice(1, end);
  // As services read it.
  const plain = decoded(first).toLowerCase();
  const swapped = word(plain);
  if (swapped !== plain) return `/${swapped}${route.slice(first.length + 1)}`;
  if (end < 0 || !wordsInPath.after.test(first)) return route;
  const next = route.indexOf('/', end + 1);
  const second = decoded(route.slice(end + 1, next < 0 ? undefined : next));
  const entry = word(second);
  return entry === second ? route : route.slice(0, end + 1) + entry + (next < 0 ? '' : route.slice(next));
}

/** Patterns of routes, as the indexes spell them. */
function patternsOf({ patterns }: ProfileData): (namespace: string, route: string) => string {
  const pairs = patterns.pairs.map(
    ([ours, theirs]) =>
      new Map([
        [ours, theirs],
        [theirs, ours],
      ]),
  );
  return (namespace, route) => {
    if (!patterns.of.includes(namespace)) return route;
    return route.replace(/\(\?P<(\w+)>([^()]+)\)/g, (whole, name: string, pattern: string) => {
      const other = pairs.find((pair) => pair.has(pattern))?.get(pattern);
      return other === undefined ? whole : `(?P<${name}>${other})`;
    });
  };
}

const INDEX = /^\/*$/;

/** Where words stand in what is asked of a route. */
export function placeAsked({ namespace, route }: Route): PlaceName | undefined {
  if (INDEX.test(route)) return 'indexArguments';
  return rows.find((row) => row.namespace === namespace && row.at.test(route))?.asked;
}

/** Where words stand in what a route answers when nothing is wrong. */
export function placeAnswered({ namespace, route }: Route): PlaceName | undefined {
  if (INDEX.test(route)) return 'index';
  return rows.find((row) => row.namespace === namespace && row.at.test(route))?.answer;
}

/** Text of the query without its question mark, with everything that is no word of a profile as it was. */
export function swapQuery(query: string, place: PlaceName | undefined, swaps: Known): string {
  if (place === undefined || query === '') return query;
  const known: Place = places[place];
  return query
    .split('&')
    .map((pair) => swapPair(pair, known, swaps))
    .join('&');
}

// Of bytes that stand for other characters here (json.ts) nothing can be encoded.
const NOT_ASCII = /[^\x00-\x7f]/;

/** One `name=value` of a query or a form. */
export function swapPair(pair: string, place: Place, swaps: Known): string {
  const equals = pair.indexOf('=');
  const given = equals < 0 ? pair : pair.slice(0, equals);
  const name = decoded(given);
  const { renamed, swap } = argumentOf(name, place, swaps);
  const told = renamed === name ? given : encoded(renamed);
  if (equals < 0) return told;
  const value = pair.slice(equals + 1);
  if (!swap || NOT_ASCII.test(value)) return `${told}=${value}`;
  const plain = decoded(value);
  const swapped = swap(plain);
  return `${told}=${swapped === plain ? value : encoded(swapped)}`;
}

/** What an argument is called on the other side, and what its values are there. */
export function argumentOf(
  whole: string,
  { names, members }: Place,
  swaps: Known,
): { readonly renamed: string; readonly swap?: Swap } {
  // `name[]`, `name[0]`: the same argument.
  const bracket = whole.indexOf('[');
  const name = bracket < 0 ? whole : whole.slice(0, bracket);
  const other = (names && swaps[names]?.(name)) ?? name;
  let place = placeOf(members?.[name] ?? members?.[other]);
  for (const [, step = ''] of whole.slice(name.length).matchAll(STEP))
    if (!ELEMENT.test(step)) place = placeOf(place?.members?.[step]);
  const kind = place?.text;
  return { renamed: other + whole.slice(name.length), swap: kind && swaps[kind] };
}

/** `venue[status]`, `organizer[0][status]`: a member, and one of an element. */
const STEP = /\[([^[\]]*)\]/g;
const ELEMENT = /^\d*$/;
const placeOf = (place: PlaceName | Place | undefined): Place | undefined =>
  typeof place === 'string' ? places[place] : place;

/** Half a character, which JSON can hold, has no bytes. */
export const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** What cannot be decoded stays as it is: whoever reads it says what is wrong. */
export function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
