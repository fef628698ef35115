/**
 * What a service says about itself, all derived from its routes: the index entries, the answer to OPTIONS, and an
 * OpenAPI 3.1 document. Nothing about a route is written twice.
 */
import type { Arg, ArgTable } from './args';
import type { ItemSchema, Property } from './present';
import type { AnyRoute, Method, Resource } from './route';

export interface ArgDescriptor {
  required: boolean;
  default?: unknown;
  enum?: readonly unknown[];
  description?: string;
  type?: string;
  items?: { type: string; enum?: readonly string[] };
}

export interface EndpointEntry {
  methods: Method[];
  args: Record<string, ArgDescriptor> | never[];
}

export interface RouteEntry {
  namespace: string;
  methods: Method[];
  endpoints: EndpointEntry[];
  _links?: { self: string };
}

const hasVariable = (pattern: string): boolean => pattern.includes('(?P<');

/** `root` is `<SITE_URL>/rest`. */
export function routeEntry(
  namespace: string,
  pattern: string,
  routes: readonly Pick<AnyRoute<unknown>, 'methods' | 'args'>[],
  root: string,
): RouteEntry {
  const methods = [...new Set(routes.flatMap((row) => [...row.methods]))];
  const entry: RouteEntry = {
    namespace,
    methods,
    endpoints: routes.map((row) => ({ methods: [...row.methods], args: describeArgs(row.args as ArgTable) })),
  };
  if (!hasVariable(pattern)) entry._links = { self: `${root}${pattern}` };
  return entry;
}

function describeArgs(table: ArgTable): Record<string, ArgDescriptor> | never[] {
  const described: Record<string, ArgDescriptor> = {};
  for (const [name, arg] of Object.entries(table)) if (!arg.unlisted) described[name] = describeArg(arg);
  return Object.keys(described).length === 0 ? [] : described;
}

function describeArg(arg: Arg): ArgDescriptor {
  const descriptor: ArgDescriptor = { required: arg.required ?? false };
  if (arg.default !== undefined)
    descriptor.default = typeof arg.default === 'function' ? (arg.default as () => unknown)() : arg.default;
  if (arg.enum) descriptor.enum = arg.enum;
  if (arg.description !== '') descriptor.description = arg.description;
  if (arg.type) descriptor.type = arg.type;
  if (arg.items)
    descriptor.items = { type: arg.items.type, ...(arg.items.enum ? { enum: arg.items.enum } : {}) };
  return descriptor;
}

/** Groups routes by pattern in the order of declaration. */
export function byPattern<D>(
  namespace: string,
  resources: readonly Resource<D>[],
): Map<string, AnyRoute<D>[]> {
  const groups = new Map<string, AnyRoute<D>[]>();
  for (const resource of resources) {
    for (const row of resource.routes) {
      const pattern = `/${namespace}${row.path}`;
      const group = groups.get(pattern);
      if (group) group.push(row);
      else groups.set(pattern, [row]);
    }
  }
  return groups;
}

export function describeRoutes<D>(
  namespace: string,
  resources: readonly Resource<D>[],
  root: string,
): Record<string, RouteEntry> {
  const entries: Record<string, RouteEntry> = {};
  for (const [pattern, routes] of byPattern(namespace, resources)) {
    const listed = routes.filter((row) => !row.unlisted);
    if (listed.length > 0) entries[pattern] = routeEntry(namespace, pattern, listed, root);
  }
  return entries;
}

/** The JSON schema that OPTIONS shows, in the draft-04 form clients of this interface know. */
function jsonSchema(schema: ItemSchema): object {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: schema.title,
    type: 'object',
    properties: withContexts(schema.properties),
  };
}

const EVERY_CONTEXT = ['view', 'edit', 'embed'] as const;

/** Clients build their forms from the contexts of a field, so those that hold for all are named too. */
function withContexts(properties: Readonly<Record<string, Property>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      {
        ...property,
        context: property.context ?? EVERY_CONTEXT,
        ...(property.properties ? { properties: withContexts(property.properties) } : {}),
      },
    ]),
  );
}

export function optionsBody<D>(
  namespace: string,
  pattern: string,
  routes: readonly AnyRoute<D>[],
  root: string,
): object {
  const { methods, endpoints, _links } = routeEntry(namespace, pattern, routes, root);
  const schema = routes.find((row) => row.schema)?.schema;
  return {
    namespace,
    methods,
    endpoints,
    ...(schema ? { schema: jsonSchema(schema) } : {}),
    ...(_links ? { _links: { self: [{ href: _links.self }] } } : {}),
  };
}

// ---- OpenAPI 3.1 -------------------------------------------------------------------------------------------------

export interface OpenApiInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

const VARIABLE = /\(\?P<(\w+)>((?:[^()[\]]|\[[^\]]*\]|\([^)]*\))*)\)/g;

export function openApi<D>(
  namespace: string,
  resources: readonly Resource<D>[],
  info: OpenApiInfo,
  root: string,
): object {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = { Error: ERROR_SCHEMA };
  for (const resource of resources) {
    for (const row of resource.routes) {
      if (row.schema)
        schemas[row.schema.title] = { type: 'object', properties: openApiProperties(row.schema.properties) };
      const path = `/${namespace}${row.path.replace(VARIABLE, '{$1}')}`;
      const entry = (paths[path] ??= {});
      for (const method of row.methods) entry[method.toLowerCase()] = operation(resource, row, method, path);
    }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: root }],
    paths,
    components: { schemas, securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
  };
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    data: { type: 'object', required: ['status'], properties: { status: { type: 'integer' } } },
  },
};

function operation<D>(resource: Resource<D>, row: AnyRoute<D>, method: Method, path: string): object {
  const inPath = new Map(
    [...row.path.matchAll(VARIABLE)].map((match) => [match[1] as string, match[2] as string]),
  );
  const parameters: object[] = [];
  const properties: Record<string, object> = {};
  const required: string[] = [];
  for (const [name, arg] of Object.entries(row.args as ArgTable)) {
    if (inPath.has(name)) continue;
    const schema = argSchema(arg);
    if (method === 'GET' || method === 'DELETE') {
      const list = arg.type === 'array' ? { style: 'form', explode: false } : {};
      parameters.push({
        name,
        in: 'query',
        required: arg.required ?? false,
        description: arg.description,
        schema,
        ...list,
      });
    } else {
      properties[name] = { ...schema, description: arg.description };
      if (arg.required) required.push(name);
    }
  }
  for (const [name, pattern] of inPath) {
    const schema = pattern === '[\\d]+' ? { type: 'integer', minimum: 0 } : { type: 'string' };
    parameters.unshift({
      name,
      in: 'path',
      required: true,
      description: (row.args as ArgTable)[name]?.description ?? name,
      schema,
    });
  }
  const item = row.schema ? { $ref: `#/components/schemas/${row.schema.title}` } : {};
  const body =
    Object.keys(properties).length > 0
      ? { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
      : undefined;
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, '_')}`,
    summary: row.summary,
    tags: [resource.name],
    parameters,
    ...(body ? { requestBody: { content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      [method === 'POST' && inPath.size === 0 ? '201' : '200']: {
        description: 'Done.',
        content: { 'application/json': { schema: item } },
      },
      '4XX': {
        description: 'The request was refused.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function argSchema(arg: Arg): object {
  const types = arg.type ? [...new Set([arg.type, ...(arg.accept ?? [])])] : [];
  const dynamic = typeof arg.default === 'function';
  return {
    ...(types.length === 1 ? { type: types[0] } : types.length > 1 ? { type: types } : {}),
    ...(arg.enum ? { enum: arg.enum } : {}),
    ...(arg.items ? { items: arg.items } : arg.type === 'array' ? { items: {} } : {}),
    ...(arg.default !== undefined && !dynamic ? { default: arg.default } : {}),
    ...(arg.minimum !== undefined ? { minimum: arg.minimum } : {}),
    ...(arg.maximum !== undefined ? { maximum: arg.maximum } : {}),
    ...(arg.minLength !== undefined ? { minLength: arg.minLength } : {}),
    ...(arg.maxLength !== undefined ? { maxLength: arg.maxLength } : {}),
    ...(arg.format ? { format: arg.format } : {}),
  };
}

function openApiProperties(properties: Readonly<Record<string, Property>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, openApiProperty(property)]),
  );
}

function openApiProperty(property: Property): object {
  const { context: _context, readonly, properties, items, additionalProperties, ...rest } = property;
  return {
    ...rest,
    ...(readonly ? { readOnly: true } : {}),
    ...(items
      ? {
          items: {
            ...items,
            ...(items.properties ? { properties: openApiProperties(items.properties) } : {}),
          },
        }
      : {}),
    ...(properties ? { properties: openApiProperties(properties) } : {}),
    ...(additionalProperties ? { additionalProperties: openApiProperty(additionalProperties) } : {}),
  };
}
