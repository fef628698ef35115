/** Finds the interface of a site: by what its pages say, or at the places where it usually is. */
import { type ProfileData } from '@sevenfold/gateway/profiles/profile';
import { wordpress } from '@sevenfold/gateway/profiles/wordpress';
import { trimEnd } from '@sevenfold/text/trim';
import { type Answer, type Asker, isOf, readAddress } from './ask';
import { isRecord, listOf, recordOf, textOf } from './values';

/** Those whose words are known; what a site of this kind says itself needs none. */
const PROFILES: readonly ProfileData[] = [wordpress];

export interface Interface {
  /** Address of what stands below a namespace; our names for namespaces and words. */
  address(namespace: string, route: string, query: Readonly<Record<string, string>>): URL;
  /** Whether the site has the namespace, by our name. */
  has(namespace: string): boolean;
  /** What it calls a route's arguments; empty where it does not say. */
  takes(namespace: string, route: string): ReadonlySet<string>;
  /** A word of its own as ours: types, taxonomies, statuses. */
  readonly ours: (word: string) => string;
  /** A word of ours as its own. */
  theirs(word: string): string;
  /** What it calls itself. */
  readonly addresses: readonly string[];
}

/** Throws with words for the operator where there is none. */
export async function findInterface(ask: Asker, site: URL): Promise<Interface> {
  const tried = new Map<string, string>();
  for await (const root of placesOf(ask, site)) {
    if (tried.has(root.href)) continue;
    const answer = await ask.json(root);
    const index = recordOf(answer.body);
    if (answer.status === 200 && Array.isArray(index.namespaces)) {
      if (!isOf(site, answer.url))
        throw new Error(`The interface of ${site.host} is at ${answer.url.origin}: name that address.`);
      return open(answer.url, index);
    }
    tried.set(root.href, String(answer.status));
  }
  throw new Error(
    `${site.href} has no interface that can be read (${[...tried].map(([at, status]) => `${at}: ${status}`).join(', ')}).`,
  );
}

async function* placesOf(ask: Asker, site: URL): AsyncGenerator<URL> {
  const page = await ask.json(site);
  const said = linkOf(page);
  if (said && isOf(site, said)) yield said;
  // The page may stand elsewhere by now.
  const base = isOf(site, page.url) ? page.url : site;
  for (const { root, routeArgument } of PROFILES) {
    yield below(base, `${root.slice(1)}/`);
    const asked = new URL(base);
    asked.search = new URLSearchParams({ [routeArgument]: '/' }).toString();
    yield asked;
  }
  yield below(base, 'rest/');
}

function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.search = '';
  url.hash = '';
  url.pathname = `${trimEnd(url.pathname, '/')}/${path}`;
  return url;
}

function linkOf({ headers, url }: Answer): URL | undefined {
  const relations = PROFILES.map(({ rootRelation }) => rootRelation);
  for (const header of [headers.link ?? []].flat())
    for (const [, address = '', parameters = ''] of header.slice(0, 8_192).matchAll(/<([^<>]*)>([^,<]*)/g)) {
      const relation = /;\s*rel="?([^";]+)/i.exec(parameters)?.[1]?.trim() ?? '';
      if (relations.includes(relation)) return readAddress(address, url);
    }
  return undefined;
}

const MOST_NAMESPACES = 1_000;

function open(root: URL, index: Record<string, unknown> | ReturnType<typeof recordOf>): Interface {
  const listed = new Set(listOf(index.namespaces).slice(0, MOST_NAMESPACES).map(textOf));
  // The profile whose names it uses; without one its names are ours.
  const profile = PROFILES.find(({ namespaces }) => namespaces.some(([, theirs]) => listed.has(theirs)));
  const words = profile?.words ?? [];
  const nameOf = (namespace: string): string =>
    profile?.namespaces.find(([ours, theirs]) => ours === namespace && listed.has(theirs))?.[1] ?? namespace;
  const routeArgument = PROFILES.map((one) => one.routeArgument).find((name) => root.searchParams.has(name));
  const routes = recordOf(index.routes);
  return {
    address: (namespace, route, query) => {
      const url = new URL(root);
      const path = `/${nameOf(namespace)}${route}`;
      if (routeArgument === undefined) url.pathname = `${trimEnd(url.pathname, '/')}${path}`;
      else url.searchParams.set(routeArgument, path);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url;
    },
    has: (namespace) => listed.has(nameOf(namespace)),
    takes: (namespace, route) => argumentsOf(routes[`/${nameOf(namespace)}${route}`]),
    ours: (word) => words.find(([, theirs]) => theirs === word)?.[0] ?? word,
    theirs: (word) => words.find(([ours]) => ours === word)?.[1] ?? word,
    addresses: [textOf(index.home), textOf(index.url)].filter((text) => readAddress(text) !== undefined),
  };
}

function argumentsOf(route: unknown): ReadonlySet<string> {
  for (const endpoint of listOf(recordOf(route).endpoints)) {
    const { methods, args } = recordOf(endpoint);
    if (listOf(methods).includes('GET') && isRecord(args)) return new Set(Object.keys(args));
  }
  return new Set();
}
