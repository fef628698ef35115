/** Schemas of arguments and of items, as OpenAPI 3.1 has them. */
import type { Arg } from './args';
import { embeddedShape, schemaAt } from './openapi-common';
import type { ItemSchema, Property } from './present';
import type { Shape } from './shapes';

/** What an argument takes. Dates and times are taken in more forms than the formats of JSON Schema know. */
export function argShape(arg: Arg): Shape {
  const shape: Record<string, unknown> = typesOf(arg);
  if (arg.enum) shape.enum = arg.accept?.includes('null') ? [...arg.enum, null] : arg.enum;
  if (arg.type === 'array') shape.items = itemsOf(arg);
  if (arg.default !== undefined && typeof arg.default !== 'function') shape.default = defaultOf(arg);
  for (const name of ['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'] as const)
    if (arg[name] !== undefined) shape[name] = arg[name];
  if (arg.pattern) shape.pattern = arg.pattern.source;
  if (arg.format === 'email' || arg.format === 'uri') shape.format = arg.format;
  return shape;
}

function typesOf({ type, accept = [] }: Arg): Record<string, unknown> {
  if (!type) return {};
  const types = [...new Set([type, ...accept])];
  return { type: types.length === 1 ? type : types };
}

function itemsOf({ items }: Arg): Shape {
  if (!items) return {};
  // Names stand for numbers where the list is open.
  if (items.open && items.type === 'integer') return { type: ['integer', 'string'] };
  return { type: items.type, ...(items.enum ? { enum: items.enum } : {}) };
}

/** One word stands for a list of it. */
const defaultOf = (arg: Arg): unknown =>
  arg.type === 'array' && !Array.isArray(arg.default) ? [arg.default] : arg.default;

/** An item: required is what each context shows and nothing leaves out. */
export function itemShape({ description, properties, linked, embeds }: ItemSchema): Shape {
  return {
    ...(description === undefined ? {} : { description }),
    ...objectShape(properties, {
      ...(linked ? { _links: schemaAt('Links') } : {}),
      ...(embeds ? { _embedded: embeddedShape(embeds) } : {}),
    }),
  };
}

type Properties = Readonly<Record<string, Property>>;

function objectShape(properties: Properties, more: Readonly<Record<string, Shape>> = {}): Shape {
  const required = Object.entries(properties)
    .filter(([, { optional, context }]) => !optional && (!context || context.length === CONTEXTS))
    .map(([name]) => name);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: {
      ...Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, propertyShape(property)]),
      ),
      ...more,
    },
  };
}

const CONTEXTS = 3;

function propertyShape(property: Property): Shape {
  const { type, description, format, readonly, items, additionalProperties, answered } = property;
  if (answered) return { description, ...(readonly ? { readOnly: true } : {}), ...answered };
  return {
    ...(property.properties ? objectShape(property.properties) : {}),
    type,
    description,
    ...(property.enum ? { enum: property.enum } : {}),
    ...(format === undefined ? {} : { format: format in FORMATS ? FORMATS[format] : format }),
    ...(readonly ? { readOnly: true } : {}),
    ...(items ? { items: listedShape(items) } : {}),
    ...(additionalProperties ? { additionalProperties: propertyShape(additionalProperties) } : {}),
  };
}

/** Times are on the clock of the site or of GMT, and do not say which; addresses of a network are of any kind. */
const FORMATS: Readonly<Record<string, string | undefined>> = {
  'date-time': 'date-time-local',
  ip: undefined,
};

const listedShape = ({ type, enum: allowed, properties }: NonNullable<Property['items']>): Shape => ({
  ...(properties ? objectShape(properties) : {}),
  type,
  ...(allowed ? { enum: allowed } : {}),
});
