/**
 * Reads of a service by those who have something else to show while it is away. Whoever finds nobody has waited for it, since calls
 * are tried again for a moment. Those who come after him, or after the service has left, do not wait: they go by what is known, one
 * of them begins the next try, and nobody waits for that either.
 */
import { ApiError } from '@sevenfold/chassis/errors';
import { ranOut } from '@sevenfold/chassis/grpc/errors';

/** After a call that was not answered the next one is not before this; twice as long each time, up to the second value. */
const REST_MS = [500, 5_000] as const;
/** Where nobody has asked for longer it may have been back for hours: then who asks waits for the answer. */
const LATELY_MS = 5_000;

export interface Asking {
  /** Undefined while nobody answers. Throws what the service answers. With `insist` it is asked at any rate, and waited for. */
  readonly ask: <T>(what: string, call: () => Promise<T>, insist?: boolean) => Promise<T | undefined>;
  /** It is there, as was heard another way. */
  readonly answered: () => void;
  /** It has stopped, as was heard another way, or one of several that are it. */
  readonly left: () => void;
}

export interface AskingOptions {
  readonly onAnswer: (what: string) => void;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly now?: () => number;
}

export function openAsking({ onAnswer, onFailure, now = () => performance.now() }: AskingOptions): Asking {
  let rest: number = REST_MS[0];
  let failedAt = -Infinity;
  let restUntil = -Infinity;
  /** Who is only slow, for want of processor time, is waited for after the rest: what it says is worth it. */
  let isGone = false;
  let isTrying = false;
  const answered = (): void => {
    rest = REST_MS[0];
    restUntil = -Infinity;
    isGone = false;
  };
  const run = async <T>(what: string, call: () => Promise<T>): Promise<T | undefined> => {
    const began = now();
    try {
      const answer = await call();
      answered();
      onAnswer(what);
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) {
        answered();
        throw error;
      }
      // Many who ask at one moment find nobody once.
      if (began > failedAt) {
        failedAt = now();
        restUntil = failedAt + rest;
        rest = Math.min(rest * 2, REST_MS[1]);
        isGone = !ranOut(error);
      }
      onFailure(what, error);
      return undefined;
    }
  };
  return {
    answered,
    left: () => {
      restUntil = Math.max(restUntil, now());
      isGone = true;
    },
    ask: async (what, call, insist = false) => {
      const over = now() - restUntil;
      if (insist || over >= (isGone ? LATELY_MS : 0)) return run(what, call);
      if (over >= 0 && !isTrying) {
        isTrying = true;
        const ended = (): void => void (isTrying = false);
        run(what, call).then(ended, ended);
      }
      return undefined;
    },
  };
}
