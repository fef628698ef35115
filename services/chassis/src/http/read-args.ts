/** The one place that reads the arguments of a request, from the same rows that declare them. Its faults are all reported together. */
import { type Actor, stranger } from '../actor';
import { type ParamFault, invalidParams, missingParams } from '../errors';
import { coerce } from './coerce';
import type { CheckContext, Arg, ArgTable, ArgsOf } from './args';

interface ReadArgs<T extends ArgTable = ArgTable> {
  readonly args: ArgsOf<T>;
  /** Names the client sent, as opposed to defaults. */
  readonly sent: ReadonlySet<string>;
}

/** Checks the merged raw values against the table. Throws one 400 with every fault; unknown names are dropped. */
export function readArgs<T extends ArgTable>(
  table: T,
  raw: Readonly<Record<string, unknown>>,
  actor: Actor = stranger,
): ReadArgs<T> {
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
  const context: CheckContext = { args: raw, actor };
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
