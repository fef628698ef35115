/** Writes an e-mail address as HTML entities, in part: browsers read it, simple collectors do not. The same each time, so that answers can be cached. */
export function obfuscateEmail(email: string): string {
  return [...email]
    .map((char, index) => (index % 3 === 1 ? char : `&#${char.codePointAt(0) ?? 0};`))
    .join('');
}
