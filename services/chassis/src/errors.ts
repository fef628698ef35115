/**
 * The one error of the system and its public body. Anything that is not an ApiError is a fault of ours: it is
 * logged once with its cause and shown as a bare 500. Codes are the identifiers clients already know.
 */
import { types } from 'node:util';

export interface ErrorData {
  status: number;
  params?: Record<string, string> | string[];
  details?: Record<string, ErrorDetail>;
  [key: string]: unknown;
}

export interface ErrorDetail {
  code: string;
  message: string;
  data: unknown;
}

export interface ErrorBody {
  code: string;
  message: string;
  data: ErrorData;
  /** More data of the same code, where clients know it there. */
  additional_data?: readonly unknown[];
}

export interface ApiErrorOptions {
  additionalData?: readonly unknown[];
  data?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly additionalData: readonly unknown[] | undefined;

  constructor(code: string, status: number, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.data = options.data ?? {};
    this.headers = options.headers ?? {};
    this.additionalData = options.additionalData;
  }

  /** The body every route and the gateway answer with. */
  body(): ErrorBody {
    const body = { code: this.code, message: this.message, data: { status: this.status, ...this.data } };
    return this.additionalData ? { ...body, additional_data: this.additionalData } : body;
  }
}

/** What codes tell, by code. Each service has one such table in its errors.ts. */
export type CodeTable = Readonly<Record<string, string>>;

/** Codes of errors that every service can answer with; the table of a service holds only its own. */
export const commonCodes = {
  bad_request: 'The request is not valid HTTP.',
  conflict: 'Another request changed the same thing at the same time; trying again helps.',
  insufficient_storage: 'There is no room left to store anything.',
  internal_server_error: 'A fault of ours.',
  payload_too_large: 'The body, or what it holds, is too large or too many.',
  rest_forbidden: 'The caller lacks the right to do or see this.',
  rest_invalid_actor: 'The signature of the caller is wrong or too old.',
  rest_invalid_date: 'An argument is no date and time.',
  rest_invalid_email: 'An argument is no e-mail address.',
  rest_invalid_ip: 'An argument is no network address.',
  rest_invalid_json: 'The body is not valid JSON.',
  rest_invalid_link: 'An embedded object is not there.',
  rest_invalid_multipart: 'The form cannot be read.',
  rest_invalid_param: 'Arguments are wrong; the data name each of them.',
  rest_invalid_pattern: 'An argument does not match its pattern.',
  rest_invalid_type: 'An argument is of another type.',
  rest_invalid_url: 'An argument is no address.',
  rest_list_busy: 'A list costs too much, or too many such lists are asked for at the moment.',
  rest_missing_callback_param: 'Required arguments are missing; the data name them.',
  rest_no_route: 'No route matches the address and the method.',
  rest_not_in_enum: 'An argument is none of the allowed values.',
  rest_out_of_bounds: 'A number is too small or too large.',
  rest_precondition_failed: 'What there is is not what the request names as its condition.',
  rest_search_busy: 'Too many searches run at the moment.',
  rest_search_window: 'The page lies beyond what searches reach.',
  rest_too_long: 'A text is too long.',
  rest_too_many_items: 'A list has too many entries.',
  rest_too_short: 'A text is too short.',
  rpc_not_served: 'A remote method does not serve this caller.',
  rpc_unsigned: 'A remote call carries no signature that is right and fresh.',
  service_busy: 'Too much of the same kind is under way at the moment.',
  service_unavailable: 'Something that is needed is away or too busy.',
  upstream_timeout: 'The answer took too long.',
} as const satisfies CodeTable;
export type CommonCode = keyof typeof commonCodes;

interface Makers<C extends string> {
  readonly apiError: (code: C, status: number, message: string, options?: ApiErrorOptions) => ApiError;
  /** Of one or more arguments whose fault has a code of its own: named as those that are found together. */
  readonly argumentError: (
    params: string | readonly string[],
    code: C,
    status: number,
    message: string,
    options?: ApiErrorOptions,
  ) => ApiError;
  /** The answer of a permission: 401 for strangers and 403 for users unless `status` says otherwise. */
  readonly deny: (
    code: C,
    message: string,
    status?: number,
  ) => { readonly code: C; readonly message: string; readonly status?: number };
}

/** Makers of errors and denials that know no code besides those of the table and the common ones. */
export const makersFor = <T extends CodeTable>(_codes: T): Makers<CommonCode | (keyof T & string)> => ({
  apiError: (code, status, message, options) => new ApiError(code, status, message, options),
  argumentError: (params, code, status, message, options = {}) => {
    const named = namesOf([params].flat().map((param) => ({ param, code, message })));
    return new ApiError(code, status, message, { ...options, data: { ...options.data, ...named } });
  },
  deny: (code, message, status) => ({ code, message, status }),
});

/** For the chassis itself, and for whatever has no codes of its own. */
export const { apiError, argumentError, deny } = makersFor({});

/** One fault of one argument. */
export interface ParamFault {
  param: string;
  code: string;
  message: string;
  data?: unknown;
}

/** What the data of an error say of each argument. */
export function namesOf(faults: readonly ParamFault[]): Required<Pick<ErrorData, 'params' | 'details'>> {
  const params: Record<string, string> = {};
  const details: Record<string, ErrorDetail> = {};
  for (const fault of faults) {
    params[fault.param] = fault.message;
    details[fault.param] = {
      code: fault.code,
      message: fault.message,
      data: fault.data ?? { param: fault.param },
    };
  }
  return { params, details };
}

/** 400 that names every bad argument of the request at once. */
export function invalidParams(faults: readonly ParamFault[]): ApiError {
  const data = namesOf(faults);
  const names = Object.keys(data.params).join(', ');
  return apiError('rest_invalid_param', 400, `Invalid parameter(s): ${names}`, { data });
}

export function invalidParam(param: string, message: string, code = 'rest_invalid_param'): ApiError {
  return invalidParams([{ param, code, message }]);
}

export function missingParams(names: readonly string[]): ApiError {
  return apiError('rest_missing_callback_param', 400, `Missing parameter(s): ${names.join(', ')}`, {
    data: { params: [...names] },
  });
}

export const noRoute = (): ApiError =>
  apiError(
    'rest_no_route',
    404,
    'No route matches this address and method. See /rest/ for the list of routes.',
  );

export const payloadTooLarge = (limitBytes: number): ApiError =>
  apiError('payload_too_large', 413, `The request body is larger than the limit of ${limitBytes} bytes.`, {
    data: { limit: limitBytes },
  });

/** Of a read: of writes see the gateway (edge/conditional-writes.ts). */
export const preconditionFailed = (): ApiError =>
  apiError(
    'rest_precondition_failed',
    412,
    'What there is now is not what the request names in If-Match or If-Unmodified-Since.',
  );

export const unavailable = (what: string, retryAfterSeconds = 5, cause?: unknown): ApiError =>
  apiError('service_unavailable', 503, `${what} is not available at the moment. Try again shortly.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  });

/** A bound that held: nothing is away. */
export const busy = (message: string, retryAfterSeconds = 5): ApiError =>
  apiError('service_busy', 503, message, { headers: { 'Retry-After': String(retryAfterSeconds) } });

/**
 * The same error, of something that was refused before anything was done: clients may send it again, whatever it is. Others
 * of the kind may come in the middle of a write.
 */
export const nothingDone = ({ code, status, message, data, headers, cause }: ApiError): ApiError =>
  new ApiError(code, status, message, { data: { ...data, done: false }, headers, cause });

/** 507: the disk of a database or of ours is full. What was read before can be read still. */
const noRoom = (cause: unknown): ApiError =>
  apiError('insufficient_storage', 507, 'There is no room left to store this. Try again later.', {
    headers: { 'Retry-After': '30' },
    cause,
  });

const DISK_FULL = ['ENOSPC', 'EDQUOT', '53100'];
/** Open files, sockets or memory: what a process may have, or the machine has. */
const LIMITS = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'];
// Not `instanceof`: what Node itself throws may come of another realm than this program.
export const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  types.isNativeError(error) && codes.includes((error as { code?: string }).code ?? '');
const isDiskFull = (error: unknown): boolean => hasCode(error, DISK_FULL);

/** Whether this machine has no room, or gives this process no more: the fault of nobody whom it deals with. */
export const isShortage = (error: unknown): boolean => isDiskFull(error) || hasCode(error, LIMITS);

/**
 * Whether an answer tells of something that somebody who runs the site should look at. That a site has no trash, or no tokens (501), is how
 * it is set up: clients are told so whenever they ask for one.
 */
export const isOurs = ({ status }: { readonly status: number }): boolean => status >= 500 && status !== 501;

/** Whether something that we need was away, too busy or full, so that waiting may help. */
export const isOutageStatus = (status: number): boolean => [503, 504, 507].includes(status);

/** Whether a line of those who wait was full: a bound that held, and nothing is away. */
export const isFullLane = ({ code }: ApiError): boolean => FULL_LANES.has(code);
const FULL_LANES: ReadonlySet<string> = new Set<CommonCode>([
  'rest_list_busy',
  'rest_search_busy',
  'service_busy',
]);

/** What strangers see of a fault of ours. */
export const internalError = (cause?: unknown): ApiError =>
  apiError('internal_server_error', 500, 'Something went wrong on our side. The fault was logged.', {
    cause,
  });

interface PostgresError {
  code: string;
  constraint?: string;
  severity?: string;
}

export function isPostgresError(error: unknown): error is Error & PostgresError {
  return error instanceof Error && /^[0-9A-Z]{5}$/.test((error as Error & { code?: unknown }).code as string);
}

/**
 * Whether PostgreSQL takes no writes on this session: of a server that is none but a copy, as when the address leads to the one that
 * was the primary before, or of one that was shut to writes. Another session may be of another server.
 */
export const isReadOnly = (error: unknown): boolean => isPostgresError(error) && error.code === '25006';

/**
 * Runs a write and turns a violated constraint into the error that its row names; anything else passes through.
 * `byConstraint` maps constraint names of the migration to errors.
 */
export async function mapConstraint<T>(
  byConstraint: Record<string, () => ApiError>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const make = isPostgresError(error) && error.constraint ? byConstraint[error.constraint] : undefined;
    throw make ? make() : error;
  }
}

/**
 * The last road before a bare 500: lost connections, servers that take no writes and limits of the process become 503, a full disk 507, and values
 * PostgreSQL refuses (too large a number, text it cannot hold) become 400. Routes should have refused such values already; this keeps
 * a miss from being a 500.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDiskFull(error)) return noRoom(error);
  if (isShortage(error)) return unavailable('The server', 5, error);
  if (isPostgresError(error)) {
    const sqlState = error.code;
    if (sqlState === '57014')
      return apiError('upstream_timeout', 504, 'The request took too long and was stopped.', {
        headers: { 'Retry-After': '5' },
        cause: error,
      });
    if (sqlState.startsWith('22') && sqlState !== '22P06')
      return apiError('rest_invalid_param', 400, 'A value of the request cannot be stored or compared.', {
        cause: error,
        data: { params: {}, details: {} },
      });
    if (isReadOnly(error) || /^(08|25P0[34]|28|3D|53|57P|58)/.test(sqlState))
      return unavailable('The database', 2, error);
    if (sqlState === '40001' || sqlState === '40P01' || sqlState === '55P03')
      return apiError(
        'conflict',
        409,
        'Another request changed the same thing at the same time. Try again.',
        { cause: error },
      );
  }
  if (isUnreached(error)) return unavailable('The database', 2, error);
  return internalError(error);
}

/** What else a connection to a database fails with, such as a certificate that has expired, in words that are known for an outage. */
export const unreached = (cause: Error): Error =>
  new Error(`The database cannot be reached: ${cause.message}`, { cause });

const CONNECTION_FAULT =
  /database cannot be reached|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Connection terminated|connect(?:ion)? (?:timeout|ended)|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|query read timeout/i;

/** Whether an error tells of a connection that was lost or did not come about. */
export const isUnreached = (error: unknown): boolean =>
  types.isNativeError(error) &&
  (CONNECTION_FAULT.test(error.message) || CONNECTION_FAULT.test((error as { code?: string }).code ?? ''));
