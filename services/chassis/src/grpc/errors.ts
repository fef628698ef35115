/**
 * The same ApiError on both sides of a gRPC hop: its body travels in metadata, its HTTP status maps to a gRPC code for
 * tools that only know those.
 */
import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import { ApiError, type ErrorBody, internalError, isFullLane, isOutageStatus, unavailable } from '../errors';
import { NOT_SERVED, UNSIGNED } from './caller';

const ERROR_KEY = 'sevenfold-error-bin';

const CODE_BY_STATUS: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  409: status.ALREADY_EXISTS,
  410: status.NOT_FOUND,
  413: status.RESOURCE_EXHAUSTED,
  429: status.RESOURCE_EXHAUSTED,
  501: status.UNIMPLEMENTED,
  503: status.UNAVAILABLE,
  504: status.DEADLINE_EXCEEDED,
  507: status.RESOURCE_EXHAUSTED,
};

/** Trailers of 64 KB, in base64, end the whole connection and with it every call on it: what is said in them is bounded. */
const MOST_ERROR_BYTES = 16_000;
const LONGEST_TEXT = 500;

const shortened = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}…`;

/** An error may repeat what was asked, however long that is. */
function carriedBy(error: ApiError): Buffer {
  const { code, status: http } = error;
  const message = shortened(error.message);
  const told = { ...error.body(), headers: error.headers };
  const cut = (_: string, value: unknown): unknown => (typeof value === 'string' ? shortened(value) : value);
  for (const text of [JSON.stringify(told), JSON.stringify(told, cut)])
    if (Buffer.byteLength(text) <= MOST_ERROR_BYTES) return Buffer.from(text);
  return Buffer.from(JSON.stringify({ code, message, data: { status: http }, headers: {} }));
}

export function toStatus(error: ApiError): StatusObject {
  const metadata = new Metadata();
  metadata.set(ERROR_KEY, carriedBy(error));
  // Callers ask again at once where the other side is away: a full line would only grow by that.
  const code = isFullLane(error) ? status.RESOURCE_EXHAUSTED : CODE_BY_STATUS[error.status];
  return { code: code ?? status.INTERNAL, details: shortened(error.message), metadata };
}

/** Of a call: its time was over, but nothing says that the other side is gone. */
export const ranOut = (error: unknown): boolean =>
  ((error as Error).cause as Partial<ServiceError> | undefined)?.code === status.DEADLINE_EXCEEDED;

/**
 * Whether waiting may mend a failed call or query: the other side was away, too busy, or died in the middle of its
 * answer. A fault that the other side reported itself is none.
 */
export function isOutage(error: ApiError): boolean {
  if (error.status === 429 || isOutageStatus(error.status) || error.code === 'conflict') return true;
  const cause = error.cause;
  return (
    cause instanceof Error &&
    'metadata' in cause &&
    !(cause as ServiceError).metadata?.get(ERROR_KEY)[0] &&
    !isTooLarge(cause as ServiceError)
  );
}

/**
 * What does not fit into a message today does not do so later. The library, whichever side finds it out, says so by a code that has
 * other meanings, too.
 */
const isTooLarge = ({ code, details }: ServiceError): boolean =>
  code === status.RESOURCE_EXHAUSTED && / larger than (?:max|\d)/.test(details);

/** `service` names the other side in messages. */
export function fromStatus(error: ServiceError, service: string): ApiError {
  const carried = error.metadata?.get(ERROR_KEY)[0];
  if (carried) {
    const body = JSON.parse(carried.toString()) as ErrorBody & { headers: Record<string, string> };
    // Our own caller is not believed: whoever asks can mend nothing, and as soon as the secrets agree again it works.
    if (body.code === UNSIGNED || body.code === NOT_SERVED)
      return unavailable(`The ${service} service`, 5, error);
    const { status: httpStatus, ...data } = body.data;
    const { headers, additional_data: additionalData } = body;
    return new ApiError(body.code, httpStatus, body.message, {
      data,
      additionalData,
      headers,
      cause: error,
    });
  }
  switch (error.code) {
    case status.UNAVAILABLE:
    case status.CANCELLED:
    case status.DEADLINE_EXCEEDED:
    case status.RESOURCE_EXHAUSTED:
      return isTooLarge(error) ? internalError(error) : unavailable(`The ${service} service`, 5, error);
    default:
      return internalError(error);
  }
}
