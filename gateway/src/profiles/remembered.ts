/**
 * What was swapped once is looked up afterwards. Answers say the same addresses again and again, most of them with another number
 * at the end, which is no word: all that differ by it alone are one. Emptied when full.
 */
import { copyOf } from '@sevenfold/text/text';
import type { Swap } from './profile';

const MOST = 2_000;
/** Longer ones are rare. */
const LONGEST = 200;

export function remembered(swap: Swap): Swap {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > LONGEST) return swap(text);
    const end = beforeNumber(text);
    const part = end === text.length ? text : text.slice(0, end);
    let swapped = known.get(part);
    if (swapped === undefined) {
      swapped = copyOf(swap(part));
      if (known.size >= MOST) known.clear();
      known.set(copyOf(part), swapped);
    }
    if (end === text.length) return swapped === text ? text : swapped;
    // Most are no word's, and go on as they are.
    return swapped === part ? text : swapped + text.slice(end);
  };
}

const [ZERO, NINE, SLASH, EQUALS] = [0x30, 0x39, 0x2f, 0x3d];

/** Where the number after a last slash or sign of equality begins; the length of the text where there is none. */
function beforeNumber(text: string): number {
  let at = text.length;
  for (let code = text.charCodeAt(at - 1); code >= ZERO && code <= NINE; code = text.charCodeAt(at - 1))
    at -= 1;
  const before = text.charCodeAt(at - 1);
  return before === SLASH || before === EQUALS ? at : text.length;
}
