/**
 * The site index and the namespace indexes, merged from the services' descriptions. They are serialised when something
 * changes, not when someone asks.
 */
import { noRoute } from '@sevenfold/chassis/errors';
import { parseQuery } from '@sevenfold/chassis/http/body';
import { type RouteEntry, routeEntry } from '@sevenfold/chassis/http/describe';
import { parseFields, pickFields } from '@sevenfold/chassis/http/present';
import type { Settings } from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import { type Answer, jsonAnswer } from './answer';
import type { Descriptions } from './descriptions';
import { table } from './upstreams';

export interface SiteIndex {
  /** The answer to a request for an index, or undefined when the path, below `/rest`, names none. */
  answer(method: string, path: string, query: string): Promise<Answer> | undefined;
}

interface Page {
  readonly value: Record<string, unknown>;
  readonly answer: Answer;
  /** What OPTIONS tells. */
  readonly options: Answer;
}

const namespaces = table.map((row) => row.namespace);

const ALLOW = { Allow: 'GET' };

export function createSiteIndex(siteUrl: string, descriptions: Descriptions): SiteIndex {
  const root = `${siteUrl}/rest`;
  let built: { readonly version: number; readonly pages: ReadonlyMap<string, Page> } | undefined;

  const pages = (): ReadonlyMap<string, Page> => {
    const version = descriptions.version();
    if (built?.version !== version) built = { version, pages: build(siteUrl, root, descriptions) };
    return built.pages;
  };

  return {
    answer: (method, path, query) => {
      const name = path.replace(/^\/|\/+$/g, '');
      if (name !== '' && !namespaces.includes(name)) return undefined;
      return (async () => {
        // At the very start there may be nothing to show yet.
        if (!namespaces.some((namespace) => descriptions.of(namespace))) await descriptions.refresh();
        await descriptions.current();
        const page = pages().get(name) as Page;
        if (method === 'OPTIONS') return page.options;
        if (method !== 'GET' && method !== 'HEAD') throw noRoute();
        return query === '' ? page.answer : select(pages(), name, query);
      })();
    },
  };
}

/** `namespace` shows another index, `_fields` a part of it. */
function select(all: ReadonlyMap<string, Page>, name: string, query: string): Answer {
  const { namespace, _fields, _pretty } = parseQuery(query);
  const wanted = name === '' || namespace === undefined ? name : namespace;
  const page = typeof wanted === 'string' && (wanted !== '' || name === '') ? all.get(wanted) : undefined;
  if (!page) throw noRoute();
  const fields = parseFields(_fields);
  if (!fields && _pretty === undefined) return page.answer;
  let value: unknown = page.value;
  if (fields) {
    const kept = pickFields(page.value, fields);
    // A namespace index keeps its way up, whatever is asked for.
    value =
      wanted === '' ? kept : { ...(Array.isArray(kept) ? {} : (kept as object)), _links: page.value._links };
  }
  return {
    status: 200,
    headers: ALLOW,
    body: Buffer.from(JSON.stringify(value, null, _pretty === undefined ? undefined : 4)),
  };
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
    name: settings?.title ?? '',
    description: settings?.description ?? '',
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
