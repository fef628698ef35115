/**
 * OpenAPI documents: of each namespace as its service describes it, a list of them, and one of the whole site. They are
 * made when one of them changes, not when somebody asks.
 */
import { noRoute } from '@sevenfold/chassis/errors';
import type { OpenApiDocument } from '@sevenfold/chassis/http/openapi';
import { consoleDescription, consoleDocument } from '../console/document';
import { jsonAnswer } from '../edge/answer';
import { type Answer, isReading } from '../edge/exchange';
import { errors } from '../edge/errors';
import { table } from '../relay/upstreams';
import type { Descriptions } from './descriptions';
import { mergeDocuments, withConsole } from './site-document';

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
  const addressOf = (namespace: string): string => `${FOLDER}/${namespace}.json`;
  const named = [...table, consoleDescription];
  const list = jsonAnswer(
    named.map(({ namespace }) => ({ namespace, href: `${siteUrl}${addressOf(namespace)}` })),
    200,
    HEADERS,
  ).body;
  let beside: { readonly document: OpenApiDocument; readonly body: Buffer } | undefined;
  /** It is the gateway's own, so it is there whoever is away. */
  const console = (): NonNullable<typeof beside> => {
    if (!beside) {
      const document = consoleDocument(siteUrl);
      beside = { document, body: Buffer.from(JSON.stringify(document)) };
    }
    return beside;
  };
  let whole: { readonly of: readonly Buffer[]; readonly made: Buffer } | undefined;
  /** Anew only where one of its parts is another: settings and windows of dates are none of them. */
  const wholeDocument = (): Buffer => {
    const parts = table.map((row) => documentOf(row, descriptions));
    if (!whole || parts.some((part, at) => part !== whole?.of[at]))
      whole = { of: parts, made: merged(parts, siteUrl, console().document) };
    return whole.made;
  };

  const find = (path: string): Buffer => {
    if (path === FOLDER || path === `${FOLDER}/`) return list;
    if (path === WHOLE) return wholeDocument();
    if (path === addressOf(consoleDescription.namespace)) return console().body;
    const row = table.find(({ namespace }) => path === addressOf(namespace));
    if (!row) throw noRoute();
    return documentOf(row, descriptions);
  };

  return {
    answer: (path, method) => {
      if (path !== WHOLE && path !== FOLDER && !path.startsWith(`${FOLDER}/`)) return undefined;
      if (!isReading(method)) throw noRoute();
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
function merged(parts: readonly Buffer[], siteUrl: string, beside: OpenApiDocument): Buffer {
  const named = table.map(({ namespace }, at) => ({
    namespace,
    document: JSON.parse(String(parts[at])) as OpenApiDocument,
  }));
  return Buffer.from(JSON.stringify(withConsole(mergeDocuments(named, `${siteUrl}/rest`), beside)));
}
