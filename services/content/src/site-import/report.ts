/** What an import did, counted by kind, and what it left out with the reason. */
export interface Skipped {
  readonly what: string;
  readonly reason: string;
}

export class Report {
  readonly created = new Map<string, number>();
  readonly known = new Map<string, number>();
  readonly skipped: Skipped[] = [];

  countCreated(kind: string): void {
    this.created.set(kind, (this.created.get(kind) ?? 0) + 1);
  }

  /** It was here before. */
  countKnown(kind: string): void {
    this.known.set(kind, (this.known.get(kind) ?? 0) + 1);
  }

  skip(what: string, reason: string): void {
    this.skipped.push({ what, reason });
  }

  /** Reasons with how often each applied, most frequent first. */
  reasons(): [string, number][] {
    const counts = new Map<string, number>();
    for (const { reason } of this.skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  }
}
