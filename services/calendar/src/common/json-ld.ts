/** Texts as structured data hold them: HTML escaped, line ends written out as the two characters that clients know. */
import { escapeAttribute } from '@sevenfold/text/html';

export const jsonLdText = (html: string): string => escapeAttribute(html).replaceAll('\n', '\\n');

/** Without the members that are undefined. */
export const compact = (item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
