/** What `cli status` tells, one row for each thing, whatever it is: people read all of it in one table, programs filter it. */
export interface StatusRow {
  readonly part: 'process' | 'store' | 'version' | 'queue' | 'lag' | 'namespace';
  readonly name: string;
  /** One word or two. */
  readonly state: string;
  /** Whether somebody has to look. */
  readonly ok: boolean;
  /** Of queues and of what others have yet to hear: how much there is to do, what was given up, since when the first is due. */
  readonly waiting: number | null;
  readonly failed: number | null;
  readonly oldest_seconds: number | null;
  readonly detail: string;
}

type Known = Pick<StatusRow, 'part' | 'name' | 'state'> & Partial<StatusRow>;

/** Every row has every column, in the same order. */
export const statusRow = ({ part, name, state, ok = true, ...rest }: Known): StatusRow => ({
  part,
  name,
  state,
  ok,
  waiting: rest.waiting ?? null,
  failed: rest.failed ?? null,
  oldest_seconds: rest.oldest_seconds ?? null,
  detail: rest.detail ?? '',
});

/** What could not be asked is a row, too. */
export const fault = (part: StatusRow['part'], name: string, error: unknown): StatusRow =>
  statusRow({ part, name, state: 'not reached', ok: false, detail: (error as Error).message });
