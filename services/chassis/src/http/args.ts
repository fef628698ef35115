/**
 * Arguments of a route as data, and the one place that reads, coerces and checks them. From the same rows derive the
 * index descriptors, OPTIONS, OpenAPI and the types a handler sees. A request's faults are all reported together.
 *
 * The coercion rules are those existing clients rely on (text numbers, CSV lists, strict booleans), which no stock
 * validator has; hence our own few lines instead of a JSON Schema library.
 */
import { isIP } from 'node:net';
import { type ParamFault, invalidParams, missingParams } from '../errors';
import { parseDateTime } from '@sevenfold/text/dates';

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
  ? E
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

export interface ReadArgs<T extends ArgTable = ArgTable> {
  readonly args: ArgsOf<T>;
  /** Names the client sent, as opposed to defaults. */
  readonly sent: ReadonlySet<string>;
}

/** Checks the merged raw values against the table. Throws one 400 with every fault; unknown names are dropped. */
export function readArgs<T extends ArgTable>(table: T, raw: Readonly<Record<string, unknown>>): ReadArgs<T> {
  const args: Record<string, unknown> = {};
  const sent = new Set<string>();
  const missing: string[] = [];
  for (const name in table) {
    const arg = table[name] as Arg;
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (value === undefined || (value === null && arg.required)) {
      if (arg.required) missing.push(name);
    } else sent.add(name);
  }
  if (missing.length > 0) throw missingParams(missing);

  const faults: ParamFault[] = [];
  const context: CheckContext = { args: raw };
  for (const name in table) {
    const arg = table[name] as Arg;
    if (sent.has(name) && raw[name] === null && !takesNull(arg)) {
      const empty = emptyOf(name, arg, context);
      if (empty === undefined) sent.delete(name);
      else {
        args[name] = empty;
        continue;
      }
    }
    if (!sent.has(name)) {
      if (arg.default !== undefined)
        args[name] = typeof arg.default === 'function' ? (arg.default as () => unknown)() : arg.default;
      continue;
    }
    const before = faults.length;
    const value = coerce(name, arg, raw[name], faults);
    if (faults.length > before) continue;
    args[name] = value;
    if (value === null || !arg.check) continue;
    const fault = arg.check(value as never, context);
    if (fault === undefined) continue;
    if (typeof fault === 'string') faults.push({ param: name, code: 'rest_invalid_param', message: fault });
    else faults.push({ param: name, ...fault });
  }
  if (faults.length > 0) throw invalidParams(faults);
  return { args: args as ArgsOf<T>, sent };
}

const takesNull = (arg: Arg): boolean => arg.type === undefined || arg.accept?.includes('null') === true;

const emptyValue = (type: NonNullable<Arg['type']>): unknown =>
  ({ string: '', integer: 0, number: 0, boolean: false, array: [], object: {} })[type];

/** What null stands for (BEHAVIOUR.md 22); undefined, as if it was not sent, where the argument may not be empty. */
function emptyOf(name: string, arg: Arg, context: CheckContext): unknown {
  if (arg.nullIsAbsent || arg.type === undefined) return undefined;
  const faults: ParamFault[] = [];
  const empty = coerce(name, arg, emptyValue(arg.type), faults);
  return faults.length > 0 || arg.check?.(empty as never, context) !== undefined ? undefined : empty;
}

function coerce(name: string, arg: Arg, value: unknown, faults: ParamFault[]): unknown {
  if (arg.type === undefined) return value;
  const direct = asType(arg.type, name, arg, value, faults);
  if (direct.ok) return direct.value;
  if (arg.accept?.includes(typeOf(value)) || (arg.accept?.includes('number') && typeof value === 'number'))
    return value;
  if (direct.reported) return undefined;
  const wanted = [arg.type, ...(arg.accept ?? [])].join(', ');
  faults.push({
    param: name,
    code: 'rest_invalid_type',
    message: `${name} is not of type ${wanted}.`,
    data: { param: name },
  });
  return undefined;
}

type Outcome = { ok: true; value: unknown } | { ok: false; reported: boolean };
const failed: Outcome = { ok: false, reported: false };
const ok = (value: unknown): Outcome => ({ ok: true, value });

function asType(type: JsonType, name: string, arg: Arg, value: unknown, faults: ParamFault[]): Outcome {
  const before = faults.length;
  switch (type) {
    case 'string': {
      let text = value;
      if (typeof text !== 'string') {
        if (arg.lenient && (typeof text === 'number' || typeof text === 'boolean')) text = String(text);
        else return failed;
      }
      checkText(name, arg, text as string, faults);
      return faults.length > before ? { ok: false, reported: true } : ok(text);
    }
    case 'integer':
    case 'number': {
      const number = toNumber(value, type);
      if (number === undefined) return failed;
      checkNumber(name, arg, number, faults);
      if (faults.length > before) return { ok: false, reported: true };
      return ok(arg.atMost === undefined ? number : Math.min(number, arg.atMost));
    }
    case 'boolean': {
      const flag = toBoolean(value);
      return flag === undefined ? failed : ok(flag);
    }
    case 'array': {
      const list = toList(value);
      if (!list) return failed;
      const items = checkItems(name, arg, list, faults);
      return faults.length > before ? { ok: false, reported: true } : ok(items);
    }
    case 'object':
      if (value === '' && !arg.accept?.includes('string')) return ok({});
      if (Array.isArray(value) && value.length === 0) return ok({});
      return typeOf(value) === 'object' ? ok(value) : failed;
    case 'null':
      return value === null ? ok(null) : failed;
  }
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as JsonType;
}

/** Whole numbers stay within the exact range of a double, so that nothing downstream meets a rounded id. */
export function toNumber(value: unknown, type: 'integer' | 'number'): number | undefined {
  let number: number;
  if (typeof value === 'number') number = value;
  else if (typeof value === 'string' && /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?\s*$/i.test(value))
    number = Number(value);
  else return undefined;
  if (!Number.isFinite(number)) return undefined;
  if (type === 'integer' && !Number.isSafeInteger(number)) return undefined;
  return Object.is(number, -0) ? 0 : number;
}

export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 1 || value === '1') return true;
  if (value === 0 || value === '0') return false;
  if (typeof value === 'string') {
    if (/^true$/i.test(value)) return true;
    if (/^false$/i.test(value)) return false;
  }
  return undefined;
}

/** Lists come as JSON arrays, repeated `name[]=`, or text separated by commas or blanks. */
function toList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'number' || typeof value === 'boolean') return [value];
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((part) => part !== '');
  if (value !== null && typeof value === 'object' && Object.keys(value).every((key) => /^\d+$/.test(key)))
    return Object.values(value) as unknown[];
  return undefined;
}

const MOST_ITEMS = 1000;

function checkItems(name: string, arg: Arg, list: unknown[], faults: ParamFault[]): unknown[] {
  const most = arg.maxItems ?? MOST_ITEMS;
  if (list.length > most) {
    faults.push({
      param: name,
      code: 'rest_too_many_items',
      message: `${name} must contain at most ${most} items.`,
    });
    return list;
  }
  const items = arg.items;
  if (!items) return list;
  return list.map((entry, index) => {
    const label = `${name}[${index}]`;
    const inner: ParamFault[] = [];
    const result = asType(
      items.type,
      label,
      { description: '', type: items.type, enum: items.open ? undefined : items.enum, lenient: true },
      entry,
      inner,
    );
    if (result.ok) return result.value;
    if (items.open && typeof entry === 'string') return entry;
    // One message for each argument is what clients show; the first bad entry speaks for the list.
    if (!faults.some((fault) => fault.param === name)) {
      const first = inner[0];
      faults.push(
        first
          ? { ...first, param: name, data: { param: label } }
          : {
              param: name,
              code: 'rest_invalid_type',
              message: `${label} is not of type ${items.type}.`,
              data: { param: label },
            },
      );
    }
    return undefined;
  });
}

function checkNumber(name: string, arg: Arg, number: number, faults: ParamFault[]): void {
  const { minimum, maximum } = arg;
  const low = minimum !== undefined && number < minimum;
  const high = maximum !== undefined && number > maximum;
  if (low || high) {
    const message =
      minimum !== undefined && maximum !== undefined
        ? `${name} must be between ${minimum} (inclusive) and ${maximum} (inclusive)`
        : low
          ? `${name} must be greater than or equal to ${minimum}`
          : `${name} must be less than or equal to ${maximum}`;
    faults.push({ param: name, code: 'rest_out_of_bounds', message });
  }
  if (arg.enum && !arg.enum.includes(number)) faults.push(notInEnum(name, arg.enum));
}

// Lengths and shape of an address; whether mail arrives there is not this layer's question.
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;
export const isEmail = (text: string): boolean =>
  EMAIL.test(text) && !text.includes('..') && !text.startsWith('.');

function checkText(name: string, arg: Arg, text: string, faults: ParamFault[]): void {
  const fault = (code: string, message: string): number => faults.push({ param: name, code, message });
  if (arg.enum && !arg.enum.includes(text)) {
    faults.push(notInEnum(name, arg.enum));
    return;
  }
  if (arg.minLength !== undefined && text.length < arg.minLength)
    fault(
      'rest_too_short',
      `${name} must be at least ${arg.minLength} character${arg.minLength === 1 ? '' : 's'} long.`,
    );
  if (arg.maxLength !== undefined && text.length > arg.maxLength)
    fault('rest_too_long', `${name} must be at most ${arg.maxLength} characters long.`);
  if (arg.pattern && !arg.pattern.test(text))
    fault('rest_invalid_pattern', `${name} does not match pattern ${arg.pattern.source}.`);
  switch (arg.format) {
    case 'date-time':
      if (text !== '' && !parseDateTime(text, 'UTC'))
        fault('rest_invalid_date', `${name} is not a valid date and time, such as 2030-01-31T18:00:00.`);
      break;
    case 'email':
      if (!isEmail(text)) fault('rest_invalid_email', `${name} is not a valid e-mail address.`);
      break;
    case 'ip':
      if (isIP(text) === 0) fault('rest_invalid_ip', `${name} is not a valid IP address.`);
      break;
    case 'uri':
      if (!URL.canParse(text)) fault('rest_invalid_url', `${name} is not a valid URL.`);
      break;
    case undefined:
      break;
  }
}

const notInEnum = (name: string, allowed: readonly (string | number)[]): ParamFault => ({
  param: name,
  code: 'rest_not_in_enum',
  message: `${name} is not one of ${allowed.join(', ')}.`,
});
