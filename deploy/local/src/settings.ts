/**
 * The environment variables of the whole stack on one machine, as data: reading, checking, `--help` and the
 * table in the README come from it. Refuses to start anything while one of them is faulty.
 */
import path from 'node:path';
import { ConfigError, POSTGRES, readConfig, type ConfigOf, type Variables } from '@sevenfold/chassis/config';
import { isEmail } from '@sevenfold/chassis/http/coerce';

/** The folder of the repository, seen from src as well as from dist. */
export const repositoryRoot = path.resolve(__dirname, '..', '..', '..');

export const stackVariables = {
  PORT: { kind: 'port', default: 8080, description: 'port of the gateway; 0 picks a free one' },
  HOST: {
    kind: 'string',
    default: '127.0.0.1',
    description: 'address the gateway listens on; 0.0.0.0 for all',
  },
  DATA_DIR: {
    kind: 'string',
    default: '',
    description: 'folder of all data, secrets and logs; default: `.data` in the repository',
  },
  SITE_URL: {
    kind: 'site',
    default: '',
    description: 'public address of the site, needed where HOST is 0.0.0.0; default: `http://HOST:PORT`',
  },
  SITE_TIMEZONE: {
    kind: 'timezone',
    default: 'UTC',
    description: 'time zone of the site, such as `Europe/Berlin`',
  },
  ADMIN_USERNAME: { kind: 'string', default: 'admin', description: 'name of the first administrator' },
  ADMIN_PASSWORD: {
    kind: 'string',
    default: '',
    secret: true,
    description: 'password of the first administrator; default: generated and printed once',
  },
  ADMIN_EMAIL: {
    kind: 'string',
    default: 'admin@example.org',
    description: 'mail address of the first administrator',
  },
  ADMIN_APPLICATION_PASSWORD: {
    kind: 'string',
    default: '',
    secret: true,
    description: 'application password of the first administrator; default: generated and printed once',
  },
  SAMPLES: {
    kind: 'boolean',
    default: true,
    description:
      'whether an empty site gets a post, a page, an event and a comment to look at, once; `off` for none',
  },
  DATABASE_URL: {
    kind: 'url',
    protocols: POSTGRES,
    default: '',
    secret: true,
    description: 'administrator of a PostgreSQL server; default: one is started in DATA_DIR',
  },
  REDIS_URL: {
    kind: 'redis',
    default: '',
    secret: true,
    description: 'Redis server; default: one is started in DATA_DIR',
  },
  DATABASE_PREFIX: {
    kind: 'string',
    default: 'sevenfold_',
    description: 'begins the names of the databases and roles, so that sites can share a PostgreSQL server',
  },
  REDIS_PREFIX: {
    kind: 'string',
    default: 'sevenfold',
    description: 'begins the name of every Redis key, so that sites can share a Redis server',
  },
  INSTANCE_ID: {
    kind: 'string',
    default: '',
    description:
      "whose databases and Redis prefix these are: a site stops where it meets another one's; default: generated with the data",
  },
  SEVENFOLD_CACHE: {
    kind: 'string',
    default: '',
    description: 'folder for a fetched Redis or Node; default: `~/.cache/sevenfold`',
  },
  LOG_LEVEL: {
    kind: 'string',
    oneOf: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    description: 'least severe level in the log files',
  },
} as const satisfies Variables;

export interface StackSettings extends ConfigOf<typeof stackVariables> {
  /** Absolute. */
  readonly dataDir: string;
}

type Environment = Record<string, string | undefined>;

/** What a kind cannot say: a fault in words, or undefined. */
const checks: Partial<Record<keyof typeof stackVariables, (text: string) => string | undefined>> = {
  HOST: (text) => (/[\s/]/.test(text) ? 'must be a host name or an address' : undefined),
  DATABASE_PREFIX: (text) =>
    /^[a-z_][a-z0-9_]{0,39}$/.test(text)
      ? undefined
      : 'must be up to 40 small letters, digits and underscores, and not begin with a digit',
  REDIS_PREFIX: (text) =>
    /^[\w.-]{1,60}$/.test(text) ? undefined : 'must be 1 to 60 letters, digits, or any of . _ -',
  INSTANCE_ID: (text) =>
    /^[\w.-]{1,60}$/.test(text) ? undefined : 'must be 1 to 60 letters, digits, or any of . _ -',
  SITE_TIMEZONE: (text) =>
    isTimezone(text) ? undefined : `is not a time zone that is known here (got "${text}")`,
  ADMIN_EMAIL: (text) =>
    isEmail(text) && text.length <= 100 ? undefined : `must be a mail address (got "${text}")`,
  // What the content service takes of any user: it would only say so when everything else has been made.
  ADMIN_USERNAME: (text) =>
    /^(?=.{1,60}$)[\w.@-]+( [\w.@-]+)*$/.test(text)
      ? undefined
      : 'must be 1 to 60 letters, digits, or any of . _ @ -, with single blanks between them',
  ADMIN_PASSWORD: (text) => {
    if (text.length < 8) return 'must have at least 8 characters';
    return text.length > 4096 || text.includes('\\')
      ? 'must have at most 4096 characters, and no backslash'
      : undefined;
  },
  // Blanks only help the eye: nobody has to know them to get in.
  ADMIN_APPLICATION_PASSWORD: (text) =>
    text.replace(/\s+/g, '').length < 16
      ? 'must have at least 16 characters, not counting blanks'
      : undefined,
};

/** Throws one ConfigError that names every fault. */
export function readSettings(env: Environment): StackSettings {
  const faults: string[] = [];
  let config: ConfigOf<typeof stackVariables> | undefined;
  try {
    config = readConfig(stackVariables, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults);
  }
  for (const [name, check] of Object.entries(checks)) {
    const text = env[name];
    if (!text || faults.some((fault) => fault.startsWith(`${name}:`))) continue;
    const fault = check(text);
    if (fault) faults.push(`${name}: ${fault}`);
  }
  if (config && isEverywhere(config.HOST) && config.SITE_URL === '')
    faults.push(
      `SITE_URL is required where HOST is ${config.HOST}: links have to name an address that others can reach, such as http://192.168.1.5:${config.PORT || 8080}`,
    );
  if (!config || faults.length > 0) throw new ConfigError(faults);
  return {
    ...config,
    dataDir: config.DATA_DIR === '' ? path.join(repositoryRoot, '.data') : path.resolve(config.DATA_DIR),
  };
}

/** The variables for people, as `--help` shows them. */
export function describeVariables(): string {
  return Object.entries<Variables[string]>(stackVariables)
    .map(([name, { default: value, description }]) => {
      const suffix = value === undefined || value === '' ? '' : ` [${value}]`;
      return `  ${name.padEnd(27)}${description.replaceAll('`', '')}${suffix}`;
    })
    .join('\n');
}

/** All addresses of the machine, which is none that anybody can go to. */
export const isEverywhere = (host: string): boolean => /^0+(\.0+){0,3}$|^\[?[0:]+\]?$/.test(host);

function isTimezone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
