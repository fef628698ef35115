/** An event as JSON text for one reader. */
export interface ReadyText {
  readonly text: string;
  /** Everything it is linked to is public: the text serves all readers. */
  readonly sameForAll: boolean;
  /** What it shows (chassis/http/shows.ts). */
  readonly tags: readonly string[];
}

/** One that is too long to be made beside others, or to be kept: it is made when its turn to be sent comes. */
export interface LateText {
  readonly isLate: true;
}

export const isLate = (text: ReadyText | LateText): text is LateText => 'isLate' in text;
