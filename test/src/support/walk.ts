/**
 * Everything that a site tells, found as a stranger would find it: from the index over every route that can be read to every
 * item of every collection, the files and pages that items name, and what crawlers ask for.
 */
import { createHash } from 'node:crypto';

/** By who asked and what for: status, headers that say something about the content, and the content. */
export type Told = Map<string, string>;

export interface Walker {
  readonly url: string;
  /** The public address: what begins with it is asked of `url`. */
  readonly siteUrl: string;
  readonly authorization?: string;
}

/** Dates of answers, ids of requests, and what a cache did are about the moment of asking. */
const HEADERS = ['content-type', 'link', 'allow', 'location', 'x-total', 'x-total-pages', 'x-total-relation'];
const CRAWLERS = ['/', '/robots.txt', '/sitemap.xml', '/sitemap_index.xml', '/no-such-page'];
const AT_ONCE = 8;

interface Index {
  readonly routes: Record<string, { readonly methods: readonly string[] }>;
}
type Item = Record<string, unknown>;

export async function walk({ url, siteUrl, authorization }: Walker): Promise<Told> {
  const told: Told = new Map();
  const bodies = new Map<string, unknown>();
  const read = async (path: string): Promise<unknown> => {
    if (told.has(path)) return bodies.get(path);
    const answer = await fetch(url + path, {
      redirect: 'manual',
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    const names = isJson ? HEADERS : [...HEADERS, 'etag', 'last-modified'];
    const headers = names.map((name) => `${name}: ${answer.headers.get(name)}`);
    const content = isJson ? bytes.toString() : createHash('sha256').update(bytes).digest('hex');
    told.set(path, [answer.status, ...headers, content].join('\n'));
    const body: unknown = isJson ? JSON.parse(content) : undefined;
    bodies.set(path, body);
    return body;
  };
  const readAll = async (paths: readonly string[]): Promise<void> => {
    const waiting = [...new Set(paths)];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await read(path);
      }),
    );
  };
  /** All pages of a collection; what it holds by then. */
  const itemsOf = async (path: string): Promise<Item[]> => {
    const items = list(await read(path), path);
    for (let page = 1; page < 100; page += 1) {
      const more = list(await read(`${path}?per_page=50&page=${page}`), path);
      items.push(...more);
      if (more.length < 50) break;
    }
    return items;
  };

  const { routes } = (await read('/rest/')) as Index;
  const readable = Object.entries(routes).filter(([, { methods }]) => methods.includes('GET'));
  // Short ones first: what an item is called comes from the collection that it is in.
  for (const [route] of readable.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)))
    await readAll(await addressesOf(route, itemsOf));
  const named = [...bodies.values()].flatMap((body) => addressesIn(body, siteUrl));
  await readAll([...CRAWLERS, ...named]);
  return told;
}

async function addressesOf(route: string, itemsOf: (path: string) => Promise<Item[]>): Promise<string[]> {
  let paths = ['/rest'];
  for (const part of parts(route)) {
    const name = /^\(\?P<(\w+)>/.exec(part)?.[1];
    if (name === undefined) {
      paths = paths.map((path) => `${path}/${part}`);
      continue;
    }
    const next: string[] = [];
    for (const path of paths) {
      // Items by another name than their number are in the collection above.
      const collection = path.replace(/\/by-slug$/, '');
      for (const item of await itemsOf(collection)) {
        const value = nameOf(item, name);
        if (value !== undefined) next.push(`${path}/${encodeURIComponent(value)}`);
      }
    }
    paths = [...new Set(next)];
  }
  return paths;
}

/** A slash inside the brackets of a pattern separates nothing. */
const parts = (route: string): string[] =>
  (route.match(/\/(\((?:[^()]|\([^()]*\))*\)|[^/]*)/g) ?? []).map((part) => part.slice(1)).filter(Boolean);

function nameOf(item: Item, name: string): string | undefined {
  const value = name === 'id' || name === 'parent' ? item.id : (item[name] ?? item.slug ?? item.id);
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

function list(body: unknown, path: string): Item[] {
  if (Array.isArray(body)) return body as Item[];
  if (body === null || typeof body !== 'object') return [];
  const inside = (body as Item)[path.split('/').pop() as string];
  if (Array.isArray(inside)) return inside as Item[];
  const values = Object.values(body) as Item[];
  return values.every((value) => value !== null && typeof value === 'object' && 'slug' in value)
    ? values
    : [];
}

/** Pages and files of the site that an answer names. */
function addressesIn(body: unknown, siteUrl: string): string[] {
  const found = JSON.stringify(body ?? null).match(/https?:\/\/[^\s"\\<>]+/g) ?? [];
  return found
    .filter((address) => address.startsWith(`${siteUrl}/`) && !address.startsWith(`${siteUrl}/rest`))
    .map((address) => address.slice(siteUrl.length).replace(/#.*/, ''))
    .filter((address) => !/[{}()]/.test(address));
}
