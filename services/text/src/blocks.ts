/** Blocks of an editor, as comments in stored text set them off. */
import { nextMarkup } from './markup';

export const BLOCK_DELIMITER = /^<!--\s+\/?wp:/;

export /** Whether the text is one block of the editor, with whatever is in it. */
function isOneBlock(text: string): boolean {
  let depth = 0;
  let at = 0;
  let blocks = 0;
  for (let found = nextMarkup(text, 0); found; found = nextMarkup(text, at)) {
    if (depth === 0 && text.slice(at, found.start).trim() !== '') return false;
    at = found.end;
    const tag = text.slice(found.start, found.end);
    const isDelimiter = found.kind === 'comment' && BLOCK_DELIMITER.test(tag);
    if (!isDelimiter && depth === 0) return false;
    if (!isDelimiter) continue;
    if (/^<!--\s+\//.test(tag)) depth = Math.max(0, depth - 1);
    else {
      if (depth === 0 && ++blocks > 1) return false;
      if (!tag.endsWith('/-->')) depth += 1;
    }
  }
  return blocks === 1 && depth === 0 && text.slice(at).trim() === '';
}
