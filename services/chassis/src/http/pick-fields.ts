/** `_fields`: which fields of an answer were asked for, and the answer with these alone. */
import { partsOf } from './coerce';
import type { Item } from './present';

// ---- _fields -----------------------------------------------------------------------------------------------------

interface FieldTree {
  whole: boolean;
  readonly children: Map<string, FieldTree>;
}

/** Text or a list, as lists are elsewhere; undefined when the parameter is absent. */
export function parseFields(value: unknown): FieldTree | undefined {
  if (value === undefined) return undefined;
  const names = (Array.isArray(value) ? value : [value])
    .filter((part): part is string => typeof part === 'string')
    .flatMap(partsOf)
    .slice(0, 200);
  if (names.length === 0) return undefined;
  const root: FieldTree = { whole: false, children: new Map() };
  for (const name of names) {
    let node = root;
    const steps = name.split('.').slice(0, 10);
    steps.forEach((step, index) => {
      const last = index === steps.length - 1;
      const next: FieldTree = node.children.get(step) ?? { whole: false, children: new Map() };
      if (last) next.whole = true;
      node.children.set(step, next);
      node = next;
    });
  }
  return root;
}

/** Keeps the named fields. Lists are filtered entry by entry, those inside items, too. */
export function pickFields(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((entry) => pickFields(entry, tree));
  if (value === null || typeof value !== 'object') return value;
  const result = pick(value as Item, tree);
  // What clients are used to: an object that kept nothing is an empty list.
  return Object.keys(result).length === 0 ? [] : result;
}

const isItem = (value: unknown): value is Item =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function pick(item: Item, tree: FieldTree): Item {
  const result: Item = {};
  for (const name of Object.keys(item)) {
    const node = tree.children.get(name);
    if (!node) continue;
    const value = item[name];
    if (node.whole) result[name] = value;
    else if (Array.isArray(value)) result[name] = value.filter(isItem).map((entry) => pick(entry, node));
    else if (isItem(value)) result[name] = pick(value, node);
  }
  return result;
}
