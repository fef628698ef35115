/**
 * What a job is: a row of the outbox, and what is done about it. Whoever declares one needs nothing of what runs them
 * (workers.ts): only workers load a queue.
 */
import type { Db } from '../db/sql';
import type { Log } from '../log';

/**
 * Thrown by a job that cannot go on for now through no fault of its own: what it needs is away, or it is not its turn.
 * The try does not count towards the last one.
 */
export class TryLater extends Error {
  constructor(
    reason: string,
    readonly seconds: number,
    cause?: unknown,
  ) {
    super(reason, { cause });
    this.name = 'TryLater';
  }
}

export interface JobCall<D, P> {
  readonly deps: D;
  /** Transaction that also marks the job done. */
  readonly tx: Db;
  readonly payload: P;
  readonly log: Log;
  /** Outbox row of this job. */
  readonly id: number;
  readonly attempt: number;
  /** How many of the earlier tries were failures; the others waited for something that was away. */
  readonly failures: number;
  readonly signal: AbortSignal;
}

export interface Job<D> {
  /** `<service>.<resource>` */
  readonly queue: string;
  /** Verb first: `publish-post`. */
  readonly name: string;
  /** How many jobs of its queue a process runs at once, where they wait for others more than they work; default 4. */
  readonly atOnce?: number;
  /**
   * Slow work without effect on the database (fetching, resizing) belongs in `prepare`, outside the transaction; its
   * result is handed to `handle`.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes payload types
  readonly prepare?: (call: Omit<JobCall<D, any>, 'tx'>) => Promise<any>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes payload types
  readonly handle: (call: JobCall<D, any>, prepared: any) => Promise<void>;
  /** Called after the last failed try, in its own transaction. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes payload types
  readonly failed?: (call: JobCall<D, any>, error: Error) => Promise<void>;
  /**
   * Of a job with `failed`, called when somebody retries it (failed-jobs.ts), in the transaction that does. Takes back what `failed`
   * did, or changes nothing and answers, as a sentence for people, why it is not to be tried again.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes payload types
  readonly reopen?: (call: Pick<JobCall<D, any>, 'tx' | 'payload'>) => Promise<string | undefined>;
}

/** Declares a job with the type of its payload. */
export function job<D, P, R = undefined>(row: {
  queue: string;
  name: string;
  atOnce?: number;
  prepare?: (call: Omit<JobCall<D, P>, 'tx'>) => Promise<R>;
  handle: (call: JobCall<D, P>, prepared: R) => Promise<void>;
  failed?: (call: JobCall<D, P>, error: Error) => Promise<void>;
  reopen?: (call: Pick<JobCall<D, P>, 'tx' | 'payload'>) => Promise<string | undefined>;
}): Job<D> {
  return row;
}
