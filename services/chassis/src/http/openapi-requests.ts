/** What an operation takes, as OpenAPI has it: parameters of path and query, and bodies, which follow from the arguments. */
import type { ArgTable } from './args';
import {
  type Response,
  dispositionParameter,
  embedParameter,
  fieldsParameter,
  jsonOf,
} from './openapi-common';
import { type Example, withExample } from './openapi-examples';
import { variablesOf } from './openapi-paths';
import { argShape } from './openapi-schemas';
import type { AnyRoute, Method } from './route';
import type { Shape } from './shapes';

export const hasBody = (method: Method): boolean => method !== 'GET' && method !== 'DELETE';

export function parameters<D>(row: AnyRoute<D>, method: Method): object[] {
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

export const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
/** What a file is nothing is known of: any bytes. */
const BYTES = { type: 'string', format: 'binary', description: 'The bytes of the file.' } as const;

interface Body {
  readonly required?: true;
  readonly content: NonNullable<Response['content']>;
}

/** `key` names the recorded exchange, if there is one. */
export function requestBody<D>(row: AnyRoute<D>, key: string, example?: Example): Body | undefined {
  const body = plainBody(row);
  if (!body || !example?.sent) return body;
  return { ...body, content: withExample(body.content, example.sent.type, key, 'request') };
}

function plainBody<D>({ args, path, sends = {} }: AnyRoute<D>): Body | undefined {
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
