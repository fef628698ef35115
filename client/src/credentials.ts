/** Who is asking: an application password, or an access token with what renews it. Renewed once for all who wait for it. */
import { SevenfoldError } from './errors.ts';
import { startTimer, unlessAborted } from './retry.ts';

export interface Tokens {
  readonly accessToken: string;
  /** Where the site gave a new one: the one before is void from then on. */
  readonly refreshToken?: string;
}

export type Credentials =
  | { readonly username: string; readonly applicationPassword: string }
  | {
      readonly accessToken: string;
      /** The refresh token of a session, or a function that gets a new access token by any other way. */
      readonly refresh?: string | (() => Promise<string | Tokens>);
      /** Told of new tokens, so that they can be kept for the next start. */
      readonly onRefreshed?: (tokens: Tokens) => void;
    };

export interface Keeper {
  /** The value of `Authorization`; waits while tokens are being renewed. */
  readonly header: (signal: AbortSignal) => Promise<string | undefined>;
  /** Called when the site no longer takes `used`. Answers whether there is another one to try. */
  readonly renew: (used: string | undefined, signal: AbortSignal) => Promise<boolean>;
}

/** Sends the refresh token to the site. */
export type Exchange = (refreshToken: string) => Promise<Tokens>;

/** `timeoutMs` is for a function that gets tokens; the exchange with the site has one of its own. */
export function keeperOf(
  credentials: Credentials | undefined,
  exchange: Exchange,
  timeoutMs: number,
): Keeper {
  if (!credentials) return stranger;
  if ('accessToken' in credentials) return tokenKeeper(credentials, exchange, timeoutMs);
  const header = basic(credentials.username, credentials.applicationPassword);
  return { header: async () => header, renew: async () => false };
}

export const stranger: Keeper = { header: async () => undefined, renew: async () => false };

/** Base64 of UTF-8, as the site reads it; `btoa` alone takes no more than Latin-1. */
function basic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** Errors of `fetch` show the header that they do not take. White space at the ends, as of a file, falls away. */
function bearer(token: string): string {
  const trimmed = token.trim();
  if (!/^[\x20-\x7e]*$/.test(trimmed)) throw new TypeError('The access token has characters that none has.');
  return `Bearer ${trimmed}`;
}

type TokenCredentials = Extract<Credentials, { accessToken: string }>;

function tokenKeeper(
  { accessToken, refresh, onRefreshed }: TokenCredentials,
  exchange: Exchange,
  timeoutMs: number,
): Keeper {
  let current = bearer(accessToken);
  let refreshToken = typeof refresh === 'string' ? refresh : undefined;
  let renewing: Promise<void> | undefined;

  const fetchTokens = async (): Promise<Tokens> => {
    if (typeof refresh === 'function') {
      const got = await inTime(refresh(), timeoutMs);
      return typeof got === 'string' ? { accessToken: got } : got;
    }
    return exchange(refreshToken as string);
  };
  const renewOnce = async (): Promise<void> => {
    const tokens = await fetchTokens();
    current = bearer(tokens.accessToken);
    refreshToken = tokens.refreshToken ?? refreshToken;
    onRefreshed?.(tokens);
  };

  return {
    header: async (signal) => {
      if (renewing) await unlessAborted(renewing, signal);
      return current;
    },
    renew: async (used, signal) => {
      if (refresh === undefined) return false;
      // Somebody else was told so before, and has renewed it meanwhile.
      if (used !== current) return true;
      renewing ??= renewOnce().finally(() => (renewing = undefined));
      await unlessAborted(renewing, signal);
      return true;
    },
  };
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `No new token came within ${ms} ms.`;
    timer = startTimer(() => reject(new SevenfoldError({ code: 'timeout', status: 0, message })), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
