/**
 * The examples of the OpenAPI documents: every operation has one, what was sent and what was answered is as the documents
 * say, and they stay small. `npm run examples` records them from a running site.
 */
import { gzipSync } from 'node:zlib';
import { type CodeTable, type ErrorBody, commonCodes } from '@sevenfold/chassis/errors';
import { commonComponents } from '@sevenfold/chassis/http/openapi-common';
import { exampleKey, readExamples } from '@sevenfold/chassis/http/openapi-examples';
import { type OpenApiDocument, openApi } from '@sevenfold/chassis/http/openapi';
import { documentPath } from '@sevenfold/chassis/http/openapi-paths';
import type { AnyRoute, Resource } from '@sevenfold/chassis/http/route';
import { conformityOf } from '@sevenfold/chassis/testing/conformity';
import { codes as gatewayCodes, errors as gatewayErrors } from '@sevenfold/gateway/edge/errors';
import { indexExamples } from '@sevenfold/gateway/index/index-operations';
import { consoleDescription, consoleDocument } from '@sevenfold/gateway/console/document';
import { mergeDocuments, withConsole } from '@sevenfold/gateway/index/site-document';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { declared } from '../support/declared';

const ROOT = 'https://site.test/rest';

const ofServices = declared.map(({ definition }) => {
  const { namespace, resources, title, description } = definition;
  const examples = readExamples(definition.examples);
  return {
    definition,
    namespace,
    examples,
    document: openApi(namespace, resources, { title, description, version: '1.0.0' }, ROOT, examples),
  };
});
const beside = {
  definition: consoleDescription,
  namespace: consoleDescription.namespace,
  examples: readExamples(consoleDescription.examples),
  document: consoleDocument('https://site.test'),
};
const services = [...ofServices, beside];
const site = withConsole(mergeDocuments(ofServices, ROOT), beside.document);

/** By the keys of their examples. */
const routesOf = ({
  resources,
}: {
  readonly resources: readonly Resource<never>[];
}): Map<string, AnyRoute<never>> =>
  new Map(
    resources
      .flatMap(({ routes }) => routes)
      .map((row) => [exampleKey(row.methods, documentPath(row.path)), row]),
  );

interface Shown {
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}
const contentOf = (part: unknown): Shown[] =>
  Object.values((part as { content?: Record<string, Shown> } | undefined)?.content ?? {});

test('every operation shows an answer, and what is sent where it takes a body', () => {
  const missing: string[] = [];
  for (const [place, operations] of Object.entries(site.paths))
    for (const [method, { requestBody, responses }] of Object.entries(operations)) {
      const answers = Object.values(responses).flatMap(contentOf);
      if (!answers.some(({ examples }) => examples)) missing.push(`${method} ${place}: an answer`);
      if (requestBody && !contentOf(requestBody).some(({ examples }) => examples))
        missing.push(`${method} ${place}: what is sent`);
    }
  // Add an exchange to test/src/examples, and run npm run examples.
  expect(missing).toEqual([]);
});

test('no example is of a route that is there no more', () => {
  const left = services.flatMap(({ namespace, examples, definition }) => {
    const known = routesOf(definition);
    return Object.keys(examples).flatMap((key) => (known.has(key) ? [] : [`${namespace}: ${key}`]));
  });
  // Each index has an example, too. Run npm run examples.
  expect(left).toEqual([]);
  expect(Object.keys(indexExamples)).toHaveLength(1 + ofServices.length);
});

type Definition = (typeof ofServices)[number]['definition'];
const tablesOf = ({ codes = {}, resources }: Definition): CodeTable[] => [
  codes,
  ...resources.flatMap((resource) => (resource.codes ? [resource.codes] : [])),
];

/** What answers of lists have beside their bodies. */
const headersOf = (type: string): Headers =>
  new Headers({ 'Content-Type': type, 'X-Total': '1', 'X-Total-Pages': '1' });

test('what was answered is as the documents say', () => {
  for (const { definition, examples } of services) {
    const conforms = conformityOf(definition);
    const routes = routesOf(definition);
    for (const [key, { method, path, status, answer }] of Object.entries(examples)) {
      const type = routes.get(key)?.answers?.file?.[0] ?? 'application/json';
      const text = JSON.stringify(answer);
      conforms({ method, path, sent: {}, status, headers: headersOf(type), text });
    }
  }
});

test('and so is what was sent', () => {
  const wrong = services.flatMap(({ namespace, definition, document, examples }) => {
    const validate = validator(document);
    return [...routesOf(definition)].flatMap(([key, { methods, path }]) => {
      const sent = examples[key]?.sent;
      const place = ['paths', `/${namespace}${documentPath(path)}`, String(methods[0]).toLowerCase()];
      return sent
        ? validate([...place, 'requestBody', 'content', sent.type, 'schema'], sent.body).map(
            (fault) => `${namespace} ${key}: ${fault}`,
          )
        : [];
    });
  });
  expect(wrong).toEqual([]);
});

function validator(document: OpenApiDocument): (pointer: readonly string[], value: unknown) => string[] {
  const ajv = addFormats(new Ajv2020({ strict: false, validateSchema: false }));
  ajv.addFormat('date-time-local', true).addFormat('binary', true);
  ajv.addSchema(document, 'document');
  return (pointer, value) => {
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.getSchema(`document#/${steps.join('/')}`);
    if (!validate) return [`nothing is known of ${pointer.join(' ')}`];
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };
}

test('lists have few items, and the document of the site stays small', () => {
  const long = services.flatMap(({ namespace, examples }) =>
    Object.entries(examples).flatMap(([key, { answer }]) => {
      const lists = [answer, ...Object.values(answer ?? {})].filter((one) => Array.isArray(one));
      return lists.some((list) => list.length > 4) ? [`${namespace}: ${key}`] : [];
    }),
  );
  // What there is to choose from is what its readers look for.
  expect(long).toEqual(['console/api: GET /webhooks/topics']);
  const text = JSON.stringify(site);
  expect(text.length).toBeLessThan(1024 * 1024);
  expect(gzipSync(text).length).toBeLessThan(100 * 1024);
});

test('refusals show what they look like: as they are made, or under a code that somebody answers with', () => {
  const bare = Object.entries(commonComponents.responses ?? {}).filter(
    ([name, response]) => name.startsWith('Error') && !contentOf(response).every(({ examples }) => examples),
  );
  expect(bare).toEqual([]);
  expect(Object.keys(commonComponents.examples ?? {}).length).toBeGreaterThan(15);
  const known = new Set(
    [commonCodes, gatewayCodes, ...ofServices.flatMap(({ definition }) => tablesOf(definition))].flatMap(
      Object.keys,
    ),
  );
  const made = new Map(
    [
      gatewayErrors.requestTimeout(),
      gatewayErrors.lengthRequired(),
      gatewayErrors.unsupportedMediaType('text/csv'),
      gatewayErrors.tooManyRequests(600, 1),
      gatewayErrors.headersTooLarge(),
      gatewayErrors.badGateway('content'),
      gatewayErrors.upstreamTimeout('content'),
      gatewayErrors.serviceDown('content'),
    ].map((error) => [error.code, error.body()]),
  );
  for (const [name, example] of Object.entries(commonComponents.examples ?? {})) {
    const { value } = example as { readonly value: ErrorBody };
    expect([name, known.has(value.code)]).toEqual([`error.${value.data.status}.${value.code}`, true]);
    expect(value).toEqual(made.get(value.code) ?? value);
    made.delete(value.code);
  }
  expect([...made.keys()]).toEqual([]);
});
