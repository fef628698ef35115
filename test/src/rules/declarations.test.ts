/**
 * Rules over what all services declare, without starting any: nothing is left unsaid, nothing is said twice, and what
 * is derived from the declarations agrees with them.
 */
import type { Arg, ArgTable } from '@sevenfold/chassis/http/args';
import { describeRoutes, optionsBody } from '@sevenfold/chassis/http/describe';
import { openApi } from '@sevenfold/chassis/http/openapi';
import type { AnyRoute } from '@sevenfold/chassis/http/route';
import type { Job } from '@sevenfold/chassis/queue/jobs';
import { declared as site } from '../support/declared';

const ROOT = 'http://site.test/rest';

const services = site.map((one) => one.definition);

interface Declared {
  readonly namespace: string;
  readonly resource: string;
  readonly row: AnyRoute<unknown>;
  readonly label: string;
}

const declared: readonly Declared[] = services.flatMap(({ namespace, resources }) =>
  resources.flatMap((resource) =>
    resource.routes.map((row) => ({
      namespace,
      resource: resource.name,
      row: row as AnyRoute<unknown>,
      label: `${row.methods.join(',')} /${namespace}${row.path}`,
    })),
  ),
);

const variablesOf = (pattern: string): string[] =>
  [...pattern.matchAll(/\(\?P<(\w+)>/g)].map((match) => match[1] as string);
const argsOf = (row: AnyRoute<unknown>): [string, Arg][] => Object.entries(row.args as ArgTable);

/** Labels of the routes that break a rule; a test expects none. */
const breaking = (rule: (route: Declared) => boolean): string[] =>
  declared.filter((route) => !rule(route)).map((route) => route.label);

test('there are routes of every namespace', () => {
  expect(new Set(declared.map((route) => route.namespace)).size).toBe(services.length);
  expect(declared.length).toBeGreaterThan(80);
});

describe('every route', () => {
  test('has a summary of its own within its service', () => {
    expect(breaking(({ row }) => row.summary.trim().length > 5)).toEqual([]);
    const seen = declared.map(({ namespace, row }) => `${namespace}: ${row.summary}`);
    expect(seen.filter((summary, at) => seen.indexOf(summary) !== at)).toEqual([]);
  });

  test('has a permission and a handler', () => {
    expect(
      breaking(({ row }) => typeof row.permission === 'function' && typeof row.handle === 'function'),
    ).toEqual([]);
  });

  test('has methods, and no method of a pattern is declared twice', () => {
    expect(breaking(({ row }) => row.methods.length > 0)).toEqual([]);
    const seen = declared.flatMap(({ namespace, row }) =>
      row.methods.map((method) => `${method} /${namespace}${row.path}`),
    );
    expect(seen.filter((one, at) => seen.indexOf(one) !== at)).toEqual([]);
  });

  test('has a pattern that is a regular expression', () => {
    expect(breaking(({ row }) => row.path.startsWith('/') && !row.path.endsWith('/'))).toEqual([]);
    for (const { row } of declared)
      expect(() => new RegExp(row.path.replaceAll('(?P<', '(?<'))).not.toThrow();
  });

  test('declares the variables of its path, since others are dropped', () => {
    expect(
      breaking(({ row }) => variablesOf(row.path).every((name) => name in (row.args as ArgTable))),
    ).toEqual([]);
  });
});

describe('every argument', () => {
  const args = declared.flatMap(({ row, label }) =>
    argsOf(row).map(([name, arg]) => ({ label: `${label} ${name}`, arg })),
  );
  const wrong = (rule: (arg: Arg) => boolean): string[] =>
    args.filter(({ arg }) => !rule(arg)).map(({ label }) => label);

  test('has a description', () => {
    expect(wrong((arg) => arg.description.trim() !== '')).toEqual([]);
  });

  test('has a default that its own rules allow', () => {
    const value = (arg: Arg): unknown =>
      typeof arg.default === 'function' ? (arg.default as () => unknown)() : arg.default;
    const typed: Record<string, (value: unknown) => boolean> = {
      string: (one) => typeof one === 'string',
      integer: Number.isInteger,
      number: (one) => typeof one === 'number',
      boolean: (one) => typeof one === 'boolean',
      array: (one) => Array.isArray(one) || typeof one === 'string',
      object: (one) => typeof one === 'object',
    };
    expect(
      wrong((arg) => {
        if (arg.default === undefined) return true;
        const given = value(arg);
        if (arg.enum && !arg.enum.includes(given as string)) return false;
        return arg.type === undefined || (typed[arg.type] as (one: unknown) => boolean)(given);
      }),
    ).toEqual([]);
  });

  test('is not required when it has a default', () => {
    expect(wrong((arg) => !(arg.required && arg.default !== undefined))).toEqual([]);
  });
});

test('every job that tells its service of its end says what a retry does then', () => {
  const jobs = services.flatMap((service) => (service.jobs ?? []) as readonly Job<never>[]);
  const telling = jobs.filter(({ failed }) => failed);
  expect(telling.length).toBeGreaterThan(3);
  expect(telling.filter(({ reopen }) => !reopen).map(({ queue, name }) => `${queue} ${name}`)).toEqual([]);
});

describe.each(services.map((service) => [service.namespace, service] as const))(
  '%s',
  (namespace, service) => {
    const index = describeRoutes(namespace, service.resources, ROOT);
    const document = openApi(
      namespace,
      service.resources,
      { title: '', description: '', version: '1' },
      ROOT,
    ) as {
      paths: Record<string, Record<string, { summary: string; operationId: string }>>;
    };
    const own = declared.filter((route) => route.namespace === namespace);

    test('the index shows each route with its listed arguments, and nothing else', () => {
      const shown = own.filter(({ row }) => !row.unlisted);
      expect(Object.keys(index)).toEqual([...new Set(shown.map(({ row }) => `/${namespace}${row.path}`))]);
      for (const { row } of shown) {
        const entry = index[`/${namespace}${row.path}`];
        const endpoint = entry?.endpoints.find((one) => one.methods.join() === row.methods.join());
        const listed = argsOf(row).filter(([, arg]) => !arg.unlisted);
        expect(Object.keys(endpoint?.args ?? {})).toEqual(listed.map(([name]) => name));
      }
    });

    test('OPTIONS shows what the index shows', () => {
      for (const [pattern, { methods, endpoints }] of Object.entries(index)) {
        const rows = own.map(({ row }) => row).filter((row) => `/${namespace}${row.path}` === pattern);
        expect(optionsBody(namespace, pattern, rows, ROOT)).toMatchObject({ namespace, methods, endpoints });
      }
    });

    test('OpenAPI has an operation for each method of each route', () => {
      const wanted = own.flatMap(({ row }) => {
        const place = `/${namespace}${row.path.replace(/\(\?P<(\w+)>(?:\[[^\]]*\]\+?|[^)]*)\)/g, '{$1}')}`;
        return row.methods.map((method) => `${method.toLowerCase()} ${place} ${row.summary}`);
      });
      const given = Object.entries(document.paths).flatMap(([place, operations]) =>
        Object.entries(operations).map(([method, { summary }]) => `${method} ${place} ${summary}`),
      );
      expect(given.sort()).toEqual(wanted.sort());
    });

    test('OpenAPI names each operation once', () => {
      const ids = Object.values(document.paths).flatMap((operations) =>
        Object.values(operations).map(({ operationId }) => operationId),
      );
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    });
  },
);
