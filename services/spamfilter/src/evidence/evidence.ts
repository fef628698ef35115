/** One reason for a verdict. Weights are log-odds: they add up, above 0 speaks for spam. */
export interface Evidence {
  /** Machine word. */
  readonly name: string;
  readonly weight: number;
  /** For people. */
  readonly detail: string;
}
