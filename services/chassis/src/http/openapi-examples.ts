/**
 * Examples of an OpenAPI document: exchanges that were recorded from a running site (`npm run examples`), as data of each
 * service. The methods of one route share one.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Method } from './route';
import type { Shape } from './shapes';

export interface Example {
  readonly method: Method;
  /** Below the namespace, with its query. */
  readonly path: string;
  /** What was sent as the body, by fields. */
  readonly sent?: { readonly type: string; readonly body: unknown };
  readonly status: number;
  readonly answer: unknown;
}

/** By the first method of a route and its path as documents name it: `POST /posts/{id}`. */
export type Examples = Readonly<Record<string, Example>>;

/** Of a service that has none yet, none. */
export function readExamples(file: string | undefined): Examples {
  if (file === undefined || !existsSync(file)) return {};
  return JSON.parse(readFileSync(file, 'utf8')) as Examples;
}

export const exampleKey = (methods: readonly Method[], path: string): string => `${methods[0]} ${path}`;

const nameOf = (key: string): string =>
  key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '');

/** As components, to which operations refer. */
export function exampleComponents(examples: Examples): Record<string, object> {
  const components: Record<string, object> = {};
  for (const [key, { method, path, sent, answer }] of Object.entries(examples)) {
    const summary = `${method} ${path}`;
    if (sent) components[`${nameOf(key)}.request`] = { summary, value: sent.body };
    components[`${nameOf(key)}.answer`] = { summary, value: answer };
  }
  return components;
}

type Content = Readonly<Record<string, { readonly schema: Shape }>>;

/** The content with a recorded example of its `type`, where there is one. */
export function withExample<C extends Content>(
  content: C,
  type: string,
  key: string,
  part: 'request' | 'answer',
): C {
  if (!(type in content)) return content;
  const examples = { recorded: { $ref: `#/components/examples/${nameOf(key)}.${part}` } };
  return { ...content, [type]: { ...content[type], examples } };
}
