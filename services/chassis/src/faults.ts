/**
 * Collects the faults of arguments that only a handler can find, so that a request learns of all of them at once.
 * Everything that is no fault of an argument goes its way.
 */
import { ApiError, type ErrorData, invalidParams, namesOf } from './errors';

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

/** The first one speaks; the arguments of all are named. */
function together(found: readonly ApiError[]): ApiError {
  const [{ code, status, message, data, headers }] = found as [ApiError];
  const faults = found.flatMap((error) =>
    Object.entries(detailsOf(error)).map(([param, detail]) => ({ param, ...detail })),
  );
  if (code === 'rest_invalid_param') return invalidParams(faults);
  return new ApiError(code, status, message, { data: { ...data, ...namesOf(faults) }, headers });
}
