/** The list of events of a batch, one text for each: what is read of several megabytes at once keeps everybody waiting. Pure. */

export interface Element {
  readonly json: string;
  /** How many values it holds, in all its lists and objects. */
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const isOpening = (char: number): boolean => char === 0x5b || char === 0x7b;
const isClosing = (char: number): boolean => char === 0x5d || char === 0x7d;

/** Of valid JSON, which is a list. */
export function* elementsOf(json: string): Generator<Element> {
  let depth = 0;
  let values = 0;
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfText(json, at);
      continue;
    }
    const isEnd = (char === COMMA && depth === 1) || (isClosing(char) && --depth === 0);
    if (isEnd) {
      const element = { json: json.slice(from, at), values };
      // An empty list has none.
      if (element.json.trim() !== '') yield element;
      from = at + 1;
      values = 0;
    } else if (isOpening(char)) {
      if (++depth === 1) from = at + 1;
      else values += 1;
    } else if (char === COMMA) values += 1;
  }
}

/** Where the text that begins at `start` ends: most of a batch is text, and looking for one character is quick. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}
