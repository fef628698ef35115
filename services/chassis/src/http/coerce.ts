/**
 * One value of an argument: coerced to its type and checked. The coercion rules are those existing clients rely on (text
 * numbers, CSV lists, strict booleans), which no stock validator has; hence our own few lines instead of a JSON Schema library.
 */
import { isIP } from 'node:net';
import type { ParamFault } from '../errors';
import { parseDateTime } from '@sevenfold/text/dates';
import type { JsonType, Arg } from './args';

export function coerce(name: string, arg: Arg, value: unknown, faults: ParamFault[]): unknown {
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

/** Of a list as one text. */
export const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

/** Lists come as JSON arrays, repeated `name[]=`, or text separated by commas or blanks. */
function toList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value === 'number' || typeof value === 'boolean') return [value];
  if (typeof value === 'string') return partsOf(value);
  if (value !== null && typeof value === 'object' && Object.keys(value).every((key) => /^\d+$/.test(key)))
    return Object.values(value) as unknown[];
  return undefined;
}

/** Of a list whose argument has no bound of its own. */
export const MOST_ITEMS = 1000;

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
  if (arg.enum && !arg.enum.includes(text) && !arg.also?.includes(text)) {
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
      if (!parseDateTime(text, 'UTC'))
        fault('rest_invalid_date', `${name} is not a valid date and time, such as 2030-01-31T18:00:00.`);
      break;
    case 'email':
      if (!isEmail(text)) fault('rest_invalid_email', `${name} is not a valid e-mail address.`);
      break;
    case 'ip':
      // Of what came from nobody knows where there is none.
      if (text !== '' && isIP(text) === 0) fault('rest_invalid_ip', `${name} is not a valid IP address.`);
      break;
    case 'uri':
      if (!URL.canParse(text)) fault('rest_invalid_url', `${name} is not a valid URL.`);
      break;
    case undefined:
      break;
  }
}

/** Of a value that is none of these. */
export const notInEnum = (name: string, allowed: readonly (string | number)[]): ParamFault => ({
  param: name,
  code: 'rest_not_in_enum',
  message: `${name} is not one of ${allowed.join(', ')}.`,
});
