/** What is measured for the page of capacity figures (deploy/capacity.json): processor time, bytes, and where they went. */

/** Microseconds of processor time for each one, by the process that spent them. */
export type Spent = Readonly<Record<string, number>>;

export interface Kind {
  readonly spent: Spent;
  /** Bytes of an answer. */
  readonly bytes: number;
}

/** Kinds of requests: what the gateway answers from memory, what reaches PostgreSQL, and writes. */
export const kinds = ['hit', 'events', 'event', 'posts', 'post', 'search', 'write'] as const;
export type KindName = (typeof kinds)[number];

export interface Figures {
  readonly at: string;
  readonly node: string;
  /** How many processes wanted to run on average meanwhile, on so many cores. */
  readonly busy: number;
  readonly cores: number;
  readonly postgresql: string;
  /** Events in the tables, and as many posts, while it was measured. */
  readonly rows: number;
  readonly kinds: Readonly<Record<KindName, Kind>>;
  /** Of one event of an import, from the batch to the index of what search engines are told. */
  readonly imported: Spent;
  /** Asking the primary where its log ends. */
  readonly asked: Spent;
  /** Bytes on the disk for each, with indexes. */
  readonly stored: {
    readonly event: number;
    readonly post: number;
    /** Of the index of what search engines are told, for an event or a post. */
    readonly indexed: number;
    /** Of the log of PostgreSQL for an imported event. */
    readonly log: number;
  };
  /** Bytes of Redis for an imported event, which its streams keep for a while. */
  readonly waiting: number;
  /** Most bytes of memory of one process, by its name. */
  readonly memory: Spent;
}
