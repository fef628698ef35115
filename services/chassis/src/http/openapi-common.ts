/** What the OpenAPI documents of all services share: the error, how lists are paged, who is asking, and why it failed. */
import { errorExamples, errorExamplesOf } from './openapi-errors';
import { described, either, listOf, mapOf, object, type Shape } from './shapes';

const at = (kind: string, name: string): Shape => ({ $ref: `#/components/${kind}/${name}` });
export const schemaAt = (name: string): Shape => at('schemas', name);
export const errorShape = schemaAt('Error');

/** What links lead to, by their relation: one for each link, in their order. */
export const embeddedShape = (embeds: Readonly<Record<string, Shape>>): Shape => ({
  ...object(
    Object.fromEntries(
      Object.entries(embeds).map(([relation, shape]) => [
        relation,
        described(`What \`${relation}\` leads to.`, listOf(either(shape, errorShape))),
      ]),
    ),
    ...Object.keys(embeds),
  ),
  description:
    'What the links lead to, by their relation and in their order; an error stands for what the caller may not see.',
});

const detail = object({
  code: { type: 'string', description: 'What is wrong with it, for programs.' },
  message: { type: 'string', description: 'What is wrong with it, for people.' },
  data: { description: 'What else there is to tell, such as the name of the argument.' },
});

const schemas = {
  Error: object(
    {
      code: { type: 'string', description: 'What went wrong, for programs.' },
      message: { type: 'string', description: 'What went wrong, for people.' },
      data: {
        ...object(
          {
            status: { type: 'integer', description: 'The status of the answer.' },
            params: {
              anyOf: [mapOf({ type: 'string' }), listOf({ type: 'string' })],
              description: 'Wrong arguments with a message each, or the names of missing ones.',
            },
            details: { ...mapOf(detail), description: 'The same arguments, each with an error of its own.' },
            done: {
              const: false,
              description: 'Nothing of what was asked is done: sending it again does it once.',
            },
          },
          'params',
          'details',
          'done',
        ),
        description: 'What else is known.',
        additionalProperties: true,
      },
      additional_data: {
        ...listOf({}),
        description: 'What else is known, such as the number of the term that has the name already.',
      },
    },
    'additional_data',
  ),
  Link: {
    ...object(
      {
        href: { type: 'string', description: 'Address that it leads to.' },
        embeddable: { type: 'boolean', description: 'Whether `_embed` follows it.' },
      },
      'embeddable',
    ),
    additionalProperties: true,
  },
  Links: {
    ...mapOf(listOf(schemaAt('Link'))),
    description: 'Links by their relation.',
  },
};

const names = (description: string): Shape => ({
  in: 'query',
  description,
  style: 'form',
  explode: false,
  schema: listOf({ type: 'string' }),
});

const parameters = {
  fields: {
    name: '_fields',
    ...names(
      'Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list.',
    ),
  },
  embed: {
    name: '_embed',
    ...names('Relations whose links are followed; without a value all that can be.'),
    allowEmptyValue: true,
  },
  contentDisposition: {
    name: 'Content-Disposition',
    in: 'header',
    description: 'Names the file where it is the whole body, as in `attachment; filename="cat.png"`.',
    schema: { type: 'string' },
  },
};

const header = (description: string, schema: Shape, required = false): Shape => ({
  description,
  schema,
  ...(required ? { required } : {}),
});

const headers = {
  total: header('How many there are in all.', { type: 'integer', minimum: 0 }, true),
  totalPages: header('How many pages there are.', { type: 'integer', minimum: 0 }, true),
  totalRelation: header('There are at least as many as the total says.', { const: 'gte' }),
  link: header('The pages before and after this one, as `rel="prev"` and `rel="next"`.', { type: 'string' }),
  location: header('Address of what was created.', { type: 'string', format: 'uri' }),
  challenge: header('How to say who is asking.', { type: 'string' }),
  retryAfter: header('Seconds after which to try again.', { type: 'string' }),
};

export const pagingHeaders = {
  'X-Total': at('headers', 'total'),
  'X-Total-Pages': at('headers', 'totalPages'),
  'X-Total-Relation': at('headers', 'totalRelation'),
  Link: at('headers', 'link'),
};
export const createdHeaders = { Location: at('headers', 'location') };

const waiting = { 'Retry-After': at('headers', 'retryAfter') };

/** What each status of a refusal means. */
const faults: Readonly<Record<number, readonly [description: string, headers?: object]>> = {
  400: ['Arguments are missing or wrong, or the request cannot be read.'],
  401: [
    'The credentials are wrong, or nobody is logged in where that is needed.',
    { 'WWW-Authenticate': at('headers', 'challenge') },
  ],
  403: ['The caller has not the right to do or see this.'],
  404: ['There is no such thing, or no such page of a list.'],
  408: ['The body did not arrive in time.'],
  409: ['Something of the kind exists, or another request changed the same thing at the same time.'],
  410: ['It is in the trash already.'],
  411: ['The body came without its length.'],
  412: [
    'What is read is not what the request names as its condition, a write has one, or the body did not arrive whole.',
  ],
  413: ['The body, or what it holds, is too large.'],
  415: ['The body is of a type or an encoding that is not taken.'],
  422: ['What was sent was read, and cannot be taken as it is.'],
  429: ['Too many requests.', waiting],
  431: ['The address and the headers are too large.'],
  500: ['A fault of the site, which is logged.'],
  501: ['There is no trash: it can only be deleted for good, with `force`.'],
  502: ['A service gave no valid answer. Whether it did what was asked is not known.'],
  503: ['Something that is needed is away or too busy.', waiting],
  504: ['The answer took too long.', waiting],
  507: ['There is no room left to store anything.', waiting],
};

export interface Response {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema: Shape; readonly examples?: object }>>;
}

export const jsonOf = (schema: Shape): NonNullable<Response['content']> => ({
  'application/json': { schema },
});

export function faultResponse(status: number, schema: Shape = errorShape): Response {
  const [description, of] = faults[status] ?? ['It was refused.'];
  const examples = errorExamplesOf(status);
  const json = { schema, ...(examples ? { examples } : {}) };
  return { description, ...(of ? { headers: of } : {}), content: { 'application/json': json } };
}

const responses = {
  NotModified: { description: 'What the caller has is still right.' },
  ...Object.fromEntries(
    Object.keys(faults).map((status) => [`Error${status}`, faultResponse(Number(status))]),
  ),
};

export const responseAt = (status: number): Shape => at('responses', `Error${status}`);
export const notModified = at('responses', 'NotModified');

/** The same in every document, by kind and name. */
export const commonComponents: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  schemas,
  parameters,
  headers,
  responses,
  examples: errorExamples,
  securitySchemes: {
    basic: {
      type: 'http',
      scheme: 'basic',
      description: 'User name and application password.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'Access token, as `POST /console/api/sessions` gives it.',
    },
  },
};

/** For users, who prove who they are in one of these ways; and for everybody. */
export const userSecurity: readonly object[] = [{ basic: [] }, { bearer: [] }];
export const openSecurity: readonly object[] = [{}, ...userSecurity];

export const fieldsParameter = at('parameters', 'fields');
export const embedParameter = at('parameters', 'embed');
export const dispositionParameter = at('parameters', 'contentDisposition');
