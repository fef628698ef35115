/** Whether a text is of a pattern in which a star stands for anything. Looks at each letter a bounded number of times. */
export function matches(pattern: string, text: string): boolean {
  let [at, inText, star, mark] = [0, 0, -1, 0];
  while (inText < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      mark = inText;
    } else if (at < pattern.length && pattern[at] === text[inText]) {
      at++;
      inText++;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      inText = ++mark;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
