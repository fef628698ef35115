/**
 * Holds answers against the OpenAPI document of the service that gave them, so that the one cannot drift from the other:
 * each status, type, header and field must be declared, and what is required must be there. Only what tests meet is ever
 * compiled.
 */
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parseQuery } from '../http/body';
import { matcher, trimSlash } from '../http/match';
import { type OpenApiDocument, openApi } from '../http/openapi';
import { documentPath } from '../http/openapi-paths';
import type { Resource } from '../http/route';

export interface Described {
  readonly namespace: string;
  readonly title: string;
  readonly description: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- of whatever service
  readonly resources: readonly Resource<any>[];
}

export interface Exchanged {
  readonly method: string;
  /** Headers of the request. */
  readonly sent: Readonly<Record<string, string>>;
  /** Below the namespace, with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Throws where an answer is not as the document says. What no route answers is not looked at. */
export type Conformity = (exchanged: Exchanged) => void;

const made = new WeakMap<object, Conformity>();

/** Made once for each service of a test file. */
export function conformityOf(service: Described): Conformity {
  let conformity = made.get(service);
  if (!conformity) made.set(service, (conformity = make(service)));
  return conformity;
}

interface Declared {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

function make({ namespace, title, description, resources }: Described): Conformity {
  const document = openApi(namespace, resources, { title, description, version: '1' }, '');
  const find = matcher(namespace, resources);
  const bodies = validators(document);

  return ({ method: asked, path: target, sent, status, headers, text }) => {
    const method = asked === 'HEAD' ? 'GET' : asked;
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? {} : parsed(target.slice(mark + 1));
    if (!query || isChanged(query, sent)) return;
    const place = patternOf(() => find(trimSlash(path))?.place);
    if (!place?.byMethod.has(method)) return;
    const pointer = ['paths', documentPath(place.pattern), method.toLowerCase(), 'responses', String(status)];
    const fail = (reason: string): never => {
      throw new Error(
        `The OpenAPI document of ${namespace} does not know this answer: ${asked} ${target} → ${status}: ${reason}\n${text.slice(0, 1_500)}`,
      );
    };
    const declared = resolved(document, pointer);
    if (!declared) return fail('the status is not declared');
    for (const [name, { $ref }] of Object.entries(declared.value.headers ?? {})) {
      const isRequired = (lookUp(document, stepsOf($ref)) as { required?: true }).required;
      if (isRequired && !headers.has(name)) fail(`${name} is missing`);
    }
    if (asked === 'HEAD' || text === '') return;
    const type = (headers.get('content-type') ?? '').split(';', 1)[0] as string;
    if (!(type in (declared.value.content ?? {}))) return fail(`it comes as ${type}, which is not declared`);
    if (type !== 'application/json') return;
    const validate = bodies([...declared.pointer, 'content', type, 'schema'], '_fields' in query);
    if (!validate(JSON.parse(text))) fail(reasonsOf(validate.errors ?? []));
  };
}

/** The gateway takes another method, or puts another answer around that of the service. */
const isChanged = (
  query: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, string>>,
): boolean =>
  '_method' in query ||
  '_envelope' in query ||
  Object.keys(sent).some((name) => name.toLowerCase() === 'x-http-method-override');

function parsed(search: string): Record<string, unknown> | undefined {
  try {
    return parseQuery(search);
  } catch {
    return undefined;
  }
}

/** An address that cannot be decoded names no place. */
function patternOf<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

const stepsOf = (ref: string): string[] => ref.slice(2).split('/');

const lookUp = (document: OpenApiDocument, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], document);

function resolved(
  document: OpenApiDocument,
  pointer: readonly string[],
): { readonly value: Declared; readonly pointer: readonly string[] } | undefined {
  const value = lookUp(document, pointer) as (Declared & { $ref?: string }) | undefined;
  if (!value) return undefined;
  return value.$ref === undefined ? { value, pointer } : resolved(document, stepsOf(value.$ref));
}

const MOST_REASONS = 8;

const reasonsOf = (errors: readonly ErrorObject[]): string =>
  errors
    .slice(0, MOST_REASONS)
    .map(({ instancePath, message, params }) => {
      const { additionalProperty } = params as { additionalProperty?: string };
      return `${instancePath === '' ? 'the body' : instancePath} ${message}${additionalProperty === undefined ? '' : `: ${additionalProperty}`}`;
    })
    .join('; ');

// ---- validators ------------------------------------------------------------------------------------------------------

type Validators = (pointer: readonly string[], partial: boolean) => ValidateFunction;

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

function validators(document: OpenApiDocument): Validators {
  // What the documents themselves are worth is a test of its own, and each test file compiles anew: this saves most of the time.
  const ajv = addFormats(
    new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } }),
  );
  ajv.addFormat('date-time-local', LOCAL).addFormat('binary', true);
  const known = new Map<string, ValidateFunction>();
  const added = new Set<string>();
  return (pointer, partial) => {
    const root = partial ? 'partial' : 'whole';
    if (!added.has(root)) {
      ajv.addSchema(asRead(document, partial), root);
      added.add(root);
    }
    const ref = `${root}#/${pointer.map(escaped).join('/')}`;
    let validate = known.get(ref);
    if (!validate) {
      validate = ajv.getSchema(ref);
      if (!validate) throw new Error(`there is nothing at ${ref}`);
      known.set(ref, validate);
    }
    return validate;
  };
}

const escaped = (step: string): string =>
  encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * The document as tests read it: an object has no field that it does not name, unless it says so; with `_fields` none is
 * required, and one that kept nothing is an empty list.
 */
function asRead(document: OpenApiDocument, partial: boolean): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (_name, node: unknown) => {
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return node;
    const { required, ...schema } = node as Record<string, unknown>;
    if (!isObject(schema)) return node;
    const closed =
      'properties' in schema && !('additionalProperties' in schema) ? { additionalProperties: false } : {};
    if (partial) return { ...schema, ...closed, type: ['object', 'array', schema.type].flat() };
    return { ...schema, ...closed, ...(required === undefined ? {} : { required }) };
  }) as OpenApiDocument;
}

const isObject = ({ type }: Record<string, unknown>): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'));
