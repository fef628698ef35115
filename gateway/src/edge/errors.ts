/** Errors that only the gateway answers with, and what a fault of a connection to a service means for a client. */
import {
  type ApiError,
  type CodeTable,
  busy,
  makersFor,
  nothingDone,
  unavailable,
} from '@sevenfold/chassis/errors';

/** Codes of errors that only the gateway answers with. */
export const codes = {
  bad_gateway: 'A service gave no valid answer.',
  headers_too_large: 'The address and the headers are too large.',
  length_required: 'The body came without its length.',
  request_timeout: 'The request did not arrive in time.',
  rest_callback_forbidden: 'A script that any page may load was asked for with a credential.',
  rest_callback_invalid: 'What `_jsonp` names is no function.',
  rest_cross_site: 'A page of another site may not write with remembered credentials.',
  rest_invalid_credentials: 'The credentials are wrong.',
  rest_invalid_refresh_token: 'The refresh token is none that counts, or its session has ended.',
  rest_invalid_path: 'The path is not valid percent-encoded UTF-8.',
  rest_gone: 'What stood at the address is gone for good.',
  rest_too_many_connections: 'One address has too many connections open.',
  rest_too_many_attempts: 'Too many wrong credentials came from one address, or for one account.',
  rest_too_many_requests: 'Too many requests came from one address, network or credential.',
  rest_tokens_off: 'No secret is configured under which access tokens could be signed.',
  rest_url_not_found: 'Nothing public stands at the address of the site that was asked about.',
  unsupported_media_type: 'The body is of a type or an encoding that is not taken.',
} as const satisfies CodeTable;
export const { apiError } = makersFor(codes);

export const errors = {
  badPath: () => apiError('rest_invalid_path', 400, 'The path is not valid percent-encoded UTF-8.'),
  invalidCredentials: (realm: string, message: string) =>
    apiError('rest_invalid_credentials', 401, message, {
      headers: { 'WWW-Authenticate': `Basic realm="${realm}", charset="UTF-8"` },
    }),
  badCallback: () =>
    apiError(
      'rest_callback_invalid',
      400,
      'The function of _jsonp has letters, digits, _ and dots alone in its name.',
      {
        data: { params: { _jsonp: 'Letters, digits, _ and dots, 200 at most.' } },
      },
    ),
  callWithCredential: () =>
    apiError(
      'rest_callback_forbidden',
      403,
      'A script is for any page that loads it: what is asked for with _jsonp is asked for without a credential.',
    ),
  /** RFC 6750, 3.1. */
  invalidToken: (realm: string, message: string) =>
    apiError('rest_invalid_credentials', 401, message, {
      headers: {
        'WWW-Authenticate': `Bearer realm="${realm}", error="invalid_token", error_description="${message}"`,
      },
    }),
  // A page that asks by script tells its user itself: no challenge here that a browser would show a form for.
  wrongLogIn: (realm: string) =>
    apiError('rest_invalid_credentials', 401, 'The user name and the password do not fit together.', {
      headers: { 'WWW-Authenticate': `Bearer realm="${realm}"` },
    }),
  wrongRefreshToken: (realm: string) =>
    apiError(
      'rest_invalid_refresh_token',
      401,
      'The refresh token is none that counts, or its session has ended. Log in again.',
      { headers: { 'WWW-Authenticate': `Bearer realm="${realm}"` } },
    ),
  noTokens: () =>
    apiError(
      'rest_tokens_off',
      501,
      'This site gives no access tokens: no secret is configured to sign them with (TOKEN_KEYS).',
    ),
  tooManyAttempts: (seconds: number) =>
    apiError(
      'rest_too_many_attempts',
      429,
      'Too many wrong credentials came from this address, or for this account. Try again later.',
      { headers: { 'Retry-After': String(seconds) } },
    ),
  tooManyRequests: (limit: number, seconds: number) =>
    apiError('rest_too_many_requests', 429, `More than ${limit} requests came within a minute. Slow down.`, {
      headers: { 'Retry-After': String(seconds) },
    }),
  tooManyConnections: () =>
    apiError('rest_too_many_connections', 429, 'Too many connections of this address are open.', {
      headers: { 'Retry-After': '5' },
    }),
  headersTooLarge: () =>
    apiError(
      'headers_too_large',
      431,
      'The address and the headers of the request are too large, or too many.',
    ),
  crossSite: () =>
    apiError(
      'rest_cross_site',
      403,
      'A page of another site may not write with credentials that the browser remembers. Send JSON, or have the origin listed.',
    ),
  gone: () => apiError('rest_gone', 410, 'What stood at this address of the site is gone.'),
  nothingThere: (head: object) =>
    apiError('rest_url_not_found', 404, 'Nothing public stands at this address of the site.', {
      data: { head },
      headers: { Vary: 'Accept' },
    }),
  conditionalWrite: () =>
    apiError(
      'rest_precondition_failed',
      412,
      'Writes under a condition are not offered: nothing was written. Send it without If-Match and If-None-Match.',
    ),
  lengthRequired: () =>
    apiError('length_required', 411, 'A body of this method must come with its Content-Length.'),
  unsupportedMediaType: (type: string) =>
    apiError(
      'unsupported_media_type',
      415,
      'The body must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
      { data: { content_type: type } },
    ),
  /** Of the console. */
  onlyJson: (type: string) =>
    apiError('unsupported_media_type', 415, 'The body must be application/json.', {
      data: { content_type: type },
    }),
  unsupportedEncoding: (encoding: string) =>
    apiError(
      'unsupported_media_type',
      415,
      'The body must come as it is, without Content-Encoding.',
      // RFC 9110, 15.5.16: tells that it is the encoding, not the type.
      { data: { content_encoding: encoding }, headers: { 'Accept-Encoding': 'identity' } },
    ),
  rightsLost: () =>
    apiError(
      'rest_forbidden',
      403,
      'You have lost rights while the body of the request arrived. Send it again.',
    ),
  requestTimeout: () => apiError('request_timeout', 408, 'The body of the request did not arrive in time.'),
  /** It got nothing of the request. */
  serviceDown: (service: string, cause?: unknown) =>
    nothingDone(unavailable(`The ${service} service`, 2, cause)),
  busy: (service: string) =>
    nothingDone(busy(`The ${service} service has too much of this to do. Try again shortly.`, 2)),
  badGateway: (service: string, cause?: unknown) =>
    apiError(
      'bad_gateway',
      502,
      `The ${service} service gave no valid answer. Whether it did what was asked is not known.`,
      { cause },
    ),
  upstreamTimeout: (service: string, cause?: unknown) =>
    apiError('upstream_timeout', 504, `The ${service} service took too long to answer.`, {
      headers: { 'Retry-After': '2' },
      cause,
    }),
};

const NEVER_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
]);

/** A service that was not reached did nothing: 503, try again. One that broke off may have done it: 502. */
export function upstreamFault(service: string, error: unknown): ApiError {
  const { code = '', syscall } = error as { code?: string; syscall?: string };
  // A connection that was there may time out as well, and by then the service may have the request.
  return NEVER_REACHED.has(code) && syscall !== 'read' && syscall !== 'write'
    ? errors.serviceDown(service, error)
    : errors.badGateway(service, error);
}

const BROKE_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** An idle connection may end in the moment it is used again; a read can simply be sent anew. */
export const connectionDied = (error: unknown): boolean =>
  BROKE_OFF.has((error as { code?: string }).code ?? '');

const TOO_LONG = new Set(['HPE_HEADER_OVERFLOW', 'UND_ERR_HEADERS_OVERFLOW']);

/** It does answer, and how long a head is may hang on what was asked: who asks must not open the breaker for others. */
export const isHeadTooLong = (error: unknown): boolean =>
  TOO_LONG.has((error as { code?: string }).code ?? '');
