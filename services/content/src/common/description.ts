/** What describes users and terms: cleaned for everybody, and short, since it is shown with all that they wrote or that carries them. */
import { sanitizeInline } from '@sevenfold/text/html';
import { shorten, stripControl } from '@sevenfold/text/text';

export const LONGEST = 5_000;

/** For the tags that are closed behind a cut. */
const ROOM = 100;

/** Texts grow as they are cleaned. */
export const describe = (text: string): string => brief(sanitizeInline(stripControl(text)));

/** So much of one as is shown: there may be longer ones, from before there was a limit. */
export function brief(html: string, most = LONGEST): string {
  if (html.length <= most) return html;
  const start = shorten(html, Math.max(0, most - ROOM));
  return sanitizeInline(start.replace(/(?:<[^<>]*|&[\w#]{0,30})$/, ''));
}
