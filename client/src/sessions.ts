/** Sessions: a log-in with a password, and what renews its tokens. */
import { mergeHeaders } from 'openapi-fetch';
import { type Tokens, stranger } from './credentials.ts';
import { SevenfoldError, errorOf, objectOf } from './errors.ts';
import { type SendOptions, type Transport, attemptsOf, createTransport, fetching } from './transport.ts';

export interface LogIn extends SendOptions {
  /** Public address of the site. */
  readonly url: string;
  readonly username: string;
  /** The user's own, or an application password. */
  readonly password: string;
  /** What the client calls itself in the user's list of sessions. */
  readonly name?: string;
  /** Sent with the request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const SESSIONS = '/console/api/sessions';

/** Opens a session; what it answers are credentials for `createClient`. */
export async function logIn({ url, username, password, name, headers, signal, ...options }: LogIn): Promise<{
  readonly accessToken: string;
  readonly refresh: string;
}> {
  const transport = createTransport(stranger, options);
  const body = { username, password, ...(name === undefined ? {} : { name }) };
  const { accessToken, refreshToken } = await ask(transport, `${siteOf(url)}${SESSIONS}`, {
    body,
    headers,
    signal,
  });
  return { accessToken, refresh: refreshToken };
}

/** Shortly after, the same token gets the same answer: one that was lost can be asked for once more. */
export const refreshTokens = (
  transport: Transport,
  site: string,
  refreshToken: string,
  headers: Readonly<Record<string, string>>,
): Promise<Tokens> =>
  ask(transport, `${site}${SESSIONS}/refresh`, {
    body: { refresh_token: refreshToken },
    headers,
    repeatable: true,
  });

/** Without the slashes at its end. */
export function siteOf(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

interface Asked {
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly repeatable?: boolean;
}

async function ask(
  transport: Transport,
  url: string,
  { body, headers, signal = new AbortController().signal, repeatable = false }: Asked,
): Promise<Required<Tokens>> {
  const response = await transport({
    method: 'POST',
    headers: mergeHeaders(headers, { 'Content-Type': 'application/json' }),
    signal,
    send: fetching(url, 'POST', JSON.stringify(body)),
    repeatable,
  });
  const told: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(response, told, attemptsOf(response));
  const { access_token: accessToken, refresh_token: refreshToken } = objectOf(told);
  if (typeof accessToken === 'string' && typeof refreshToken === 'string')
    return { accessToken, refreshToken };
  throw new SevenfoldError({
    code: 'invalid_answer',
    status: response.status,
    message: 'There is no token in the answer.',
  });
}
