/**
 * Shapes of bodies as data, for routes whose answers or bodies do not follow from a schema and arguments: JSON Schema as
 * OpenAPI 3.1 has it, and a few makers that keep declarations short. Nothing is checked by them here; the tests hold every
 * answer they get against the document that is made of them.
 */
export type Shape = Readonly<Record<string, unknown>>;

export const text = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const flag = { type: 'boolean' } as const;
export const anyObject = { type: 'object' } as const;

export const described = <S extends Shape>(description: string, shape: S): S & { description: string } => ({
  ...shape,
  description,
});

/** The very value. */
export const constant = (value: unknown): Shape => ({ const: value });

export const either = (...shapes: readonly Shape[]): Shape => ({ anyOf: shapes });

export const orNull = (shape: { readonly type: string }): Shape => ({ ...shape, type: [shape.type, 'null'] });

export const listOf = (items: Shape): Shape => ({ type: 'array', items });

/** An object whose keys are data. */
export const mapOf = (values: Shape): Shape => ({ type: 'object', additionalProperties: values });

/** What clients are used to where an object would be empty. Its `items` say nothing, but generators refuse lists without. */
export const emptyList = { type: 'array', items: {}, maxItems: 0 } as const;

/** All properties are there but for those named `optional`. */
export const object = (
  properties: Readonly<Record<string, Shape>>,
  ...optional: readonly string[]
): Shape => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
};

/** An item of a schema that some route of the same service has. */
export const itemOf = ({ title }: { readonly title: string }): Shape => ({
  $ref: `#/components/schemas/${title}`,
});

/** What a route answers, beside the errors that every route of its kind can answer with. */
export interface Answers {
  /** JSON of a success. */
  readonly body?: Shape;
  /** Of a success: 201 of routes that only create, else 200. */
  readonly status?: number;
  /** Other statuses with bodies of their own; of errors they come beside the usual one. `undefined`: no body. */
  readonly also?: Readonly<Record<number, Shape | undefined>>;
  /** Types that the body may come in instead of JSON, as text; so may all errors of a route that has an `answerError`. */
  readonly types?: readonly string[];
  /** Errors that may come in those types although the route has none. */
  readonly typedErrors?: readonly number[];
  /** Types of a success that is no JSON, as text. */
  readonly file?: readonly string[];
  /** The pages that arguments speak of are inside of the body: no header counts them. */
  readonly paged?: false;
  /** Errors that other routes of its kind do not answer with. */
  readonly refuses?: readonly number[];
}

export interface Sends {
  /** More properties of the body. */
  readonly properties?: Readonly<Record<string, Shape>>;
  /** The whole body: JSON whose fields are no arguments. */
  readonly json?: Shape;
  /** A file, alone or as this part of a form. */
  readonly file?: string;
  /** A form whose fields are data. */
  readonly form?: true;
}
