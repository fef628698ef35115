/*
 * A number of 64 bits that is nearly the same for nearly the same text (simhash, Charikar 2002): each three words in a row
 * vote for every bit. Texts that differ in a name or a number differ in few bits.
 */
import { hash as digestOf } from 'node:crypto';

const IN_A_ROW = 3;
/** Shorter texts are alike without having been copied: «Thank you, that helped!» */
const LEAST_WORDS = 8;
const MOST_WORDS = 2_000;

/** As the text of a signed 64-bit number, which JavaScript's own cannot hold; undefined for short texts. */
export function likenessOf(words: readonly string[]): string | undefined {
  if (words.length < LEAST_WORDS) return undefined;
  const some = words.slice(0, MOST_WORDS);
  const votes = new Int32Array(64);
  for (let at = 0; at + IN_A_ROW <= some.length; at++) {
    const digest = digestOf('sha1', some.slice(at, at + IN_A_ROW).join(' '), 'buffer');
    for (let bit = 0; bit < 64; bit++) {
      const set = ((digest[bit >> 3] as number) >> (bit & 7)) & 1;
      votes[bit] = (votes[bit] as number) + (set ? 1 : -1);
    }
  }
  let likeness = 0n;
  for (let bit = 0; bit < 64; bit++) if ((votes[bit] as number) > 0) likeness |= 1n << BigInt(bit);
  return BigInt.asIntN(64, likeness).toString();
}
