/*
 * Cutting characters off the ends of a text. A pattern such as `/x+$/` is tried from every character of each run that is not at
 * the end, so that a long run in the middle takes the square of its length; this looks at the ends alone.
 */

/** Without the characters of `off` at its end. */
export function trimEnd(text: string, off: string): string {
  let end = text.length;
  while (end > 0 && off.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Without the characters of `off` at both ends. */
export function trim(text: string, off: string): string {
  const rest = trimEnd(text, off);
  let start = 0;
  while (start < rest.length && off.includes(rest[start]!)) start++;
  return rest.slice(start);
}
