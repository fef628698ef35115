/** The profiles that a gateway speaks: which one a request is in, and what it asks for in our words. */
import { Transform } from 'node:stream';
import { ConfigError } from '@sevenfold/chassis/config';
import { hasBody } from '@sevenfold/chassis/http/connections';
import { openLru } from '@sevenfold/chassis/lru';
import { REST, isSiteAddress } from '../edge/paths';
import type { Exchange } from '../edge/exchange';
import { decoded, encoded, placeAsked, readerOf, routeOf, swapQuery } from './addresses';
import { openAnswers } from './answers';
import { pairsTranslator, partsTranslator } from './forms';
import { type Translator, jsonTranslator } from './json';
import { type NodeOf, compileNodes } from './nodes';
import { files, places } from './places';
import type { ProfileData } from './profile';
import type { Asked, Profile } from './spoken';
import { type Swaps, compileSwaps } from './swaps';
import { wordpress } from './wordpress';

const known: readonly ProfileData[] = [wordpress];

export interface Profiles {
  /** Puts what is asked in the words of a profile into ours, and notes the profile. */
  enter(exchange: Exchange): void;
  /**
   * `Link` of what the site itself answers: where the profiles' interfaces are, and what is answered there, before what is `given`, as
   * some clients look at the first link alone. Undefined where there is none.
   */
  readonly linked: (given?: string) => string | undefined;
}

/** `listed` is CLIENT_PROFILES. Throws a ConfigError for names that no profile has. */
export function openProfiles(listed: string, siteUrl: string): Profiles {
  const names = listed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.filter((name) => !known.some((data) => data.name === name));
  if (unknown.length > 0)
    throw new ConfigError([
      `CLIENT_PROFILES: there is no profile "${unknown.join('", "')}", but ${known.map(({ name }) => name).join(', ')}`,
    ]);
  const open = known.filter(({ name }) => names.includes(name)).map((data) => openProfile(data, siteUrl));
  return {
    enter: (exchange) => {
      for (const { enter } of open) if (enter(exchange)) return;
    },
    linked: (given) => {
      const links = open.flatMap(({ linksBefore }) => linksBefore(given));
      return links.length === 0 ? given : [...links, ...(given === undefined ? [] : [given])].join(', ');
    },
  };
}

interface Opened {
  readonly enter: (exchange: Exchange) => boolean;
  readonly linksBefore: (given: string | undefined) => readonly string[];
}

/** What the page that has the `Link` is in the interface. */
const ALTERNATE = /<([^<>]*)>(; rel="alternate"; type="application\/json")/g;

function openProfile(data: ProfileData, siteUrl: string): Opened {
  const swaps = compileSwaps(data, siteUrl);
  const nodes = compileNodes(swaps);
  const below = readerOf(data, swaps.word);
  const answers = openAnswers({ data, siteUrl, swaps, nodes });
  const profile: Profile = {
    ...answers,
    name: data.name,
    bodyOf: (exchange) => bodyOf(exchange, swaps, nodes),
  };
  const asked = openLru<string, Asking>({ most: MOST_ASKED });
  const read = (exchange: Exchange): Asking | undefined => {
    const url = exchange.request.url ?? '';
    const known = asked.get(url);
    if (known) return known;
    const given = askedOf(exchange, data);
    if (!given) return undefined;
    const found = below(given.path);
    const path = REST + found.swapped;
    const query = swapQuery(given.query, placeAsked(found), swaps);
    const asking = { path, query, url: query === '' ? path : `${path}?${query}` };
    if (url.length <= LONGEST_ASKED) asked.set(url, asking);
    return asking;
  };
  return {
    linksBefore: (given = '') => [
      answers.link,
      ...Array.from(given.matchAll(ALTERNATE), ([, to = '', is]) => `<${swaps.once(to)}>${is}`),
    ],
    enter: (exchange) => {
      const asking = read(exchange);
      if (!asking) return false;
      exchange.profile = profile;
      exchange.path = asking.path;
      exchange.query = asking.query;
      exchange.request.url = asking.url;
      return true;
    },
  };
}

/** What is asked in the words of a profile, in ours; the same is asked again and again. */
interface Asking {
  readonly path: string;
  readonly query: string;
  readonly url: string;
}

const MOST_ASKED = 1_000;
/** Longer ones are rare, and would fill memory. */
const LONGEST_ASKED = 500;

/** The path below the root, and the query without what only a profile knows; undefined: not in this profile. */
function askedOf(
  { path, query }: Exchange,
  { root, routeArgument, ignoredArguments }: ProfileData,
): { readonly path: string; readonly query: string } | undefined {
  const inside = path === root || path.startsWith(`${root}/`);
  if (!inside && !isSiteAddress(path)) return undefined;
  let asked = inside ? path.slice(root.length) : undefined;
  const rest = query.split('&').filter((pair) => {
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    // As there, it wins over the path; without a value it names nothing.
    if (name === routeArgument && equals >= 0 && equals < pair.length - 1)
      asked = pathOf(pair.slice(equals + 1));
    return name !== routeArgument && !ignoredArguments.includes(name);
  });
  return asked === undefined ? undefined : { path: asked, query: rest.join('&') };
}

/** A route out of a query, as a path: whatever would end a path there stays within it. */
const pathOf = (value: string): string =>
  decoded(value)
    .replace(/^(?!\/)/, '/')
    .split('/')
    .map((segment) => encoded(segment))
    .join('/');

function translatorOf({ path, request }: Asked, swaps: Swaps, nodes: NodeOf): Translator | undefined {
  const { namespace, route } = routeOf(path);
  const place = placeAsked({ namespace, route });
  if (place === undefined) return undefined;
  const given = request.headers['content-type'] ?? '';
  const type = given.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return partsTranslator(given, places[place], swaps);
  const isFile = request.headers['content-disposition'] !== undefined;
  if (isFile && namespace === files.namespace && files.at.test(route)) return undefined;
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return jsonTranslator(nodes(place));
  if (type === '' || type === 'application/x-www-form-urlencoded')
    return pairsTranslator(places[place], swaps);
  return undefined;
}

/**
 * Bytes; smaller pieces of a body are sent together. Its length is not known before its end, so each goes as a chunk, and the service
 * counts small chunks against a client that may have sent none.
 */
const SMALL_PIECE = 4_096;

function bodyOf(asked: Asked, swaps: Swaps, nodes: NodeOf): Transform | undefined {
  if (!hasBody(asked.request)) return undefined;
  const translator = translatorOf(asked, swaps, nodes);
  if (!translator) return undefined;
  let kept: Buffer[] = [];
  let size = 0;
  const taken = (more: Buffer): Buffer => {
    const all = Buffer.concat([...kept, more]);
    kept = [];
    size = 0;
    return all;
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const translated = translator.write(chunk);
      size += translated.length;
      if (size >= SMALL_PIECE) return done(null, taken(translated));
      kept.push(translated);
      done();
    },
    flush: (done) => done(null, taken(translator.end())),
  });
}
