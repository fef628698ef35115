/** An event as JSON text for one reader. */
export interface ReadyText {
  readonly text: string;
  /** Everything it is linked to is public: the text serves all readers. */
  readonly sameForAll: boolean;
  /** What it shows (chassis/http/shows.ts). */
  readonly tags: readonly string[];
}
