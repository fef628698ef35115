/**
 * The site index and the namespace indexes, merged from the services' descriptions. They are serialised when something
 * changes, not when someone asks; parts of them and pretty ones are made when asked for, and kept within bounds.
 */
import { noRoute } from '@sevenfold/chassis/errors';
import { parseQuery } from '@sevenfold/chassis/http/body';
import { type RouteEntry, routeEntry } from '@sevenfold/chassis/http/describe';
import { parseFields, pickFields } from '@sevenfold/chassis/http/pick-fields';
import type { Settings } from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import { escapeAttribute } from '@sevenfold/text/html';
import { trimEnd } from '@sevenfold/text/trim';
import { LRUCache } from 'lru-cache';
import { jsonAnswer } from '../edge/answer';
import { type Answer, isReading } from '../edge/exchange';
import type { Descriptions } from './descriptions';
import { table } from '../relay/upstreams';

export interface SiteIndex {
  /** The answer to a request for an index, or undefined when the path, below `/rest`, names none. */
  answer(method: string, path: string, query: string): Answer | Promise<Answer> | undefined;
}

interface Page {
  readonly value: Record<string, unknown>;
  readonly answer: Answer;
  /** What OPTIONS tells. */
  readonly options: Answer;
}

interface Built {
  readonly version: number;
  readonly pages: ReadonlyMap<string, Page>;
  readonly variants: LRUCache<string, Answer>;
}

const VARIANT_BYTES = 8 * 1024 * 1024;
/** Longer wishes are met, but not remembered. */
const LONGEST_KEY = 1_000;

const keptVariants = (): LRUCache<string, Answer> =>
  new LRUCache({ maxSize: VARIANT_BYTES, sizeCalculation: ({ body }, key) => body.length + key.length });

const namespaces = table.map((row) => row.namespace);

const ALLOW = { Allow: 'GET' };

export function createSiteIndex(siteUrl: string, descriptions: Descriptions): SiteIndex {
  const root = `${siteUrl}/rest`;
  let built: Built | undefined;

  const current = (): Built => {
    const version = descriptions.version();
    if (built?.version !== version)
      built = { version, pages: build(siteUrl, root, descriptions), variants: keptVariants() };
    return built;
  };

  const isEmpty = (): boolean => !namespaces.some((namespace) => descriptions.of(namespace));
  const show = (method: string, name: string, query: string): Answer => {
    const now = current();
    const page = now.pages.get(name) as Page;
    if (method === 'OPTIONS') return page.options;
    if (!isReading(method)) throw noRoute();
    return query === '' ? page.answer : select(now, name, query);
  };

  return {
    answer: (method, path, query) => {
      const name = trimEnd(path.startsWith('/') ? path.slice(1) : path, '/');
      if (name !== '' && !namespaces.includes(name)) return undefined;
      // At the very start there may be nothing to show yet.
      const waiting = isEmpty()
        ? descriptions.refresh().then(() => descriptions.current())
        : descriptions.current();
      return waiting ? waiting.then(() => show(method, name, query)) : show(method, name, query);
    },
  };
}

/** `namespace` shows another index, `_fields` a part of it. */
function select({ pages, variants }: Built, name: string, query: string): Answer {
  const { namespace, _fields, _pretty } = parseQuery(query);
  const wanted = name === '' || namespace === undefined ? name : namespace;
  const page = typeof wanted === 'string' && (wanted !== '' || name === '') ? pages.get(wanted) : undefined;
  if (!page) throw noRoute();
  const fields = parseFields(_fields);
  const pretty = _pretty !== undefined;
  if (!fields && !pretty) return page.answer;
  const key = JSON.stringify([wanted, pretty, fields && _fields]);
  const known = variants.get(key);
  if (known) return known;
  let value: unknown = page.value;
  if (fields) {
    const kept = pickFields(page.value, fields);
    // An index keeps its ways on, whatever is asked for.
    value = { ...(Array.isArray(kept) ? {} : (kept as object)), _links: page.value._links };
  }
  const body = Buffer.from(JSON.stringify(value, null, pretty ? 4 : undefined));
  const made = { status: 200, headers: ALLOW, body };
  if (key.length <= LONGEST_KEY) variants.set(key, made);
  return { ...made, own: true };
}

const context = { type: 'string', default: 'view', description: 'Which fields are shown.' } as const;

function build(siteUrl: string, root: string, descriptions: Descriptions): Map<string, Page> {
  const all = new Map<string, Page>();
  const page = (value: Record<string, unknown>, entry: RouteEntry): Page => ({
    value,
    answer: jsonAnswer(value, 200, ALLOW),
    options: jsonAnswer({ ...entry, _links: { self: [{ href: entry._links?.self }] } }, 200, ALLOW),
  });
  const self = routeEntry('', '/', [{ methods: ['GET'], args: { context } }], root);
  let routes: Record<string, RouteEntry> = { '/': self };
  for (const namespace of namespaces) {
    const args = { namespace: { default: namespace, description: 'Which namespace is shown.' }, context };
    const entry = routeEntry(namespace, `/${namespace}`, [{ methods: ['GET'], args }], root);
    const own = { [`/${namespace}`]: entry, ...descriptions.of(namespace)?.routes };
    routes = { ...routes, ...own };
    all.set(namespace, page({ namespace, routes: own, _links: { up: [{ href: `${root}/` }] } }, entry));
  }
  return all.set(
    '',
    page({ ...about(siteUrl, descriptions.settings()), routes, _links: help(siteUrl) }, self),
  );
}

function about(siteUrl: string, settings: Settings | undefined): Record<string, unknown> {
  return {
    name: escapeAttribute(settings?.title ?? ''),
    description: escapeAttribute(settings?.description ?? ''),
    url: siteUrl,
    home: siteUrl,
    // Zones with half an hour exist; the interface has whole hours.
    gmt_offset: Math.trunc(settings?.gmtOffset ?? 0),
    timezone_string: zoneName(settings?.timezone ?? 'UTC'),
    namespaces,
    authentication: [],
  };
}

/** A plain offset from GMT is a setting, but no zone has it as a name. */
const zoneName = (setting: string): string => (/^UTC[+-]/.test(setting) ? '' : setting);

const help = (siteUrl: string): object => ({ help: [{ href: `${siteUrl}/openapi/` }] });
