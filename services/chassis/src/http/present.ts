/**
 * From rows to public JSON: the context filter, `_links` and `_embed` (`_fields` is pick-fields.ts). Presenters write every field they
 * know; what a context hides is decided here, from the schema, so that no presenter repeats it.
 *
 * Embedding never costs a query for each item: a link carries the name of a loader and a key, all keys of one answer
 * are collected, and each loader is asked once.
 */
import { PIECE_BYTES } from '../db/pieces';
import { ApiError, apiError } from '../errors';
import { partsOf } from './coerce';
import type { Context } from './context';
import type { Shape } from './shapes';

export interface Property {
  readonly type: string | readonly string[];
  readonly description: string;
  /** Contexts that show the field; all three when absent. */
  readonly context?: readonly Context[];
  readonly readonly?: boolean;
  readonly format?: string;
  readonly enum?: readonly (string | number)[];
  readonly items?: {
    readonly type: string;
    readonly enum?: readonly string[];
    readonly properties?: Readonly<Record<string, Property>>;
  };
  readonly properties?: Readonly<Record<string, Property>>;
  /** Of objects whose keys are data: the shape of each value. */
  readonly additionalProperties?: Property;
  /** Left out of items that have nothing to tell there. */
  readonly optional?: true;
  /** The shape that answers have where OPTIONS says less or else, as clients know it. OpenAPI shows this one. */
  readonly answered?: Shape;
}

export interface ItemSchema {
  readonly title: string;
  readonly description?: string;
  /** Items carry `_links`; those that can be followed put what they lead to into `_embedded`. */
  readonly linked?: 'plainly' | 'followed';
  /** Of links that can be followed: what each leads to, by their relation. */
  readonly embeds?: Readonly<Record<string, Shape>>;
  readonly properties: Readonly<Record<string, Property>>;
}

export type Item = Record<string, unknown>;
interface ContextRule {
  readonly drop: ReadonlySet<string>;
  readonly nested: ReadonlyMap<string, ContextRule>;
}

const rules = new WeakMap<object, Map<Context, ContextRule>>();

function ruleFor(properties: Readonly<Record<string, Property>>, context: Context): ContextRule {
  let byContext = rules.get(properties);
  if (!byContext) rules.set(properties, (byContext = new Map<Context, ContextRule>()));
  let rule = byContext.get(context);
  if (!rule) {
    const drop = new Set<string>();
    const nested = new Map<string, ContextRule>();
    for (const [name, property] of Object.entries(properties)) {
      if (property.context && !property.context.includes(context)) drop.add(name);
      else if (property.properties) {
        const inner = ruleFor(property.properties, context);
        if (inner.drop.size > 0 || inner.nested.size > 0) nested.set(name, inner);
      }
    }
    byContext.set(context, (rule = { drop, nested }));
  }
  return rule;
}

/** A copy without the fields that the context hides. Fields the schema does not know stay (`_links`). */
export function filterContext(item: object, schema: ItemSchema, context: Context): Item {
  return applyRule(item as Item, ruleFor(schema.properties, context));
}

function applyRule(item: Item, rule: ContextRule): Item {
  if (rule.drop.size === 0 && rule.nested.size === 0) return item;
  const result: Item = {};
  for (const name in item) {
    if (rule.drop.has(name)) continue;
    const value = item[name];
    const inner = rule.nested.get(name);
    result[name] =
      inner && value !== null && typeof value === 'object' && !Array.isArray(value)
        ? applyRule(value as Item, inner)
        : value;
  }
  return result;
}

/**
 * An item whose JSON, as the context shows it, is known already: it stands for a row where the answer shows items
 * whole, and passes neither `present` nor the context filter.
 */
export class ReadyItem {
  constructor(
    private readonly source: Buffer | (() => Buffer),
    /** What `_embed` can follow from it. */
    readonly targets: readonly EmbedTarget[] = [],
    /** What it shows (shows.ts). */
    readonly tags: readonly string[] = [],
  ) {}

  /** As it is sent: making bytes of a text costs more than laying them side by side. */
  get json(): Buffer {
    return typeof this.source === 'function' ? this.source() : this.source;
  }

  /** Its bytes are made when they are asked for, and each time anew: those of all items together are too many. */
  get isLate(): boolean {
    return typeof this.source === 'function';
  }
}

// ---- links and embedding -----------------------------------------------------------------------------------------

const EMBED = Symbol('embed');

export interface Link {
  readonly href: string;
  readonly embeddable?: true;
  readonly [name: string]: unknown;
}

/** A link that `_embed` can follow: `loader` names a batch loader of the service, `key` what it is asked for. */
export function embeddable(
  href: string,
  loader: string,
  key: string | number,
  extra?: Record<string, unknown>,
): Link {
  // A list makes hundreds of these; a computed key in the literal would cost as much as all the rest of a link.
  const link: { embeddable: true; href: string; [EMBED]?: object } = extra
    ? { ...extra, embeddable: true, href }
    : { embeddable: true, href };
  link[EMBED] = { loader, key };
  return link as Link;
}

/** Answers, for each key, the embedded value: an item, a list of items, or an ApiError that stands in its place. */
export type EmbedLoader<C> = (
  call: C,
  keys: readonly (string | number)[],
) => Promise<ReadonlyMap<string | number, unknown>>;

/** How a loader is known to links. */
export interface EmbedRow<C> {
  readonly load: EmbedLoader<C>;
  /** Tags of the news that make old what came of a key (shows.ts); without it any news of the service does. */
  readonly shows?: (key: string | number, value: unknown) => readonly string[];
}

/** What loaders brought, by their names and the keys. */
export type Loaded = ReadonlyMap<string, ReadonlyMap<string | number, unknown>>;

/** One link of an item that can be followed. */
export interface EmbedTarget {
  readonly relation: string;
  /** Its place among the links of the relation. */
  readonly index: number;
  readonly loader: string;
  readonly key: string | number;
}

type Embedded = Record<string, unknown[]>;

/** What `_embed` can follow from a presented item. */
export function embedTargets(item: object): EmbedTarget[] {
  const targets: EmbedTarget[] = [];
  for (const [relation, links] of Object.entries(
    (item as { _links?: Record<string, Link[]> })._links ?? {},
  )) {
    links.forEach((link, index) => {
      const target = (link as { [EMBED]?: { loader: string; key: string | number } })[EMBED];
      if (target) targets.push({ relation, index, ...target });
    });
  }
  return targets;
}

/** `_embed` without value, or with a true-like one, means all relations; otherwise a list of relation names. */
export function parseEmbed(value: unknown): true | ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  const names = (Array.isArray(value) ? value : [value]).flatMap((part) =>
    typeof part === 'string' ? partsOf(part) : [],
  );
  const relations = names.filter((name) => name !== '1' && name !== 'true');
  return relations.length === 0 ? true : new Set(relations);
}

/**
 * The items with `_embedded`: lists under the relation, aligned with the links. One call of each loader in all; items
 * that are ready as text get theirs appended to it.
 */
export async function embed<C>(
  items: readonly object[],
  relations: true | ReadonlySet<string>,
  loaders: Readonly<Record<string, EmbedRow<C>>>,
  call: C,
  /** Hears what was embedded in which item. */
  note?: (place: number, targets: readonly EmbedTarget[], loaded: Loaded) => void,
): Promise<object[]> {
  const targets = items.map((item) =>
    (item instanceof ReadyItem ? item.targets : embedTargets(item)).filter(
      ({ relation }) => relations === true || relations.has(relation),
    ),
  );
  const keys = new Map<string, Set<string | number>>();
  for (const { loader, key } of targets.flat()) {
    const known = keys.get(loader);
    if (known) known.add(key);
    else keys.set(loader, new Set([key]));
  }
  const loaded = new Map<string, ReadonlyMap<string | number, unknown>>();
  await Promise.all(
    [...keys].map(async ([name, set]) => {
      const loader = loaders[name];
      if (!loader) throw new Error(`no embed loader is named ${name}`);
      loaded.set(name, await loader.load(call, [...set]));
    }),
  );
  const assembled = targets.map((followed, place) => {
    note?.(place, followed, loaded);
    return assemble(followed, loaded);
  });
  // Of items that are not written down yet whoever does so asks.
  const isMuch = items.some((item) => item instanceof ReadyItem) && areMany(assembled);
  return items.map((item, place) => {
    const embedded = assembled[place];
    if (!embedded) return item;
    if (!(item instanceof ReadyItem)) return { ...item, _embedded: embedded };
    const make = (): Buffer => withMember(item.json, '_embedded', embedded);
    return new ReadyItem(isMuch ? make : make(), [], item.tags);
  });
}

/** Whether what is embedded in items is too long to be written down for all of them at once; many may show the same. */
export const isMuchEmbedded = (items: readonly object[]): boolean =>
  areMany(items.map((item) => (item as { _embedded?: Embedded })._embedded));

function areMany(embedded: readonly (Embedded | undefined)[]): boolean {
  const known = new Map<object, number>();
  const lengthOf = (value: unknown): number => {
    if (typeof value === 'string') return value.length;
    if (value === null || typeof value !== 'object') return 0;
    let length = known.get(value);
    if (length === undefined) {
      length = 0;
      for (const part of Object.values(value)) length += lengthOf(part);
      known.set(value, length);
    }
    return length;
  };
  return embedded.reduce((sum, one) => sum + lengthOf(one), 0) > PIECE_BYTES;
}

/** The JSON of an object that has members, with one more. */
const withMember = (json: Buffer, name: string, value: unknown): Buffer =>
  Buffer.concat([json.subarray(0, -1), Buffer.from(`,"${name}":${JSON.stringify(value)}}`)]);

/** Undefined when nothing is left to embed. */
function assemble(targets: readonly EmbedTarget[], loaded: Loaded): Embedded | undefined {
  const embedded: Embedded = {};
  for (const { relation, index, loader, key } of targets) {
    const value = loaded.get(loader)?.get(key);
    const list = (embedded[relation] ??= []);
    // Links of one relation that cannot be embedded leave no hole: JSON needs a value there.
    while (list.length < index) list.push({});
    list[index] =
      value instanceof ApiError
        ? value.body()
        : (value ?? apiError('rest_invalid_link', 404, 'The linked object is not there.').body());
  }
  for (const [relation, list] of Object.entries(embedded)) {
    // Clients ask for the relation before they look into it: one with nothing in it (no comments) is left out.
    if (list.every((value) => Array.isArray(value) && value.length === 0)) delete embedded[relation];
  }
  return Object.keys(embedded).length === 0 ? undefined : embedded;
}
