/**
 * Collects the faults of arguments that only a handler can find, so that a request learns of all of them at once.
 * Everything that is no fault of an argument goes its way.
 */
import { ApiError, type ErrorData } from './errors';

export interface Faults {
  /** The value of the work; undefined when an argument was found to be bad. */
  readonly collect: <T>(work: () => T | Promise<T>) => Promise<T | undefined>;
  /** Throws one error with all that was found. */
  readonly refuse: () => void;
}

export function openFaults(): Faults {
  const found: ApiError[] = [];
  return {
    collect: async (work) => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ApiError) || Object.keys(detailsOf(error)).length === 0) throw error;
        found.push(error);
        return undefined;
      }
    },
    refuse: () => {
      if (found.length > 0) throw together(found);
    },
  };
}

const detailsOf = ({ data }: ApiError): NonNullable<ErrorData['details']> =>
  (data as Pick<ErrorData, 'details'>).details ?? {};

/** The first one speaks, unless all say the same; the arguments of all are named. */
function together(found: readonly ApiError[]): ApiError {
  const [first] = found as [ApiError];
  const { code, status, headers } = first;
  const details = Object.assign({}, ...found.map(detailsOf)) as NonNullable<ErrorData['details']>;
  const params = Object.fromEntries(Object.entries(details).map(([name, { message }]) => [name, message]));
  const message =
    code === 'rest_invalid_param' ? `Invalid parameter(s): ${Object.keys(params).join(', ')}` : first.message;
  return new ApiError(code, status, message, { data: { ...first.data, params, details }, headers });
}
