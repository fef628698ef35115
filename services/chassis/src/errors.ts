/**
 * The one error of the system and its public body. Anything that is not an ApiError is a fault of ours: it is
 * logged once with its cause and shown as a bare 500. Codes are the identifiers clients already know.
 */
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
}

export interface ApiErrorOptions {
  data?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(code: string, status: number, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.data = options.data ?? {};
    this.headers = options.headers ?? {};
  }

  /** The body every route and the gateway answer with. */
  body(): ErrorBody {
    return { code: this.code, message: this.message, data: { status: this.status, ...this.data } };
  }
}

/** One fault of one argument. */
export interface ParamFault {
  param: string;
  code: string;
  message: string;
  data?: unknown;
}

/** 400 that names every bad argument of the request at once. */
export function invalidParams(faults: readonly ParamFault[]): ApiError {
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
  return new ApiError('rest_invalid_param', 400, `Invalid parameter(s): ${Object.keys(params).join(', ')}`, {
    data: { params, details },
  });
}

export function invalidParam(param: string, message: string, code = 'rest_invalid_param'): ApiError {
  return invalidParams([{ param, code, message }]);
}

export function missingParams(names: readonly string[]): ApiError {
  return new ApiError('rest_missing_callback_param', 400, `Missing parameter(s): ${names.join(', ')}`, {
    data: { params: [...names] },
  });
}

export const noRoute = (): ApiError =>
  new ApiError(
    'rest_no_route',
    404,
    'No route matches this address and method. See /rest/ for the list of routes.',
  );

export const payloadTooLarge = (limitBytes: number): ApiError =>
  new ApiError(
    'payload_too_large',
    413,
    `The request body is larger than the limit of ${limitBytes} bytes.`,
    {
      data: { limit: limitBytes },
    },
  );

export const unavailable = (what: string, retryAfterSeconds = 5, cause?: unknown): ApiError =>
  new ApiError('service_unavailable', 503, `${what} is not available at the moment. Try again shortly.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  });

/** 507: the disk of a database or of ours is full. What was read before can be read still. */
const noRoom = (cause: unknown): ApiError =>
  new ApiError('insufficient_storage', 507, 'There is no room left to store this. Try again later.', {
    headers: { 'Retry-After': '30' },
    cause,
  });

const DISK_FULL = ['ENOSPC', 'EDQUOT', '53100'];
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && DISK_FULL.includes((error as { code?: string }).code ?? '');

/** Whether something that we need was away, too busy or full, so that waiting may help. */
export const isOutageStatus = (status: number): boolean => [503, 504, 507].includes(status);

/** What strangers see of a fault of ours. */
export const internalError = (cause?: unknown): ApiError =>
  new ApiError('internal_server_error', 500, 'Something went wrong on our side. The fault was logged.', {
    cause,
  });

interface PostgresError {
  code: string;
  constraint?: string;
}

export function isPostgresError(error: unknown): error is Error & PostgresError {
  return error instanceof Error && /^[0-9A-Z]{5}$/.test((error as Error & { code?: unknown }).code as string);
}

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
 * The last road before a bare 500: lost connections become 503, and values PostgreSQL refuses (too large a number,
 * text it cannot hold) become 400. Routes should have refused such values already; this keeps a miss from being a 500.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDiskFull(error)) return noRoom(error);
  if (isPostgresError(error)) {
    const sqlState = error.code;
    if (sqlState === '57014')
      return new ApiError('upstream_timeout', 504, 'The request took too long and was stopped.', {
        cause: error,
      });
    if (sqlState.startsWith('22') && sqlState !== '22P06')
      return new ApiError('rest_invalid_param', 400, 'A value of the request cannot be stored or compared.', {
        cause: error,
        data: { params: {}, details: {} },
      });
    if (/^(08|28|3D|53|57P|58)/.test(sqlState)) return unavailable('The database', 2, error);
    if (sqlState === '40001' || sqlState === '40P01' || sqlState === '55P03')
      return new ApiError(
        'conflict',
        409,
        'Another request changed the same thing at the same time. Try again.',
        { cause: error },
      );
  }
  if (error instanceof Error && isConnectionFault(error)) return unavailable('The database', 2, error);
  return internalError(error);
}

const CONNECTION_FAULT =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|Connection terminated|connect(?:ion)? (?:timeout|ended)|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|query read timeout/i;

function isConnectionFault(error: Error): boolean {
  return (
    CONNECTION_FAULT.test(error.message) || CONNECTION_FAULT.test((error as { code?: string }).code ?? '')
  );
}

/** Stands as the handler of a route that is declared but not built yet. */
export const notImplemented = (): never => {
  throw new ApiError('not_implemented', 501, 'This route is declared, but it does not work yet.');
};
