/**
 * The OpenAPI documents as strangers' tools read them: two validators find nothing, nothing of ours shows through, and
 * every route says what it answers. That answers are as they say is looked at by each test that speaks HTTP.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OpenApiDocument, openApi } from '@sevenfold/chassis/http/openapi';
import type { AnyRoute } from '@sevenfold/chassis/http/route';
import { mergeDocuments } from '@sevenfold/gateway/index/site-document';
import { declared } from '../support/declared';
import { runTool } from '../support/tool';

const ROOT = 'https://site.test/rest';

const parts = declared.map(({ definition: { namespace, resources, title, description } }) => ({
  namespace,
  document: openApi(namespace, resources, { title, description, version: '1.0.0' }, ROOT),
}));
const site = mergeDocuments(parts, ROOT);
const documents: readonly (readonly [string, OpenApiDocument])[] = [
  ...parts.map(({ namespace, document }) => [namespace, document] as const),
  ['the whole site', site],
];

let folder = '';
const fileOf = (name: string): string => path.join(folder, `${name.replace(/\W+/g, '-')}.json`);

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'openapi-'));
  for (const [name, document] of documents) writeFileSync(fileOf(name), JSON.stringify(document, null, 1));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    .map((one) => JSON.parse(one) as { problems: unknown[]; totals: object });
  expect(told.flatMap(({ problems }) => problems)).toEqual([]);
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
    expect(wrong.map(([place]) => place)).toEqual([]);
  });
});

test('every resource says what it is, and every route what it answers', () => {
  const resources = declared.flatMap(({ definition }) => definition.resources);
  expect(resources.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  const silent = (resources.flatMap(({ routes }) => routes) as AnyRoute<unknown>[]).filter(
    ({ schema, answers }) => !schema && !answers?.body,
  );
  expect(silent.map(({ methods, path: place }) => `${methods.join()} ${place}`)).toEqual([]);
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
    'post /contact-form/v1/contact-forms/{id}/feedback',
    'post /core/v2/comments',
  ]);
});
