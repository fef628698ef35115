/**
 * OpenAPI documents: of each namespace as its service describes it, a list of them, and one of the whole site. They are
 * made when a description changes, not when somebody asks.
 */
import { noRoute } from '@sevenfold/chassis/errors';
import type { OpenApiDocument } from '@sevenfold/chassis/http/openapi';
import { jsonAnswer } from '../edge/answer';
import type { Answer } from '../edge/exchange';
import { errors } from '../edge/errors';
import { table } from '../relay/upstreams';
import type { Descriptions } from './descriptions';
import { mergeDocuments } from './site-document';

const FOLDER = '/openapi';
const WHOLE = '/openapi.json';

/** How old a document may be that a browser or a cache has kept. */
const SECONDS = 60;
const HEADERS = { Allow: 'GET', 'Cache-Control': `public, max-age=${SECONDS}` };

export interface OpenApiFolder {
  /** Undefined where the path is none of a document. */
  answer(path: string, method: string): Answer | undefined;
}

export function openApiFolder(siteUrl: string, descriptions: Descriptions): OpenApiFolder {
  const list = jsonAnswer(
    table.map(({ namespace }) => ({ namespace, href: `${siteUrl}${FOLDER}/${namespace}.json` })),
    200,
    HEADERS,
  ).body;
  const known = new Map<string, { readonly version: number; readonly made: Buffer }>();
  const remembered = (name: string, make: () => Buffer): Buffer => {
    const version = descriptions.version();
    const last = known.get(name);
    if (last?.version === version) return last.made;
    const made = make();
    known.set(name, { version, made });
    return made;
  };

  const find = (path: string): Buffer => {
    if (path === FOLDER || path === `${FOLDER}/`) return remembered(FOLDER, () => list);
    if (path === WHOLE) return remembered(WHOLE, () => wholeDocument(siteUrl, descriptions));
    const row = table.find(({ namespace }) => path === `${FOLDER}/${namespace}.json`);
    if (!row) throw noRoute();
    return remembered(row.namespace, () => documentOf(row, descriptions));
  };

  return {
    answer: (path, method) => {
      if (path !== WHOLE && path !== FOLDER && !path.startsWith(`${FOLDER}/`)) return undefined;
      if (method !== 'GET' && method !== 'HEAD') throw noRoute();
      return { status: 200, headers: HEADERS, body: find(path) };
    },
  };
}

type Row = (typeof table)[number];

function documentOf({ namespace, service }: Row, descriptions: Descriptions): Buffer {
  const description = descriptions.of(namespace);
  if (!description) throw errors.serviceDown(service);
  return description.openapi;
}

/** Of all services or of none: a document that lacks a namespace would say that it is not there. */
function wholeDocument(siteUrl: string, descriptions: Descriptions): Buffer {
  const parts = table.map((row) => ({
    namespace: row.namespace,
    document: JSON.parse(documentOf(row, descriptions).toString()) as OpenApiDocument,
  }));
  return Buffer.from(JSON.stringify(mergeDocuments(parts, `${siteUrl}/rest`)));
}
