/**
 * The property behind «no input gives a 500», for any service: every declared argument of every route is tried with
 * values of every kind, as the caller who may do most, so that nothing is refused before the handler sees it.
 */
import fc from 'fast-check';
import type { Actor } from '@sevenfold/chassis/actor';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import type { AnyRoute, Method, Resource } from '@sevenfold/chassis/http/route';
import type { Answer, Speaker } from '@sevenfold/chassis/testing/service';
import { hostileBody, hostileValue } from './hostile';

export interface Tried {
  readonly resources: readonly Resource<never>[];
  readonly as: (actor?: Actor) => Speaker;
  readonly actor: Actor;
  /** Fills path variables with things that exist, so that items are really touched. */
  readonly existing: (variable: string, path: string) => string | number;
  /** Rounds for each route and method. */
  readonly rounds?: number;
}

const VARIABLE = /\(\?P<(\w+)>(?:[^()[\]]|\[[^\]]*\]|\([^)]*\))*\)/g;

/** Declares one test for each route and method. `site` is called when the tests run. */
export function declareNo500(
  resources: readonly Resource<never>[],
  site: () => Omit<Tried, 'resources'>,
): void {
  for (const resource of resources) {
    for (const row of resource.routes as readonly AnyRoute<never>[]) {
      for (const method of row.methods) {
        test(`${method} ${row.path}`, async () => {
          const tried = site();
          await fc.assert(
            fc.asyncProperty(
              requestOf(row.args as ArgTable, method),
              fc.boolean(),
              async (request, known) => {
                const path = row.path.replace(VARIABLE, (_, name: string) =>
                  encodeURIComponent(
                    String(known ? tried.existing(name, row.path) : (request.variables[name] ?? 1)),
                  ),
                );
                const answer = await tried.as(tried.actor).request(method, `${path}${request.query}`, {
                  body: request.body as never,
                  headers: request.headers,
                });
                if (answer.status >= 500 && answer.status !== 501)
                  throw new Error(
                    `${method} ${path}${request.query} answered ${answer.status} ${answer.text.slice(0, 500)} to ${JSON.stringify(request.body)?.slice(0, 500)}`,
                  );
                if (answer.status >= 400 && method !== ('HEAD' as Method)) expectErrorBody(answer);
              },
            ),
            { numRuns: tried.rounds ?? 30, interruptAfterTimeLimit: 5_000, seed: 20_261_120 },
          );
        });
      }
    }
  }
}

function expectErrorBody(answer: Answer): void {
  const { code, message, data } = answer.body as {
    code: unknown;
    message: unknown;
    data: { status: unknown };
  };
  expect([typeof code, typeof message, data.status]).toEqual(['string', 'string', answer.status]);
}

interface HostileRequest {
  query: string;
  body?: unknown;
  headers?: Record<string, string>;
  variables: Record<string, string>;
}

function requestOf(args: ArgTable, method: Method): fc.Arbitrary<HostileRequest> {
  const names = Object.keys(args);
  // A few arguments at a time: all at once would always stop at the first check.
  const some = fc
    .subarray(names, { maxLength: Math.min(3, names.length) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries([...chosen, ...requiredOf(args)].map((name) => [name, valueFor(args, name)])),
      ),
    );
  const variables = fc.record({
    id: fc.constantFrom('0', '1', '999999999999', '99999999999999999999999'),
    slug: fc.string({ minLength: 1, maxLength: 30 }),
    parent: fc.constantFrom('0', '1', '77777'),
  });
  const asQuery = some.map((values): HostileRequest => ({ query: toQuery(values), variables: {} }));
  const asJson = some.map((values): HostileRequest => ({ query: '', body: values, variables: {} }));
  const asBytes = hostileBody.map(({ type, bytes }): HostileRequest => ({
    query: '',
    body: bytes,
    headers: { 'Content-Type': type },
    variables: {},
  }));
  const request =
    method === 'GET' || method === 'DELETE'
      ? asQuery
      : fc.oneof(
          { weight: 6, arbitrary: asJson },
          { weight: 2, arbitrary: asQuery },
          { weight: 1, arbitrary: asBytes },
        );
  return fc
    .tuple(request, variables)
    .map(([made, filled]) => ({ ...made, variables: filled as Record<string, string> }));
}

const requiredOf = (args: ArgTable): string[] => Object.keys(args).filter((name) => args[name]?.required);

/** Half of the time something that may be meant, so that handlers are reached at all. */
function valueFor(args: ArgTable, name: string): fc.Arbitrary<unknown> {
  const arg = args[name];
  const likely: unknown[] = [...(arg?.enum ?? []), ...(arg?.items?.enum ?? [])];
  if (arg?.type === 'integer') likely.push(1, 2, 10, 2 ** 31, 2 ** 52);
  if (arg?.type === 'boolean') likely.push(true, false);
  if (arg?.type === 'array') likely.push([1, 2], '1,2', [2 ** 40]);
  if (arg?.type === 'string')
    likely.push('word', 'a@b.example', '2030-01-31T18:00:00', '2030-01-31', 'UTC', 'some words \u0000 here');
  if (arg?.type === 'object') likely.push({ raw: 'text' }, {});
  return likely.length === 0 ? hostileValue : fc.oneof(hostileValue, fc.constantFrom(...likely));
}

function toQuery(values: Record<string, unknown>): string {
  const parts = Object.entries(values).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.slice(0, 50).map((entry) => `${name}[]=${encode(entry)}`);
    if (value !== null && typeof value === 'object')
      return Object.entries(value)
        .slice(0, 20)
        .map(([key, entry]) => `${name}[${encode(key)}]=${encode(entry)}`);
    return [`${name}=${encode(value)}`];
  });
  // Long ones stop at the header limit of HTTP itself, which is another test.
  return parts.length === 0 ? '' : `?${parts.join('&').slice(0, 8_000)}`;
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed());
}
