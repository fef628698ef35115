/** Text that may stand in a header: one line, whatever was in it. */
import { shorten } from '@sevenfold/text/text';

// Everything that any reader takes for a control or the end of a line, and halves of pairs.
const NOT_IN_LINES = /[\p{Cc}\u2028\u2029]+|\p{Surrogate}/gu;

export const oneLine = (text: string, most: number): string =>
  shorten(text.replace(NOT_IN_LINES, ' ').replace(/ {2,}/g, ' ').trim(), most);
