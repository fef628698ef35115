/**
 * Configuration as data: a service lists its variables once; reading, checking, help text, the README table
 * and the Helm values all come from that list. Only main.ts hands in process.env; tests pass literals.
 * What several services have in common is in variables.ts.
 * Refuses to guess: every fault of the environment is reported at once, before anything is started.
 */
import { isZone } from '@sevenfold/text/dates';
import { trimEnd } from '@sevenfold/text/trim';
import { readRedisAddress } from './queue/address';
import { secretsOf } from './secrets';

export type VariableKind =
  | 'string'
  | 'timezone'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'url'
  | 'grpc'
  | 'site'
  | 'origins'
  | 'secrets'
  | 'redis'
  | 'port'
  | 'duration-seconds';

export interface Variable {
  readonly kind: VariableKind;
  readonly description: string;
  /** Absent means required. The empty string makes a variable optional. */
  readonly default?: string | number | boolean;
  readonly oneOf?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** Of a URL: what it may begin with, such as `https:`. `db:5432` is a URL too, of a protocol `db:`. */
  readonly protocols?: readonly string[];
  /** Of a URL: nothing after its host and port. */
  readonly isServer?: boolean;
  /** Secrets never reach a log or a printed table. */
  readonly secret?: boolean;
}

export const WEB: readonly string[] = ['http:', 'https:'];
export const POSTGRES: readonly string[] = ['postgres:', 'postgresql:'];

export type Variables = Record<string, Variable>;

type ValueOf<V extends Variable> = V['kind'] extends 'integer' | 'number' | 'port' | 'duration-seconds'
  ? number
  : V['kind'] extends 'boolean'
    ? boolean
    : string;

export type ConfigOf<T extends Variables> = { readonly [K in keyof T]: ValueOf<T[K]> };

export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n  ${faults.join('\n  ')}`,
    );
    this.name = 'ConfigError';
  }
}

/** Reads every variable of the list. Throws one ConfigError that names all faults. */
export function readConfig<const T extends Variables>(
  variables: T,
  env: Record<string, string | undefined>,
): ConfigOf<T> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const text = env[name];
    if (text === undefined || text === '') {
      if (variable.default === undefined) faults.push(`${name} is required: ${variable.description}`);
      else values[name] = variable.default;
      continue;
    }
    const parsed = parse(variable, text);
    if (parsed.fault !== undefined)
      faults.push(`${name}: ${parsed.fault}${variable.secret || parsed.isSecret ? '' : ` (got "${text}")`}`);
    else values[name] = parsed.value;
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return values as ConfigOf<T>;
}

interface Parsed {
  value?: string | number | boolean;
  fault?: string;
  /** What was given holds something that nobody else may see. */
  isSecret?: boolean;
}

function parse(variable: Variable, text: string): Parsed {
  if (variable.oneOf && !variable.oneOf.includes(text))
    return { fault: `must be one of ${variable.oneOf.join(', ')}` };
  switch (variable.kind) {
    case 'string':
      return { value: text };
    case 'timezone':
      return isZone(text)
        ? { value: text }
        : { fault: 'must be a time zone, such as Europe/Lisbon or UTC+2' };
    case 'boolean':
      if (/^(true|1|on|yes)$/i.test(text)) return { value: true };
      if (/^(false|0|off|no)$/i.test(text)) return { value: false };
      return { fault: 'must be true or false' };
    case 'url':
      return readUrl(variable, text);
    case 'grpc':
      return GRPC_ADDRESS.test(text.trim())
        ? { value: text.trim() }
        : { fault: 'must be a host and a port, such as content:9090 or dns:///content:9090' };
    case 'site':
      return readSite(text);
    case 'origins': {
      const origins = text.split(',').map((origin) => origin.trim());
      const bad = origins.find((origin) => !isOrigin(origin));
      return bad === undefined
        ? { value: origins.join(',') }
        : { fault: `"${bad}" must be an origin, such as https://app.example.org` };
    }
    case 'secrets':
      return secretsOf(text).length > 0 ? { value: text } : { fault: 'must name a secret' };
    case 'redis':
      return faultOf(() => readRedisAddress(text)) ?? { value: text };
    case 'number': {
      const value = Number(text);
      return Number.isFinite(value) ? bounded(variable, value) : { fault: 'must be a number' };
    }
    case 'integer':
    case 'duration-seconds':
      if (!/^-?\d+$/.test(text)) return { fault: 'must be a whole number' };
      return bounded(variable, Number(text));
    case 'port':
      if (!/^\d+$/.test(text) || Number(text) > 65535) return { fault: 'must be a port between 0 and 65535' };
      return { value: Number(text) };
  }
}

/** Without a port gRPC asks at that of web servers, and of `http://content:9090` it makes a name to look for: both for ever. */
const GRPC_ADDRESS =
  /^(?:unix:\S+|(?:dns:(?:\/\/[^/\s]*\/)?|ipv[46]:)?(?:\[[\da-f:.%]+\]|[^\s:/[\]]+):\d{1,5}(?:,\S+)?)$/i;

function readUrl({ protocols, isServer }: Variable, text: string): Parsed {
  const isSecret = text.includes('@');
  if (!URL.canParse(text)) return { fault: 'must be a URL', isSecret };
  const { protocol, username, password, pathname } = new URL(text);
  if (protocols && !protocols.includes(protocol))
    return { fault: `must start with ${protocols.map((one) => `${one}//`).join(' or ')}`, isSecret };
  if (isServer && (pathname !== '/' || username + password !== '' || /[?#]/.test(text)))
    return { fault: 'must end with its host or port', isSecret };
  // As URLs are read: blanks around one, as of a file with a last line, are no part of it.
  return { value: trimEnd(text.trim(), '/') };
}

/** What every link of a site begins with, so whatever stands in it is told to everybody, and paths come after it. */
function readSite(text: string): Parsed {
  if (!URL.canParse(text)) return { fault: 'must be a URL', isSecret: text.includes('@') };
  const { protocol, username, password, href } = new URL(text);
  if (username + password !== '')
    return { fault: 'must be without user name and password: every link would tell them', isSecret: true };
  if (!WEB.includes(protocol)) return { fault: 'must start with http:// or https://' };
  if (/[?#]/.test(text)) return { fault: 'must end with its host or a path, without ? and #' };
  // As browsers write it: headers take no letters of other scripts, and no blanks that came around it or in its path.
  return { value: trimEnd(href, '/') };
}

function faultOf(read: () => unknown): Parsed | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** As browsers name it: no path, not even a slash. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text.toLowerCase();

function bounded(variable: Variable, value: number): Parsed {
  if (variable.min !== undefined && value < variable.min)
    return { fault: `must be at least ${variable.min}` };
  if (variable.max !== undefined && value > variable.max) return { fault: `must be at most ${variable.max}` };
  return { value };
}
