/**
 * One OpenAPI document for the whole site, merged from those of the services. What all of them share keeps its name;
 * what is a service's own has its namespace before it.
 */
import { commonComponents } from '@sevenfold/chassis/http/openapi-common';
import type { OpenApiDocument } from '@sevenfold/chassis/http/openapi';
import { version } from '@sevenfold/chassis/version';
import { consoleDescription, mapOperations } from '../console/document';
import { INDEX, indexExamples, indexPaths, indexSchemas } from './index-operations';

interface Part {
  readonly namespace: string;
  readonly document: OpenApiDocument;
}

type Components = Record<string, Record<string, object>>;

/** `root` is `<SITE_URL>/rest`. */
export function mergeDocuments(parts: readonly Part[], root: string): OpenApiDocument {
  const own = parts.map(renamed);
  const components = joined(own.map(({ document }) => document));
  const namespaces = parts.map(({ namespace }) => namespace);
  return {
    openapi: '3.1.0',
    info: {
      title: 'REST interface of the site',
      description:
        'All namespaces, and what stands beside them under `/console/api`. Every route of a namespace also takes `_envelope` (status and headers beside the body), `_pretty` and, where a client cannot send other methods, `_method`.',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: root }],
    tags: [
      { name: INDEX, description: 'What there is, as data.' },
      ...own.flatMap(({ document }) => document.tags),
    ],
    paths: Object.assign(indexPaths(namespaces), ...own.map(({ document }) => document.paths)) as Paths,
    components: {
      ...components,
      schemas: { ...components.schemas, ...indexSchemas },
      examples: { ...components.examples, ...indexExamples },
    },
  };
}

/** What has one name is the same. */
function joined(documents: readonly Pick<OpenApiDocument, 'components'>[]): Components {
  const components: Components = {};
  for (const { components: parts } of documents)
    for (const [kind, table] of Object.entries(parts)) components[kind] = { ...components[kind], ...table };
  return components;
}

type Paths = OpenApiDocument['paths'];

/** The interface of the console stands beside that of the site, so each of its operations says where it is. */
export function withConsole(site: OpenApiDocument, document: OpenApiDocument): OpenApiDocument {
  const { servers } = document;
  const { document: own } = renamed({ namespace: consoleDescription.namespace, document });
  return {
    ...site,
    tags: [...site.tags, ...own.tags],
    paths: { ...site.paths, ...mapOperations(own.paths, (operation) => ({ ...operation, servers })) },
    components: joined([site, own]),
  };
}

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
      paths: mapOperations(walked.paths, (operation) => ({ ...operation, tags: operation.tags.map(tagOf) })),
      components: Object.fromEntries(
        Object.entries(walked.components).map(([kind, table]) => [
          kind,
          Object.fromEntries(Object.entries(table).map(([name, value]) => [nameOf(kind, name), value])),
        ]),
      ),
    },
  };
}
