/** What bytes say of the encoding that they are text in. */

const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** By the mark at the beginning, which counts for more than what else is said. */
export const markedEncoding = (bytes: Uint8Array): string | undefined =>
  MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];

/** As the declaration of XML names it; `head` has a character for each of the first bytes. */
export const declaredEncoding = (head: string): string | undefined =>
  /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]?.toLowerCase();

/** Undefined where nobody here knows the encoding. */
export function openDecoder(encoding: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(encoding);
  } catch {
    return undefined;
  }
}
