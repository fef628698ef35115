/** The one error of the client: what the site refused, or that it could not be asked. Aborts are thrown as they were given. */

/** Codes of faults that are the client's own word, since no answer came that could have one. */
export type OwnCode = 'unreachable' | 'timeout' | 'invalid_answer' | 'unreadable';

interface Known {
  readonly code: string;
  /** 0 where there is no answer. */
  readonly status: number;
  readonly message: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly attempts?: number;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

export class SevenfoldError extends Error {
  override readonly name = 'SevenfoldError';
  /** What went wrong, for programs: of the interface, such as `rest_invalid_param`, or an `OwnCode`. */
  readonly code: string;
  /** HTTP status of the answer; 0 where there is none. */
  readonly status: number;
  /** Names of offending arguments with what is wrong about each. */
  readonly params: Readonly<Record<string, string>>;
  /** Whatever else the answer tells. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Finds the request in the logs of the site. */
  readonly requestId: string | undefined;
  /** How often it was sent. More than one DELETE may answer that something is gone which the first one deleted. */
  readonly attempts: number;
  /** How long the site asks to wait before it is sent again. */
  readonly retryAfterMs: number | undefined;

  constructor(known: Known) {
    super(known.message, known.cause === undefined ? undefined : { cause: known.cause });
    this.code = known.code;
    this.status = known.status;
    this.params = known.params ?? {};
    this.data = known.data ?? {};
    this.requestId = known.requestId;
    this.attempts = known.attempts ?? 1;
    this.retryAfterMs = known.retryAfterMs;
  }
}

/** Of an answer that is no success. */
export function errorOf(response: Response, body: unknown, attempts: number): SevenfoldError {
  const { code, message, data } = objectOf(body);
  const told = objectOf(data);
  return new SevenfoldError({
    code: typeof code === 'string' ? code : `http_${response.status}`,
    status: response.status,
    message: typeof message === 'string' ? message : `The site answered with ${response.status}.`,
    params: paramsOf(told.params),
    data: told,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    attempts,
    retryAfterMs: readRetryAfter(response.headers.get('Retry-After')),
  });
}

/** Those that are wrong come with a message each, those that are missing as a list. */
function paramsOf(params: unknown): Record<string, string> {
  if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [String(name), MISSING]));
  return Object.fromEntries(Object.entries(objectOf(params)).map(([name, text]) => [name, String(text)]));
}

const MISSING = 'It is missing.';

export const objectOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** `Retry-After` in milliseconds from now: seconds, or a date. Undefined where it is absent or neither. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
