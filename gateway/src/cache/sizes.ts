/**
 * How large an answer may be to be kept, and so to be compressed: most of them are small, and taken as a whole whenever they come. A larger
 * one, as a list of a hundred long posts, only while few of them are on their way, since each is in memory until it is there. What finds no
 * room is passed on as it comes.
 */
const MEBIBYTE = 1024 * 1024;
const MOST_USUAL_BYTES = MEBIBYTE;
const MOST_LARGE_BYTES = 4 * MEBIBYTE;
/** Of what is kept in all: a list that is left through page by page must not take the place of everything else. */
const LARGEST_SHARE = 1 / 16;
const MOST_AT_ONCE_BYTES = 16 * MEBIBYTE;

export interface Sizes {
  /** Of an answer that is there already. */
  readonly isKept: (bytes: number) => boolean;
  /** Room for one that is coming; undefined where it is too large, or too many large ones are coming. What it answers gives the room back, once. */
  readonly take: (bytes: number) => (() => void) | undefined;
}

export function openSizes(mostBytes: number): Sizes {
  const largest = Math.max(MOST_USUAL_BYTES, Math.min(MOST_LARGE_BYTES, mostBytes * LARGEST_SHARE));
  let coming = 0;
  return {
    isKept: (bytes) => bytes <= largest,
    take: (bytes) => {
      if (bytes <= MOST_USUAL_BYTES) return nothing;
      if (!(bytes <= largest) || coming + bytes > MOST_AT_ONCE_BYTES) return undefined;
      coming += bytes;
      let isTaken = true;
      return () => {
        if (isTaken) coming -= bytes;
        isTaken = false;
      };
    },
  };
}

const nothing = (): void => undefined;
