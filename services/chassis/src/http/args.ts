/**
 * Arguments of a route as data. From the same rows derive the index descriptors, OPTIONS, OpenAPI, the types a handler sees,
 * and how what a client sends is read (read-args.ts), coerced and checked (coerce.ts).
 */
import type { Actor } from '../actor';

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

export interface ArgItems {
  readonly type: 'string' | 'integer' | 'number' | 'object';
  readonly enum?: readonly string[];
  /** Shows `enum` and `type` without enforcing them on text: for values whose refusal the handler or `load` decides. */
  readonly open?: boolean;
}

export interface CheckContext {
  /** All arguments read so far, unchecked. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Who asks; a stranger where nobody does. */
  readonly actor: Actor;
}

/** A value passes by returning undefined; a fault is a message, or a message with a code of its own. */
export type Check = (
  value: never,
  context: CheckContext,
) => string | { code: string; message: string } | undefined;

export interface Arg {
  /** Absent: the interface leaves the type open, any JSON value passes to `check`. */
  readonly type?: Exclude<JsonType, 'null'>;
  readonly description: string;
  readonly required?: boolean;
  /** A function computes the default for each request (and for each index answer). */
  readonly default?: unknown;
  readonly enum?: readonly (string | number)[];
  /** Values taken besides those of `enum`. Not shown in the index. */
  readonly also?: readonly string[];
  readonly items?: ArgItems;
  /** Types taken besides `type`; such values reach the handler as they are. Not shown in the index. */
  readonly accept?: readonly JsonType[];
  /** JSON null leaves the argument as if it was not sent; otherwise it is the empty value of the type. */
  readonly nullIsAbsent?: true;
  /** Lets numbers and booleans stand for text of the same meaning. */
  readonly lenient?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A larger number is not refused but reduced to this one. */
  readonly atMost?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: RegExp;
  readonly format?: 'date-time' | 'email' | 'ip' | 'uri';
  readonly check?: Check;
  /** Works and appears in OpenAPI, but not in the index, whose arguments the contract fixes. */
  readonly unlisted?: boolean;
}

export type ArgTable = Readonly<Record<string, Arg>>;

type ItemOf<I> = I extends { type: 'integer' | 'number' }
  ? number
  : I extends { type: 'object' }
    ? Record<string, unknown>
    : string;
type Base<A extends Arg> = A extends { enum: readonly (infer E)[] }
  ? E | (A extends { also: readonly (infer O)[] } ? O : never)
  : A extends { type: 'integer' | 'number' }
    ? number
    : A extends { type: 'boolean' }
      ? boolean
      : A extends { type: 'array' }
        ? readonly ItemOf<A['items']>[]
        : A extends { type: 'object' }
          ? Record<string, unknown>
          : A extends { type: 'string' }
            ? string
            : unknown;
type Accepted<A extends Arg> = A extends { accept: readonly (infer T)[] }
  ? T extends 'null'
    ? null
    : T extends 'string'
      ? string
      : T extends 'integer' | 'number'
        ? number
        : T extends 'boolean'
          ? boolean
          : unknown
  : never;
/** A default that is no value of the type is there as it is, such as one word for a list of it. */
type Default<A extends Arg> = A extends { default: infer D }
  ? D extends Base<A> | ((...args: never[]) => unknown)
    ? never
    : D
  : never;
type Value<A extends Arg> = Base<A> | Accepted<A> | Default<A>;
type AlwaysThere<T extends ArgTable> = {
  [K in keyof T]: T[K] extends { required: true } | { default: {} } ? K : never;
}[keyof T];

/** What a handler sees: required and defaulted arguments are there, the others may be undefined. Of several tables: one of theirs. */
export type ArgsOf<T extends ArgTable> = T extends ArgTable
  ? { readonly [K in AlwaysThere<T>]: Value<T[K]> } & {
      readonly [K in Exclude<keyof T, AlwaysThere<T>>]?: Value<T[K]>;
    }
  : never;
