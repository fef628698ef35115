/**
 * The Swagger 2.0 document of this namespace, derived from the declarations of the routes: what the index shows, in the
 * form that tools of its time read. POST stands for PUT and PATCH, which do the same.
 */
import type { Arg, ArgTable } from '@sevenfold/chassis/http/args';
import type { ItemSchema, Property } from '@sevenfold/chassis/http/present';
import type { AnyRoute, Resource } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { definitionNames, namedParts } from './definitions';

type Json = Record<string, unknown>;
type Properties = Readonly<Record<string, Property>>;

const VARIABLE = /\(\?P<(\w+)>(?:\[[^\]]*\]|[^()[])*\)/g;
const METHODS = ['GET', 'POST', 'DELETE'] as const;

export function swagger(resources: readonly Resource<Deps>[], siteUrl: string): Json {
  const site = new URL(siteUrl);
  const paths: Record<string, Json> = {};
  for (const resource of resources)
    for (const row of resource.routes) {
      const path = row.path.replace(VARIABLE, '{$1}');
      for (const method of METHODS)
        if (row.methods.includes(method))
          (paths[path] ??= {})[method.toLowerCase()] = operation(resource.name, row, method, path);
    }
  return {
    swagger: '2.0',
    info: {
      version: '1.0.0',
      title: 'Events calendar',
      description: 'Events, venues, organizers and their terms.',
    },
    host: site.host,
    basePath: `${site.pathname.replace(/\/$/, '')}/rest/calendar/events/v1`,
    schemes: [site.protocol.slice(0, -1)],
    consumes: ['application/x-www-form-urlencoded', 'multipart/form-data'],
    produces: ['application/json'],
    securityDefinitions: { basic: { type: 'basic', description: 'User name and application password.' } },
    paths,
    definitions: definitions(),
  };
}

function operation(
  resource: string,
  row: AnyRoute<Deps>,
  method: (typeof METHODS)[number],
  path: string,
): Json {
  const variables = [...row.path.matchAll(VARIABLE)].map((match) => match[1] as string);
  const rest = method === 'POST' ? 'formData' : 'query';
  const parameters = Object.entries(row.args as ArgTable).map(([name, arg]) =>
    parameter(name, variables.includes(name) ? 'path' : rest, arg),
  );
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z]+/g, '_').replace(/_$/, '')}`,
    summary: row.summary,
    tags: [resource],
    parameters,
    ...(method === 'GET' ? {} : { security: [{ basic: [] }] }),
    responses: responses(resource, row, method, variables.length > 0),
  };
}

function parameter(name: string, place: string, arg: Arg): Json {
  const isList = arg.type === 'array' || (arg.type === undefined && arg.items !== undefined);
  const type = isList ? 'array' : arg.type === undefined || arg.type === 'object' ? 'string' : arg.type;
  const required = place === 'path' || (arg.required ?? false);
  const item = arg.items?.type === 'object' ? 'string' : (arg.items?.type ?? 'string');
  return {
    name,
    in: place,
    type,
    required,
    ...(required ? {} : defaultOf(arg, type)),
    description: arg.description,
    ...(isList ? { collectionFormat: 'csv', items: { type: item } } : {}),
    ...(arg.enum ? { enum: arg.enum } : {}),
    ...(arg.minimum === undefined ? {} : { minimum: arg.minimum }),
    ...(arg.maximum === undefined ? {} : { maximum: arg.maximum }),
  };
}

function defaultOf(arg: Arg, type: string): Json {
  const value: unknown = typeof arg.default === 'function' ? (arg.default as () => unknown)() : arg.default;
  if (value !== undefined) return { default: value };
  return type === 'string' && !arg.enum ? { default: '' } : {};
}

// ---- answers ---------------------------------------------------------------------------------------------------------

const faults = {
  400: 'An argument is missing or cannot be used.',
  401: 'It takes a user with more rights, and nobody is logged in.',
  403: 'The user has not the right to do this.',
  404: 'There is no such thing, or no such page.',
  410: 'It is in the trash already.',
} as const;

function responses(resource: string, row: AnyRoute<Deps>, method: string, isItem: boolean): Json {
  const shape = row.schema ? { $ref: refOf(row.schema) } : { type: 'object' };
  const codes: (keyof typeof faults)[] = [];
  if (row.schema) codes.push(400);
  if (method !== 'GET' || (isItem && row.load)) codes.push(401, 403);
  if (isItem || (method === 'GET' && row.schema)) codes.push(404);
  if (method === 'DELETE') codes.push(410);
  const created = method === 'POST' && !isItem;
  return {
    [created ? 201 : 200]: {
      description: created ? 'It was created.' : 'Done.',
      schema: !isItem && method === 'GET' && row.schema ? envelope(resource, shape) : shape,
    },
    ...Object.fromEntries(
      codes.map((code) => [code, { description: faults[code], schema: { $ref: '#/definitions/Error' } }]),
    ),
  };
}

const envelope = (resource: string, item: object): Json => ({
  type: 'object',
  properties: {
    [resource]: { type: 'array', items: item },
    rest_url: { type: 'string', format: 'uri', description: 'Address of this page.' },
    next_rest_url: {
      type: 'string',
      format: 'uri',
      description: 'Address of the next page, if there is one.',
    },
    previous_rest_url: {
      type: 'string',
      format: 'uri',
      description: 'Address of the previous page, if there is one.',
    },
    total: { type: 'integer', description: 'How many there are in all.' },
    total_pages: { type: 'integer', description: 'How many pages there are.' },
  },
});

// ---- definitions -----------------------------------------------------------------------------------------------------

const keyOf = (properties: Properties): string => Object.keys(properties).sort().join();

const nameByShape: ReadonlyMap<string, string> = new Map(
  Object.entries(namedParts).map(([name, { properties }]) => [keyOf(properties), name]),
);

function refOf({ title, properties }: ItemSchema): string {
  const name = definitionNames[title] ?? nameByShape.get(keyOf(properties));
  if (name === undefined) throw new Error(`the schema ${title} has no definition`);
  return `#/definitions/${name}`;
}

function definitions(): Json {
  const error = {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'string', description: 'Identifier of the fault.' },
      message: { type: 'string', description: 'What is wrong, in words.' },
      data: { type: 'object', properties: { status: { type: 'integer', description: 'HTTP status.' } } },
    },
  };
  const parts = Object.entries(namedParts).map(([name, { description, properties }]) => [
    name,
    { type: 'object', ...(description ? { description } : {}), properties: convertAll(properties) },
  ]);
  return { ...(Object.fromEntries(parts) as Json), Error: error };
}

const convertAll = (properties: Properties): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, convert(property)]));

/** What is an object or something that stands for its absence is described as the object. */
function convert(property: Property): Json {
  const { properties, items, additionalProperties } = property;
  const name = properties && nameByShape.get(keyOf(properties));
  if (name !== undefined) return { $ref: `#/definitions/${name}` };
  const types = typeof property.type === 'string' ? [property.type] : property.type;
  const type = types.find((one) => one === 'object') ?? types[0];
  return {
    type,
    description: property.description,
    ...(property.format ? { format: property.format } : {}),
    ...(property.enum ? { enum: property.enum } : {}),
    ...(property.readonly ? { readOnly: true } : {}),
    ...(properties ? { properties: convertAll(properties) } : {}),
    ...(additionalProperties ? { additionalProperties: convert(additionalProperties) } : {}),
    ...(type === 'array'
      ? { items: items ? convert({ description: '', ...items, enum: undefined }) : { type: 'string' } }
      : {}),
  };
}
