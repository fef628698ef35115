/**
 * The OpenAPI 3.1 document of a service, derived from its routes. What holds for every route of a kind (who may ask, why
 * it may fail, how lists are paged, that DELETE answers what was there) is decided here, once; what is particular, the
 * route says under `answers` and `sends`.
 */
import { stranger } from '../actor';
import type { ArgTable } from './args';
import { forceArg } from './common-args';
import {
  type Response,
  commonComponents,
  createdHeaders,
  dispositionParameter,
  embedParameter,
  errorShape,
  faultResponse,
  fieldsParameter,
  jsonOf,
  notModified,
  pagingHeaders,
  responseAt,
} from './openapi-common';
import { argShape, itemShape } from './openapi-schemas';
import type { ItemSchema } from './present';
import { type AnyRoute, type Method, type Resource, anyone } from './route';
import { type Answers, type Shape, constant, either, itemOf, listOf, object } from './shapes';

export interface OpenApiInfo {
  readonly title: string;
  readonly description: string;
  readonly version: string;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Response | Shape>>;
}

const VARIABLE = /\(\?P<(\w+)>((?:[^()[\]]|\[[^\]]*\]|\([^)]*\))*)\)/g;

const LICENSE = { name: 'MIT', identifier: 'MIT' };

/** How documents name the path of a pattern. */
export const documentPath = (pattern: string): string => pattern.replace(VARIABLE, '{$1}');

/** `root` is `<SITE_URL>/rest`. */
export function openApi<D>(
  namespace: string,
  resources: readonly Resource<D>[],
  info: OpenApiInfo,
  root: string,
): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const resource of resources)
    for (const row of resource.routes) {
      const path = documentPath(`/${namespace}${row.path}`);
      const entry = (paths[path] ??= {});
      for (const method of row.methods)
        entry[method.toLowerCase()] = operation({ tag: resource.name, row, method, path });
    }
  const components = {
    ...commonComponents,
    schemas: { ...commonComponents.schemas, ...itemSchemas(resources) },
  };
  return {
    openapi: '3.1.0',
    info: { ...info, license: LICENSE },
    servers: [{ url: root }],
    tags: resources.map(({ name, description }) => ({ name, description })),
    paths,
    components: usedOf(components, paths),
  };
}

type Components = OpenApiDocument['components'];

/** Those that something leads to. */
function usedOf(components: Components, from: object): Components {
  const used = new Set<string>();
  const follow = (part: object): void => {
    for (const [, ref, kind, name] of JSON.stringify(part).matchAll(/"#(\/components\/(\w+)\/([^"]+))"/g)) {
      if (used.has(ref as string)) continue;
      used.add(ref as string);
      const found = components[kind as string]?.[name as string];
      if (!found) throw new Error(`${ref} is not there: no route of the service has this schema`);
      follow(found);
    }
  };
  follow(from);
  const isUsed = (kind: string, name: string): boolean =>
    kind === 'securitySchemes' || used.has(`/components/${kind}/${name}`);
  const kept = Object.entries(components).map(([kind, table]) => [
    kind,
    Object.fromEntries(Object.entries(table).filter(([name]) => isUsed(kind, name))),
  ]);
  return Object.fromEntries(kept) as Components;
}

function itemSchemas<D>(resources: readonly Resource<D>[]): Record<string, Shape> {
  const shapes: Record<string, Shape> = {};
  const known = new Map<string, ItemSchema>();
  for (const { schema } of resources.flatMap(({ routes }) => routes)) {
    if (!schema || known.get(schema.title) === schema) continue;
    if (known.has(schema.title)) throw new Error(`two schemas have the title ${schema.title}`);
    known.set(schema.title, schema);
    shapes[schema.title] = itemShape(schema);
  }
  return shapes;
}

interface Place<D> {
  readonly tag: string;
  readonly row: AnyRoute<D>;
  readonly method: Method;
  readonly path: string;
}

function operation<D>(place: Place<D>): Operation {
  const { tag, row, method, path } = place;
  const body = hasBody(method) ? requestBody(row) : undefined;
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`,
    summary: row.summary,
    tags: [tag],
    security: strangersMay(row) ? [{}, { basic: [] }] : [{ basic: [] }],
    parameters: parameters(row, method),
    ...(body ? { requestBody: body } : {}),
    responses: responses(place),
  };
}

const hasBody = (method: Method): boolean => method !== 'GET' && method !== 'DELETE';

/**
 * Asked as OPTIONS asks: without a subject, of nobody in particular. A permission that looks at more than it is given
 * here may let strangers in, which depends on how the site is set up.
 */
function strangersMay<D>(row: AnyRoute<D>): boolean {
  if (row.permission === anyone) return true;
  const args = Object.fromEntries(Object.keys(variablesOf(row.path)).map((name) => [name, undefined]));
  try {
    return !row.permission({
      deps: undefined as D,
      actor: stranger,
      subject: undefined,
      args,
      sent: new Set(),
    });
  } catch {
    return true;
  }
}

const variablesOf = (pattern: string): Record<string, string> =>
  Object.fromEntries(
    [...pattern.matchAll(VARIABLE)].map((match) => [match[1] as string, match[2] as string]),
  );

// ---- what is asked ---------------------------------------------------------------------------------------------------

function parameters<D>(row: AnyRoute<D>, method: Method): object[] {
  const args = row.args as ArgTable;
  const variables = variablesOf(row.path);
  const inPath = Object.entries(variables).map(([name, pattern]) => ({
    name,
    in: 'path',
    required: true,
    description: args[name]?.description ?? name,
    schema: pattern === '[\\d]+' ? { type: 'integer', minimum: 0 } : { type: 'string' },
  }));
  const inQuery = hasBody(method)
    ? []
    : Object.entries(args)
        .filter(([name]) => !(name in variables))
        .map(([name, arg]) => ({
          name,
          in: 'query',
          ...(arg.required ? { required: true } : {}),
          description: arg.description,
          schema: argShape(arg),
          ...(arg.type === 'array' ? { style: 'form', explode: false } : {}),
        }));
  return [
    ...inPath,
    ...inQuery,
    ...(hasBody(method) && row.sends?.file !== undefined ? [dispositionParameter] : []),
    fieldsParameter,
    ...(row.schema?.linked === 'followed' ? [embedParameter] : []),
  ];
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
/** What a file is nothing is known of: any bytes. */
const BYTES = { type: 'string', format: 'binary' } as const;

function requestBody<D>({ args, path, sends = {} }: AnyRoute<D>): object | undefined {
  if (sends.json) return { required: true, content: jsonOf(sends.json) };
  const { properties, required } = bodyProperties(args as ArgTable, path, sends.properties);
  const fields = {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(sends.form ? { additionalProperties: true } : {}),
  };
  if (sends.file !== undefined)
    return {
      required: true,
      content: {
        '*/*': { schema: BYTES },
        [MULTIPART_TYPE]: {
          schema: {
            ...fields,
            properties: { [sends.file]: BYTES, ...properties },
            required: [sends.file, ...required],
          },
        },
      },
    };
  if (Object.keys(properties).length === 0 && !sends.form) return undefined;
  return {
    ...(required.length > 0 ? { required: true } : {}),
    content: {
      [JSON_TYPE]: { schema: fields },
      [FORM_TYPE]: { schema: fields },
      [MULTIPART_TYPE]: { schema: fields },
    },
  };
}

function bodyProperties(
  args: ArgTable,
  path: string,
  more: Readonly<Record<string, Shape>> = {},
): { properties: Record<string, Shape>; required: string[] } {
  const variables = variablesOf(path);
  const own = Object.entries(args).filter(([name]) => !(name in variables));
  return {
    properties: {
      ...Object.fromEntries(
        own.map(([name, arg]) => [name, { ...argShape(arg), description: arg.description }]),
      ),
      ...more,
    },
    required: own.filter(([, arg]) => arg.required).map(([name]) => name),
  };
}

// ---- what is answered ------------------------------------------------------------------------------------------------

function responses<D>({ row, method }: Place<D>): Record<string, Response | Shape> {
  const { answers = {} } = row;
  const also = Object.entries(answers.also ?? {}).map(([status, shape]) => [Number(status), shape] as const);
  const made: Record<string, Response | Shape> = {};
  made[successStatus(row)] = success(row, method);
  for (const [status, shape] of also.filter(([code]) => code < 400))
    made[status] = shape ? inTypes(answers, { description: 'Done.', content: jsonOf(shape) }) : EMPTY;
  if (method === 'GET') made[304] = notModified;
  for (const status of refusals(row, method)) made[status] = fault(status, answers);
  return made;
}

const EMPTY: Response = { description: 'Done.' };

/** Routes that only create answer with what they created. */
const createsOnly = <D>({ methods, schema, path }: AnyRoute<D>): boolean =>
  schema !== undefined && methods.join() === 'POST' && Object.keys(variablesOf(path)).length === 0;

const successStatus = <D>(row: AnyRoute<D>): number => row.answers?.status ?? (createsOnly(row) ? 201 : 200);

const pages = <D>({ args }: AnyRoute<D>, method: Method): boolean => method === 'GET' && 'page' in args;

function success<D>(row: AnyRoute<D>, method: Method): Response {
  const created = successStatus(row) === 201;
  return inTypes(row.answers, {
    description: created ? 'It was created.' : 'Done.',
    ...(pages(row, method) ? { headers: pagingHeaders } : created ? { headers: createdHeaders } : {}),
    content: jsonOf(row.answers?.body ?? usualBody(row, method)),
  });
}

function usualBody<D>(row: AnyRoute<D>, method: Method): Shape {
  const { schema } = row;
  if (!schema) return {};
  const item = itemOf(schema);
  if (pages(row, method)) return listOf(item);
  const { force } = row.args as ArgTable;
  if (method !== 'DELETE' || !force) return item;
  const deleted = object({ deleted: constant(true), previous: item });
  return force === forceArg ? either(item, deleted) : deleted;
}

function inTypes({ types = [] }: Answers = {}, response: Response): Response {
  return {
    ...response,
    content: {
      ...response.content,
      ...Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
    },
  };
}

function fault(status: number, answers: Answers): Response | Shape {
  const own = answers.also?.[status];
  if (!own && !answers.types) return responseAt(status);
  return inTypes(answers, faultResponse(status, own ? either(errorShape, own) : errorShape));
}

/** Of every route; of those that may be refused; of those that name something; and so on. */
function refusals<D>(row: AnyRoute<D>, method: Method): number[] {
  const { force } = row.args as ArgTable;
  const writes = method !== 'GET';
  const statuses = [400, 401, 429, 500, 502, 503, 504];
  if (writes || row.permission !== anyone) statuses.push(403);
  if (row.load || Object.keys(variablesOf(row.path)).length > 0) statuses.push(404);
  if (writes) statuses.push(409, 507);
  if (hasBody(method)) statuses.push(408, 413, 415);
  if (method === 'DELETE') statuses.push(force === undefined || force === forceArg ? 410 : 501);
  if (force === forceArg) statuses.push(501);
  statuses.push(...(row.answers?.refuses ?? []));
  statuses.push(
    ...Object.keys(row.answers?.also ?? {})
      .map(Number)
      .filter((status) => status >= 400),
  );
  return [...new Set(statuses)].sort((a, b) => a - b);
}
