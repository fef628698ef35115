/**
 * Collects the faults of arguments that only a handler can find, so that a request learns of all of them at once.
 * Everything that is no fault of an argument goes its way.
 */
import { ApiError, type ErrorDetail, type ParamFault, invalidParams } from '@sevenfold/chassis/errors';

export interface Faults {
  /** The value of the work; undefined when an argument was found to be bad. */
  readonly collect: <T>(work: () => T | Promise<T>) => Promise<T | undefined>;
  /** Throws one 400 with all that was found. */
  readonly refuse: () => void;
}

export function openFaults(): Faults {
  const found: ParamFault[] = [];
  return {
    collect: async (work) => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'rest_invalid_param') throw error;
        const { details = {} } = error.data as { details?: Record<string, ErrorDetail> };
        for (const [param, { code, message, data }] of Object.entries(details))
          found.push({ param, code, message, data });
        if (Object.keys(details).length === 0) throw error;
        return undefined;
      }
    },
    refuse: () => {
      if (found.length > 0) throw invalidParams(found);
    },
  };
}
