/**
 * How much of a text one service tells another, in UTF-16 units: nobody looks at what is behind that. None of them takes more
 * than three bytes, so that what is told fits into a message (16 MiB).
 */

/** What the index looks at, of a text and of a summary, most of which may be markup. */
export const MOST_INDEXED = 1_000_000;
export const MOST_INDEXED_EXCERPT = 20_000;

/** No reader reads more at once; what is longer is there over the interface. */
export const MOST_ON_A_PAGE = 4 * 1024 * 1024;

/** Of what describes a term or a user, many of which are told at once. */
export const MOST_DESCRIPTION = 100_000;

/** Of a title and of the summary of one among many, most of which may be markup. */
export const MOST_TITLE = 5_000;
const MOST_LISTED_EXCERPT = 5_000;

/**
 * The same as the database cuts a text and its summary, which counts characters: numbers, or parameters of SQL. A text that has more
 * than somebody takes has more here, too.
 */
export interface Most {
  readonly text: number | string;
  readonly excerpt: number | string;
}
export const NO_TEXT: Most = { text: 0, excerpt: 0 };
export const LISTED: Most = { text: 0, excerpt: MOST_LISTED_EXCERPT };
/** What other sites are shown of one thing: its first words, out of its summary or its text. */
export const IN_A_FRAME: Most = { text: MOST_INDEXED_EXCERPT, excerpt: MOST_LISTED_EXCERPT };
export const INDEXED: Most = { text: MOST_INDEXED + 1, excerpt: MOST_INDEXED_EXCERPT + 1 };
export const ON_A_PAGE: Most = { text: MOST_ON_A_PAGE + 2, excerpt: MOST_LISTED_EXCERPT };

/**
 * Of the terms, or organizers, of one thing among many: what has thousands of them, under long names, would be many megabytes in a feed
 * or in a head.
 */
export const MOST_NAMED = 100;

/** Of each of so many that are told at once: together as much as of one that is looked at. */
export const shareOf = (count: number): number => Math.floor(MOST_INDEXED / Math.max(count, 1));
