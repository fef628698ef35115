/**
 * Many words looked for in a text at one go (Aho and Corasick): what a letter of the text costs does not depend on how many words there
 * are, nor on how much of them the text repeats. Compares letters as they are; folding them is the caller's.
 */

/** Calls `isEnough` for each word that ends in front of `end`, by its place in the list, until it says so; answers whether it did. */
export type Find = (text: string, isEnough: (word: number, end: number) => boolean) => boolean;

const CODES = 0x10000;

export function openFinder(words: readonly string[]): Find {
  /** By state and letter. A state stands for the letters that lead to it; the first for none. */
  const next = new Map<number, number>();
  const states: { parent: number; code: number; depth: number }[] = [{ parent: 0, code: 0, depth: 0 }];
  const endingAt = new Map<number, number[]>();
  for (const [place, word] of words.entries()) {
    if (word === '') continue;
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      let to = next.get(state * CODES + code);
      if (to === undefined) {
        to = states.push({ parent: state, code, depth: at + 1 }) - 1;
        next.set(state * CODES + code, to);
      }
      state = to;
    }
    const same = endingAt.get(state);
    if (same) same.push(place);
    else endingAt.set(state, [place]);
  }

  /** The longest other state that ends as this one does, and the longest of those at which words end; 0 where there is none. */
  const shorter = new Int32Array(states.length);
  const shorterWord = new Int32Array(states.length);

  function step(from: number, code: number): number {
    let state = from;
    for (;;) {
      const to = next.get(state * CODES + code);
      if (to !== undefined) return to;
      if (state === 0) return 0;
      state = shorter[state]!;
    }
  }

  const byDepth = [...states.keys()].sort((one, other) => states[one]!.depth - states[other]!.depth);
  for (const state of byDepth) {
    const { parent, code, depth } = states[state]!;
    if (depth < 2) continue;
    const other = step(shorter[parent]!, code);
    shorter[state] = other;
    shorterWord[state] = endingAt.has(other) ? other : shorterWord[other]!;
  }
  const hasWord = Uint8Array.from(states, (_, state) => (endingAt.has(state) ? 1 : 0));
  // They were for building only.
  states.length = 0;

  return (text, isEnough) => {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = step(state, text.charCodeAt(at));
      let ending = hasWord[state] ? state : shorterWord[state]!;
      for (; ending !== 0; ending = shorterWord[ending]!)
        for (const word of endingAt.get(ending)!) if (isEnough(word, at + 1)) return true;
    }
    return false;
  };
}
