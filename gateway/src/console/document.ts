/** The interface of the console as an OpenAPI document, from the routes that answer it. */
import path from 'node:path';
import { type OpenApiDocument, type Operation, openApi } from '@sevenfold/chassis/http/openapi';
import { type Examples, readExamples } from '@sevenfold/chassis/http/openapi-examples';
import { version } from '@sevenfold/chassis/version';
import { CONSOLE_API, resources } from './resources';

const description = {
  namespace: CONSOLE_API.slice(1),
  title: 'Interface for the people who run the site',
  description:
    'Log-ins, webhooks, imports, submissions, and what search engines are told: what stands beside the interface of the site. Bodies are JSON.',
  resources,
} as const;

/** As tests and the recorder of examples read it. */
export const consoleDescription: typeof description & { readonly examples: string } = {
  ...description,
  examples: path.resolve(__dirname, '../../console/examples.json'),
};

export function consoleDocument(
  siteUrl: string,
  examples: Examples = readExamples(consoleDescription.examples),
): OpenApiDocument {
  const { namespace, ...info } = description;
  const { title } = info;
  const made = openApi(
    namespace,
    resources,
    { title, description: info.description, version },
    siteUrl,
    examples,
  );
  return { ...made, paths: mapOperations(made.paths, asAnswered) };
}

type Paths = OpenApiDocument['paths'];

export const mapOperations = (paths: Paths, change: (operation: Operation) => Operation): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([place, operations]) => [
      place,
      Object.fromEntries(Object.entries(operations).map(([method, one]) => [method, change(one)])),
    ]),
  );

const JSON_TYPE = 'application/json';

/** Forms are not taken. */
function asAnswered(operation: Operation): Operation {
  if (!operation.requestBody) return operation;
  const { content, ...body } = operation.requestBody as {
    readonly content: Readonly<Record<string, object>>;
  };
  return { ...operation, requestBody: { ...body, content: { [JSON_TYPE]: content[JSON_TYPE] } } };
}
