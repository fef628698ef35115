/**
 * What a service says about itself, derived from its routes: the index entries and the answer to OPTIONS; the OpenAPI
 * document is made in openapi.ts. Nothing about a route is written twice.
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

/**
 * Clients build their forms from the contexts of a field, so those that hold for all are named too. What only OpenAPI
 * tells of a field stays away.
 */
function withContexts(properties: Readonly<Record<string, Property>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { answered: _answered, optional: _optional, ...property }]) => [
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
