/** The indexes, which are the gateway's own, as the OpenAPI document of the site describes them. */
import path from 'node:path';
import type { Operation } from '@sevenfold/chassis/http/openapi';
import { faultResponse, fieldsParameter, jsonOf, openSecurity } from '@sevenfold/chassis/http/openapi-common';
import {
  exampleComponents,
  exampleKey,
  readExamples,
  withExample,
} from '@sevenfold/chassis/http/openapi-examples';
import * as shape from '@sevenfold/chassis/http/shapes';

/** Their tag. */
export const INDEX = 'index';

const argument = {
  ...shape.object(
    {
      required: shape.described('Whether a request without it is refused.', shape.flag),
      default: { description: 'What it is where it is not sent.' },
      enum: shape.described('What it may be.', shape.listOf({})),
      description: shape.described('What it is for.', shape.text),
      type: shape.described('Type of its value.', shape.text),
      items: shape.described('Of a list: what each entry is.', shape.anyObject),
    },
    'default',
    'enum',
    'description',
    'type',
    'items',
  ),
};

const methods = shape.described('Methods that are answered.', shape.listOf(shape.text));

const href = shape.described('Address that it leads to.', shape.text);

const routes = shape.described(
  'Routes by their pattern.',
  shape.mapOf(
    shape.object(
      {
        namespace: shape.described('Namespace that it is of.', shape.text),
        methods,
        endpoints: shape.described(
          'What takes the same arguments.',
          shape.listOf(
            shape.object({
              methods,
              args: shape.described(
                'Arguments by name; an empty list where there is none.',
                shape.either(shape.mapOf(argument), shape.emptyList),
              ),
            }),
          ),
        ),
        _links: shape.described('Where it is, if it names nothing.', shape.object({ self: href })),
      },
      '_links',
    ),
  ),
);

const links = shape.described('Links by their relation.', shape.mapOf(shape.listOf(shape.object({ href }))));

export const indexSchemas = {
  SiteIndex: shape.object({
    name: shape.described('Title of the site.', shape.text),
    description: shape.described('What it is about.', shape.text),
    url: shape.described('Address of the site.', shape.text),
    home: shape.described('Address of its front page.', shape.text),
    gmt_offset: shape.described('How many hours its clock is before UTC now.', shape.integer),
    timezone_string: shape.described('Name of its time zone, where it has one.', shape.text),
    namespaces: shape.described('Namespaces of its interface.', shape.listOf(shape.text)),
    authentication: shape.described('Always an empty list.', shape.emptyList),
    routes,
    _links: links,
  }),
  NamespaceIndex: shape.object({
    namespace: shape.described('The namespace.', shape.text),
    routes,
    _links: links,
  }),
};

const context = {
  name: 'context',
  in: 'query',
  description: 'Which fields are shown.',
  schema: { type: 'string', default: 'view' },
};

/** Recorded with the others; an index is long, so of its routes they show one. */
const examples = readExamples(path.resolve(__dirname, '../../examples.json'));
export const indexExamples = exampleComponents(examples);

interface Index {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
}

const indexOperation = ({ id, path: place, summary, description, schema }: Index): Operation => ({
  operationId: id,
  summary,
  description: `${description} Everybody may ask.`,
  tags: [INDEX],
  security: openSecurity,
  parameters: [context, fieldsParameter],
  responses: {
    200: {
      description: 'Done.',
      content: shown(jsonOf({ $ref: `#/components/schemas/${schema}` }), exampleKey(['GET'], place)),
    },
    ...Object.fromEntries(
      [400, 401, 404, 412, 429, 500, 503].map((status) => [status, faultResponse(status)]),
    ),
  },
});

const shown = (content: ReturnType<typeof jsonOf>, key: string): typeof content =>
  key in examples ? withExample(content, 'application/json', key, 'answer') : content;

export const indexPaths = (namespaces: readonly string[]): Record<string, Record<string, Operation>> => ({
  '/': {
    get: indexOperation({
      id: 'get_index',
      path: '/',
      summary: 'The site and all of its routes',
      description: 'What the site is called, and which routes its interface has with which arguments.',
      schema: 'SiteIndex',
    }),
  },
  ...Object.fromEntries(
    namespaces.map((namespace) => [
      `/${namespace}`,
      {
        get: indexOperation({
          id: `get_index_of_${namespace.replace(/[^A-Za-z0-9]+/g, '_')}`,
          path: `/${namespace}`,
          summary: `The routes of ${namespace}`,
          description: 'Which routes the namespace has, and which arguments they take.',
          schema: 'NamespaceIndex',
        }),
      },
    ]),
  ),
});
