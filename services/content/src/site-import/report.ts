/** What an import did, counted by kind, and what it left out: how much of what for which reason, with examples. */
export interface Skipped {
  /** post, comment, term, menu item …; what is left out is told by kind. */
  readonly kind: string;
  readonly title: string;
  /** Of the file; 0 where there is none to tell. */
  readonly line: number;
  readonly reason: string;
}

/** Of one kind for one reason; more tell nothing new, and an export may hold a million. */
const MOST_EXAMPLES = 100;

export interface Omission {
  readonly kind: string;
  readonly reason: string;
  count: number;
  readonly examples: Skipped[];
}

export class Report {
  readonly created = new Map<string, number>();
  readonly known = new Map<string, number>();
  /** It was here before, and is now as it is there by now. */
  readonly updated = new Map<string, number>();
  /** What happened besides: files, links. */
  readonly done = new Map<string, number>();
  private readonly byReason = new Map<string, Omission>();

  countCreated(kind: string): void {
    add(this.created, kind, 1);
  }

  /** It was here before. */
  countKnown(kind: string): void {
    add(this.known, kind, 1);
  }

  countUpdated(kind: string): void {
    add(this.updated, kind, 1);
  }

  countDone(what: string, n = 1): void {
    if (n > 0) add(this.done, what, n);
  }

  /** `n`: of so many only the number is known. */
  skip(skipped: Skipped, n = 1): void {
    const { kind, reason } = skipped;
    const key = `${kind}\n${reason}`;
    const entry = this.byReason.get(key) ?? { kind, reason, count: 0, examples: [] };
    this.byReason.set(key, entry);
    entry.count += n;
    if (entry.examples.length < MOST_EXAMPLES) entry.examples.push(skipped);
  }

  /** Most frequent first. */
  omissions(): Omission[] {
    return [...this.byReason.values()].sort((a, b) => b.count - a.count);
  }

  skippedCount(): number {
    return [...this.byReason.values()].reduce((sum, { count }) => sum + count, 0);
  }
}

const add = (counts: Map<string, number>, key: string, n: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + n);
