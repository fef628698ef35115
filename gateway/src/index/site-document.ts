/**
 * One OpenAPI document for the whole site, merged from those of the services. What all of them share keeps its name;
 * what is a service's own has its namespace before it.
 */
import {
  commonComponents,
  faultResponse,
  fieldsParameter,
  jsonOf,
} from '@sevenfold/chassis/http/openapi-common';
import type { OpenApiDocument, Operation } from '@sevenfold/chassis/http/openapi';
import * as shape from '@sevenfold/chassis/http/shapes';
import { version } from '@sevenfold/chassis/version';

interface Part {
  readonly namespace: string;
  readonly document: OpenApiDocument;
}

type Components = Record<string, Record<string, object>>;

/** `root` is `<SITE_URL>/rest`. */
export function mergeDocuments(parts: readonly Part[], root: string): OpenApiDocument {
  const own = parts.map(renamed);
  const components: Components = {};
  for (const { document } of own)
    for (const [kind, table] of Object.entries(document.components))
      components[kind] = { ...components[kind], ...table };
  const namespaces = parts.map(({ namespace }) => namespace);
  return {
    openapi: '3.1.0',
    info: {
      title: 'REST interface of the site',
      description:
        'All namespaces. Every route also takes `_envelope` (status and headers beside the body), `_pretty` and, where a client cannot send other methods, `_method`.',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: root }],
    tags: [
      { name: INDEX, description: 'What there is, as data.' },
      ...own.flatMap(({ document }) => document.tags),
    ],
    paths: Object.assign(indexPaths(namespaces), ...own.map(({ document }) => document.paths)) as Paths,
    components: { ...components, schemas: { ...components.schemas, ...indexSchemas } },
  };
}

type Paths = OpenApiDocument['paths'];

const REF = /^#\/components\/(\w+)\/(.+)$/;

/** Names of its own, with the namespace before them. */
function renamed({ namespace, document }: Part): Part {
  const prefix = `${namespace.replaceAll('/', '.')}.`;
  const nameOf = (kind: string, name: string): string =>
    commonComponents[kind]?.[name] ? name : `${prefix}${name}`;
  const walked = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    const ref = key === '$ref' && typeof value === 'string' ? REF.exec(value) : null;
    return ref ? `#/components/${ref[1]}/${nameOf(ref[1] as string, ref[2] as string)}` : value;
  }) as OpenApiDocument;
  const tagOf = (tag: string): string => `${namespace} ${tag}`;
  return {
    namespace,
    document: {
      ...walked,
      tags: walked.tags.map((tag) => ({ ...tag, name: tagOf(tag.name) })),
      paths: mapValues(walked.paths, (operations) =>
        mapValues(operations, (operation) => ({ ...operation, tags: operation.tags.map(tagOf) })),
      ),
      components: Object.fromEntries(
        Object.entries(walked.components).map(([kind, table]) => [
          kind,
          Object.fromEntries(Object.entries(table).map(([name, value]) => [nameOf(kind, name), value])),
        ]),
      ),
    },
  };
}

const mapValues = <V, R>(table: Readonly<Record<string, V>>, make: (value: V) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value)]));

// ---- the indexes, which are the gateway's own ------------------------------------------------------------------------

const INDEX = 'index';

const argument = {
  ...shape.object(
    {
      required: shape.flag,
      default: {},
      enum: shape.listOf({}),
      description: shape.text,
      type: shape.text,
      items: shape.anyObject,
    },
    'default',
    'enum',
    'description',
    'type',
    'items',
  ),
};

const methods = shape.listOf(shape.text);

const routes = shape.mapOf(
  shape.object(
    {
      namespace: shape.text,
      methods,
      endpoints: shape.listOf(
        shape.object({ methods, args: shape.either(shape.mapOf(argument), shape.emptyList) }),
      ),
      _links: shape.object({ self: shape.text }),
    },
    '_links',
  ),
);

const links = shape.mapOf(shape.listOf(shape.object({ href: shape.text })));

const indexSchemas = {
  SiteIndex: shape.object({
    name: shape.text,
    description: shape.text,
    url: shape.text,
    home: shape.text,
    gmt_offset: shape.integer,
    timezone_string: shape.text,
    namespaces: shape.listOf(shape.text),
    authentication: shape.emptyList,
    routes,
    _links: links,
  }),
  NamespaceIndex: shape.object({ namespace: shape.text, routes, _links: links }),
};

const context = {
  name: 'context',
  in: 'query',
  description: 'Which fields are shown.',
  schema: { type: 'string', default: 'view' },
};

const indexOperation = (id: string, summary: string, schema: string): Operation => ({
  operationId: id,
  summary,
  tags: [INDEX],
  security: [{}, { basic: [] }],
  parameters: [context, fieldsParameter],
  responses: {
    200: { description: 'Done.', content: jsonOf({ $ref: `#/components/schemas/${schema}` }) },
    ...Object.fromEntries([400, 401, 404, 429, 500, 503].map((status) => [status, faultResponse(status)])),
  },
});

const indexPaths = (namespaces: readonly string[]): Record<string, Record<string, Operation>> => ({
  '/': { get: indexOperation('get_index', 'The site and all of its routes', 'SiteIndex') },
  ...Object.fromEntries(
    namespaces.map((namespace) => [
      `/${namespace}`,
      {
        get: indexOperation(
          `get_index_of_${namespace.replace(/[^A-Za-z0-9]+/g, '_')}`,
          `The routes of ${namespace}`,
          'NamespaceIndex',
        ),
      },
    ]),
  ),
});
