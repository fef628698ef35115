/** Which route an address names, and what stands in its path. Addresses know no upper case and no slash at their end. */
import { trimEnd } from '@sevenfold/text/trim';
import { invalidParam } from '../errors';
import { byPattern } from './describe';
import type { AnyRoute, Resource } from './route';

/** All routes of one pattern. */
export interface Place<D> {
  readonly pattern: string;
  /** Names of the variables in its path. */
  readonly variables: readonly string[];
  readonly byMethod: ReadonlyMap<string, AnyRoute<D>>;
  readonly routes: readonly AnyRoute<D>[];
}

interface CompiledPlace<D> extends Place<D> {
  readonly matcher: RegExp;
}

export interface Match<D> {
  readonly place: Place<D>;
  readonly params: Record<string, string>;
}

/** Finds the place of a path below the namespace; of several that fit, the one that was declared first. */
export function matcher<D>(
  namespace: string,
  resources: readonly Resource<D>[],
): (path: string) => Match<D> | undefined {
  const bySegment = compile(namespace, resources);
  return (path) => {
    for (const place of bySegment.get(firstSegment(path)) ?? []) {
      const match = place.matcher.exec(path);
      if (match) return { place, params: decodeParams(match.groups) };
    }
    return undefined;
  };
}

function compile<D>(namespace: string, resources: readonly Resource<D>[]): Map<string, CompiledPlace<D>[]> {
  const bySegment = new Map<string, CompiledPlace<D>[]>();
  for (const [pattern, routes] of byPattern(namespace, resources)) {
    const path = pattern.slice(namespace.length + 1);
    const byMethod = new Map<string, AnyRoute<D>>();
    for (const row of routes) {
      for (const method of row.methods) {
        if (byMethod.has(method)) throw new Error(`${method} ${pattern} is declared twice`);
        byMethod.set(method, row);
      }
    }
    const compiled: CompiledPlace<D> = {
      pattern,
      matcher: new RegExp(`^${path.replaceAll('(?P<', '(?<')}$`, 'i'),
      variables: Array.from(path.matchAll(/\(\?P<(\w+)>/g), ([, name]) => name as string),
      byMethod,
      routes,
    };
    const segment = firstSegment(path);
    const group = bySegment.get(segment);
    if (group) group.push(compiled);
    else bySegment.set(segment, [compiled]);
  }
  return bySegment;
}

const firstSegment = (path: string): string => {
  const end = path.indexOf('/', 1);
  return (end < 0 ? path : path.slice(0, end)).toLowerCase();
};

export const trimSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? trimEnd(path, '/') : path;

function decodeParams(groups: Record<string, string> | undefined): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name in groups) {
    const text = groups[name] as string;
    try {
      params[name] = text.includes('%') ? decodeURIComponent(text).replaceAll('\0', '') : text;
    } catch {
      throw invalidParam(name, `${name} is not valid percent-encoded text.`);
    }
  }
  return params;
}
