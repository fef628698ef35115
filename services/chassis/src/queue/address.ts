/**
 * Where Redis is: a server, or Sentinels that know which of several is the master
 * (`redis+sentinel://user:password@sentinel-1:26379/0?master=mymaster&sentinel=sentinel-2:26379`). User, password and number
 * of the database are those of Redis; what the Sentinels themselves want are parameters. With `rediss` both speak TLS.
 */

export interface Place {
  readonly host: string;
  readonly port: number;
}

export interface Sentinels {
  /** As they name the master and its replicas. */
  readonly master: string;
  readonly places: readonly [Place, ...Place[]];
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

export interface RedisAddress {
  /** Absent where the address names the server itself. */
  readonly sentinels?: Sentinels;
  readonly username?: string;
  readonly password?: string;
  readonly database: number;
}

const SCHEMES = ['redis:', 'rediss:', 'redis+sentinel:', 'rediss+sentinel:'];
const SENTINEL_PORT = 26_379;
const PARAMETERS = ['master', 'sentinel', 'sentinelUsername', 'sentinelPassword'];

/** Throws what is wrong, without the address, which holds a password. */
export function readRedisAddress(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !SCHEMES.includes(url.protocol) || url.hostname === '')
    throw new Error('must be an address such as redis://host:6379 or redis+sentinel://host?master=name');
  const database = /^\/?(\d*)$/.exec(url.pathname)?.[1];
  if (database === undefined) throw new Error('must end with the number of a database, or with none');
  const own = {
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    database: Number(database),
  };
  if (!url.protocol.includes('+')) return own;
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown) throw new Error(`has a parameter "${unknown}"; known are ${PARAMETERS.join(', ')}`);
  const master = url.searchParams.get('master');
  if (!master) throw new Error('names Sentinels, so it needs the parameter master: as they name it');
  const places: [Place, ...Place[]] = [
    placeOf(url.host),
    ...url.searchParams.getAll('sentinel').map(placeOf),
  ];
  const sentinels = {
    master,
    places,
    username: url.searchParams.get('sentinelUsername') ?? undefined,
    password: url.searchParams.get('sentinelPassword') ?? undefined,
    tls: url.protocol.startsWith('rediss'),
  };
  return { ...own, sentinels };
}

function placeOf(text: string): Place {
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined;
  if (!url || url.hostname === '' || url.host !== text.toLowerCase())
    throw new Error(`has a Sentinel "${text}" that is no host with a port`);
  // Brackets belong to the address, not to the host.
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || SENTINEL_PORT) };
}
