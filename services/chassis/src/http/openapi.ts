/**
 * The OpenAPI 3.1 document of a service, derived from its routes. What holds for every route of a kind (who may ask, why
 * it may fail, how lists are paged, that DELETE answers what was there) is decided here, once; what is particular, the
 * route says under `answers` and `sends`.
 */
import type { ArgTable } from './args';
import { forceArg } from './common-args';
import {
  type Response,
  commonComponents,
  createdHeaders,
  errorShape,
  faultResponse,
  jsonOf,
  notModified,
  openSecurity,
  pagingHeaders,
  responseAt,
  userSecurity,
} from './openapi-common';
import { type Example, type Examples, exampleComponents, exampleKey, withExample } from './openapi-examples';
import { needs, strangersMay } from './openapi-needs';
import { documentPath, variablesOf } from './openapi-paths';
import { JSON_TYPE, hasBody, parameters, requestBody } from './openapi-requests';
import { itemShape } from './openapi-schemas';
import type { ItemSchema } from './present';
import { type AnyRoute, type Method, type Resource, anyone } from './route';
import { type Answers, type Shape, constant, described, either, itemOf, listOf, object } from './shapes';

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
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Response | Shape>>;
  /** Where it is not at that of the document. */
  readonly servers?: readonly object[];
}

const LICENSE = { name: 'MIT', identifier: 'MIT' };

/** `root` is `<SITE_URL>/rest`. */
export function openApi<D>(
  namespace: string,
  resources: readonly Resource<D>[],
  info: OpenApiInfo,
  root: string,
  examples: Examples = {},
): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const resource of resources)
    for (const row of resource.routes) {
      const path = documentPath(`/${namespace}${row.path}`);
      const entry = (paths[path] ??= {});
      const key = exampleKey(row.methods, documentPath(row.path));
      for (const method of row.methods)
        entry[method.toLowerCase()] = operation({
          tag: resource.name,
          row,
          method,
          path,
          key,
          example: examples[key],
        });
    }
  const components = {
    ...commonComponents,
    schemas: { ...commonComponents.schemas, ...itemSchemas(resources) },
    examples: { ...commonComponents.examples, ...exampleComponents(examples) },
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
  readonly key: string;
  readonly example?: Example;
}

function operation<D>(place: Place<D>): Operation {
  const { tag, row, method, path } = place;
  const body = hasBody(method) ? requestBody(row, place.key, place.example) : undefined;
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`,
    summary: row.summary,
    description: [row.description ?? '', sameFor(row), needs(row, method)].filter(Boolean).join(' '),
    tags: [tag],
    security: strangersMay(row) ? openSecurity : userSecurity,
    parameters: parameters(row, method),
    ...(body ? { requestBody: body } : {}),
    responses: responses(place),
  };
}

const sameFor = <D>({ methods }: AnyRoute<D>): string =>
  methods.length > 1 ? `What is not sent stays as it is; ${methods.join(', ')} mean the same.` : '';

// ---- what is answered ------------------------------------------------------------------------------------------------

function responses<D>({ row, method, key, example }: Place<D>): Record<string, Response | Shape> {
  const { answers = {} } = row;
  const also = Object.entries(answers.also ?? {}).map(([status, shape]) => [Number(status), shape] as const);
  const made: Record<string, Response | Shape> = {};
  made[successStatus(row)] = success(row, method);
  for (const [status, shape] of also.filter(([code]) => code < 400))
    made[status] = shape ? inTypes(answers, { description: 'Done.', content: jsonOf(shape) }) : EMPTY;
  if (method === 'GET') made[304] = notModified;
  for (const status of refusals(row, method)) made[status] = fault(status, row);
  if (!example) return made;
  const shown = made[example.status] as Response | undefined;
  if (!shown?.content) return made;
  const type = JSON_TYPE in shown.content ? JSON_TYPE : (answers.file?.[0] ?? '');
  made[example.status] = { ...shown, content: withExample(shown.content, type, key, 'answer') };
  return made;
}

const EMPTY: Response = { description: 'Done.' };

/** Routes that only create answer with what they created. */
const createsOnly = <D>({ methods, schema, path }: AnyRoute<D>): boolean =>
  schema !== undefined && methods.join() === 'POST' && Object.keys(variablesOf(path)).length === 0;

const successStatus = <D>(row: AnyRoute<D>): number => row.answers?.status ?? (createsOnly(row) ? 201 : 200);

const pages = <D>({ args, answers }: AnyRoute<D>, method: Method): boolean =>
  method === 'GET' && 'page' in args && answers?.paged !== false;

function success<D>(row: AnyRoute<D>, method: Method): Response {
  const created = successStatus(row) === 201;
  return inTypes(row.answers, {
    description: created ? 'It was created.' : 'Done.',
    ...(pages(row, method) ? { headers: pagingHeaders } : created ? { headers: createdHeaders } : {}),
    content: row.answers?.file
      ? textIn(row.answers.file)
      : jsonOf(row.answers?.body ?? usualBody(row, method)),
  });
}

function usualBody<D>(row: AnyRoute<D>, method: Method): Shape {
  const { schema } = row;
  if (!schema) return {};
  const item = itemOf(schema);
  if (pages(row, method)) return listOf(item);
  const { force } = row.args as ArgTable;
  if (method !== 'DELETE' || !force) return item;
  const deleted = object({
    deleted: described('It is gone for good.', constant(true)),
    previous: described('What it was.', item),
  });
  return force === forceArg ? either(item, deleted) : deleted;
}

function inTypes({ types = [] }: Answers = {}, response: Response): Response {
  return {
    ...response,
    content: {
      ...response.content,
      ...textIn(types),
    },
  };
}

const textIn = (types: readonly string[]): NonNullable<Response['content']> =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

/** Errors are JSON, whatever a success is, but where the route has other words for them. */
function fault<D>(status: number, { answers = {}, answerError }: AnyRoute<D>): Response | Shape {
  const own = answers.also?.[status];
  const isTyped = answers.types && (answerError ?? answers.typedErrors?.includes(status));
  if (!own && !isTyped) return responseAt(status);
  const response = faultResponse(status, own ? either(errorShape, own) : errorShape);
  return isTyped ? inTypes(answers, response) : response;
}

/** Of every route; of those that may be refused; of those that name something; and so on. */
function refusals<D>(row: AnyRoute<D>, method: Method): number[] {
  const { force } = row.args as ArgTable;
  const writes = method !== 'GET';
  const statuses = [400, 401, 412, 429, 500, 502, 503, 504];
  if (writes || row.permission !== anyone) statuses.push(403);
  if (row.load || Object.keys(variablesOf(row.path)).length > 0) statuses.push(404);
  if (writes) statuses.push(409, 507);
  if (hasBody(method)) statuses.push(408, 413, 415);
  // What is no item has no trash.
  if (method === 'DELETE' && row.schema) statuses.push(force === undefined || force === forceArg ? 410 : 501);
  if (force === forceArg) statuses.push(501);
  statuses.push(...(row.answers?.refuses ?? []));
  statuses.push(
    ...Object.keys(row.answers?.also ?? {})
      .map(Number)
      .filter((status) => status >= 400),
  );
  return [...new Set(statuses)].sort((a, b) => a - b);
}
