/**
 * The OpenAPI documents as strangers' tools read them: two validators find nothing, nothing of ours shows through, and
 * every route says what it answers. That answers are as they say is looked at by each test that speaks HTTP.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OpenApiDocument, openApi } from '@sevenfold/chassis/http/openapi';
import { readExamples } from '@sevenfold/chassis/http/openapi-examples';
import type { AnyRoute } from '@sevenfold/chassis/http/route';
import { consoleDescription, consoleDocument } from '@sevenfold/gateway/console/document';
import { mergeDocuments, withConsole } from '@sevenfold/gateway/index/site-document';
import { declared } from '../support/declared';
import { runTool } from '../support/tool';

const ROOT = 'https://site.test/rest';

const parts = declared.map(({ definition }) => {
  const { namespace, resources, title, description, examples } = definition;
  const info = { title, description, version: '1.0.0' };
  return { namespace, document: openApi(namespace, resources, info, ROOT, readExamples(examples)) };
});
const besides = consoleDocument('https://site.test');
const site = withConsole(mergeDocuments(parts, ROOT), besides);
const documents: readonly (readonly [string, OpenApiDocument])[] = [
  ...parts.map(({ namespace, document }) => [namespace, document] as const),
  [consoleDescription.namespace, besides],
  ['the whole site', site],
];

const declaredHere = {
  resources: [...declared.flatMap(({ definition }) => definition.resources), ...consoleDescription.resources],
};

let folder = '';
const fileOf = (name: string): string => path.join(folder, `${name.replace(/\W+/g, '-')}.json`);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'openapi-'));
  for (const [name, document] of documents) writeFileSync(fileOf(name), JSON.stringify(document, null, 1));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Problem {
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

test('a linter finds neither an error nor anything to warn of', async () => {
  const files = documents.map(([name]) => fileOf(name));
  const { stdout, stderr } = await runTool(
    '@redocly/cli/bin/cli.js',
    ['lint', '--extends', 'recommended', '--format', 'json', ...files],
    folder,
  );
  if (stdout === '') throw new Error(stderr);
  // One object for each file, one after the other.
  const told = stdout
    .trim()
    .split(/(?<=^\})(?=\{)/m)
    .map((one) => JSON.parse(one) as { problems: Problem[]; totals: object });
  // What is missing in an example comes with `npm run examples`.
  const problems = told.flatMap((one) =>
    one.problems.map(({ message, location }) => `${location[0]?.pointer ?? ''}: ${message}`),
  );
  expect(problems).toEqual([]);
  expect(told.map(({ totals }) => totals)).toEqual(files.map(() => ({ errors: 0, warnings: 0, ignored: 0 })));
});

test.each(documents)('%s: another validator takes it', async (name) => {
  const { stdout } = await runTool(
    '@seriousme/openapi-schema-validator/bin/validate-api-cli.js',
    [fileOf(name)],
    folder,
  );
  expect(JSON.parse(stdout)).toEqual({ valid: true });
});

// ---- schemas ---------------------------------------------------------------------------------------------------------

type Node = Readonly<Record<string, unknown>>;

/** What JSON Schema knows, as far as we use it. */
const KEYWORDS = [
  ...['$ref', 'type', 'enum', 'const', 'anyOf', 'description', 'default', 'format', 'readOnly'],
  ...['properties', 'required', 'additionalProperties', 'items', 'prefixItems', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
];

/** Every schema of a document with its place. */
function* schemasIn(document: OpenApiDocument): Generator<readonly [string, Node]> {
  const walk = function* (node: unknown, place: string): Generator<readonly [string, Node]> {
    if (node === null || typeof node !== 'object') return;
    for (const [key, value] of Object.entries(node)) {
      const here = `${place}/${key}`;
      if (key === 'schema') yield* inside(value as Node, here);
      else yield* walk(value, here);
    }
  };
  yield* walk(document.paths, '');
  for (const [name, schema] of Object.entries(document.components.schemas ?? {}))
    yield* inside(schema as Node, name);
}

function* inside(schema: Node, place: string): Generator<readonly [string, Node]> {
  yield [place, schema];
  const { properties = {}, items, additionalProperties, anyOf = [], prefixItems = [] } = schema;
  const parts = [...Object.entries(properties as Node), ...Object.entries({ items, additionalProperties })];
  for (const [key, part] of [...parts, ...Object.entries([...(anyOf as []), ...(prefixItems as [])])])
    if (part !== null && typeof part === 'object') yield* inside(part as Node, `${place}/${key}`);
}

const typesOf = ({ type }: Node): unknown[] => (type === undefined ? [] : [type].flat());

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

describe.each(documents)('%s', (_name, document) => {
  const schemas = [...schemasIn(document)];

  test('says nothing that JSON Schema does not know', () => {
    expect(schemas.length).toBeGreaterThan(5);
    const strange = schemas.flatMap(([place, schema]) =>
      Object.keys(schema)
        .filter((key) => !KEYWORDS.includes(key))
        .map((key) => `${place}: ${key}`),
    );
    expect(strange).toEqual([]);
  });

  test('says of every list what is in it: generators leave out what has one that does not, and each route that shows it', () => {
    const lists = schemas.filter(([, { type }]) => type === 'array');
    const open = lists.filter(
      ([, { items, prefixItems }]) => items === undefined && prefixItems === undefined,
    );
    expect(open.map(([place]) => place)).toEqual([]);
  });

  test('describes every field', () => {
    const fields = schemas.flatMap(([place, { properties = {} }]) =>
      Object.entries(properties as Record<string, Node>).map(([name, field]) => ({
        label: `${place} ${name}`,
        described: field.description ?? ('$ref' in field ? '' : undefined),
      })),
    );
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter(({ described }) => described === undefined).map(({ label }) => label)).toEqual([]);
  });

  test('has defaults of the type that they stand for', () => {
    const wrong = schemas.filter(([, schema]) => {
      const types = typesOf(schema).map((type) => (type === 'integer' ? 'number' : type));
      return 'default' in schema && types.length > 0 && !types.includes(typeOf(schema.default));
    });
    expect(wrong).toEqual([]);
  });

  test('lists what has pages as arrays, with the headers that count them', () => {
    const lists = Object.entries(document.paths).flatMap(([place, { get }]) =>
      get?.parameters.some((one) => (one as { name?: string }).name === 'page') ? [[place, get]] : [],
    ) as [string, OpenApiDocument['paths'][string][string]][];
    const wrong = lists.filter(([, { responses }]) => {
      const { headers = {}, content } = responses[200] as {
        headers?: object;
        content: Record<string, { schema: Node }>;
      };
      const schema = content['application/json']?.schema ?? {};
      const isList =
        schema.type === 'array' ||
        Object.values((schema.properties as Node | undefined) ?? {}).some(
          (one) => (one as Node).type === 'array',
        );
      return !isList || !('X-Total' in headers && 'X-Total-Pages' in headers);
    });
    // Both of its lists have the same pages, which stand inside.
    const inside = '/console/api/imports/{import_id}/progress';
    expect(wrong.map(([place]) => place).filter((place) => place !== inside)).toEqual([]);
  });
});

test('every resource says what it is, and every route what it answers', () => {
  const { resources } = declaredHere;
  expect(resources.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  const silent = (resources.flatMap(({ routes }) => routes) as AnyRoute<unknown>[]).filter(
    ({ schema, answers }) => !schema && !answers?.body && !answers?.file,
  );
  expect(silent.map(({ methods, path: place }) => `${methods.join()} ${place}`)).toEqual([]);
});

test('every route says what it does, and every operation what it needs', () => {
  const { resources } = declaredHere;
  const routes = resources.flatMap((resource) => resource.routes) as AnyRoute<unknown>[];
  const silent = routes.filter(({ description = '' }) => !/^[A-Z].{20,}\.$/s.test(description));
  // A description is a sentence: a capital letter first, twenty characters more, and a full stop.
  expect(silent.map(({ methods, path: place }) => `${methods.join()} ${place}`)).toEqual([]);
  const operations = Object.entries(site.paths).flatMap(([place, methods]) =>
    Object.entries(methods).map(([method, { summary, description }]) => ({
      label: `${method} ${place}`,
      summary,
      description,
    })),
  );
  expect(operations.filter(({ summary, description }) => summary === '' || !NEEDS.test(description))).toEqual(
    [],
  );
});

const NEEDS = /(Everybody may|Strangers may|For users|Who may) [^.]+\./;

test('errors are JSON whatever a success is, but where a route has other words for them', () => {
  const typed = (place: string, method: string, from: number): string[] => {
    const { responses } = site.paths[place]?.[method] as { responses: Record<string, unknown> };
    return Object.entries(responses).flatMap(([status, response]) => {
      const { content = {} } = response as { content?: object };
      const types = Object.keys(content).filter((type) => type !== 'application/json');
      return Number(status) >= from && types.length > 0 ? [`${status}: ${types.join()}`] : [];
    });
  };
  const places = Object.entries(site.paths).flatMap(([place, methods]) =>
    Object.keys(methods).map((method) => [place, method] as const),
  );
  const besidesJson = places.filter(([place, method]) => typed(place, method, 200).length > 0);
  expect(besidesJson.map(([place]) => place)).toContain('/console/api/imports/{import_id}/progress');
  const told = besidesJson.flatMap(([place, method]) => {
    const statuses = typed(place, method, 400);
    return statuses.length > 0 ? [[`${method} ${place}`, statuses.at(0), statuses.length > 1]] : [];
  });
  expect(told.sort()).toEqual([
    ['get /console/api/head', '404: text/html', false],
    ['get /oembed/1.0/embed', '400: text/xml', true],
    ['post /contact-form/v1/contact-forms/{id}/feedback', '400: text/html', true],
  ]);
});

test('rights are those that the permissions ask for', () => {
  const needs = (method: string, place: string): string =>
    /(Everybody may|Strangers may|For users|Who may).*$/.exec(
      site.paths[place]?.[method]?.description ?? '',
    )?.[0] ?? '';
  expect(needs('get', '/calendar/events/v1/events')).toBe('Everybody may ask.');
  expect(needs('get', '/core/v2/posts')).toBe(
    'Strangers may ask; what they may not see is 401. The edit context takes the right `edit_posts`.',
  );
  expect(needs('patch', '/core/v2/pages/{id}')).toBe(
    'For users with the right `edit_pages`; whose it is, and what is asked for, may take more or less.',
  );
  expect(needs('delete', '/calendar/events/v1/tags/{id}')).toBe(
    'For users with the right `delete_post_tags`.',
  );
  expect(needs('get', '/seo/v1/statistics')).toBe('For users who are logged in.');
  expect(needs('post', '/core/v2/comments')).toMatch(/^Who may depends/);
});

test('strangers may read what is public, and write nothing but what is open to them', () => {
  const open = Object.entries(site.paths).flatMap(([place, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security.some((one) => Object.keys(one).length === 0))
      .map(([method]) => `${method} ${place}`),
  );
  expect(open).toContain('get /core/v2/posts');
  expect(open).toContain('get /calendar/events/v1/events');
  expect(open).not.toContain('get /core/v2/settings');
  expect(open.filter((one) => !one.startsWith('get ')).sort()).toEqual([
    'post /calendar/event-aggregator/v1/import/{import_id}/batch',
    'post /calendar/event-aggregator/v1/import/{import_id}/state',
    'post /console/api/sessions',
    'post /console/api/sessions/refresh',
    'post /contact-form/v1/contact-forms/{id}/feedback',
    'post /core/v2/comments',
  ]);
});
