/*
 * Finds bare web and mail addresses in text and makes links of them, as comments need it. The links tell
 * search engines not to follow them.
 */

import { escapeOnce } from './html';

export interface Piece {
  text: string;
  /** The finished link, where the piece is one. */
  link?: string;
}

const LINK_START = /(?:https?|ftp):\/\/|(?<![\w.@/-])www\.(?=\w)|@/gi;
// It ends at entities, too, that stand for characters no address contains: behind them may be a thousand others.
const URL_EXTENT =
  /[^\s<>"'[\]\u201c\u201d&]*(?:&(?!(?:lt|gt|quot|nbsp|#0{0,7}(?:34|39|60|62|160));)[^\s<>"'[\]\u201c\u201d&]*)*/iy;
const MAIL_LOCAL = /[a-z\d._%+-]{1,64}$/i;
const MAIL_DOMAIN = /(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}[a-z]{2,24}(?![a-z\d-])/iy;

/** Parts text (HTML between tags) from the bare web and mail addresses in it. */
export function splitLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;

  function add(start: number, end: number, link: string): void {
    if (start > done) pieces.push({ text: text.slice(done, start) });
    pieces.push({ text: text.slice(start, end), link });
    done = end;
    LINK_START.lastIndex = end;
  }

  LINK_START.lastIndex = 0;
  for (let match = LINK_START.exec(text); match; match = LINK_START.exec(text)) {
    const at = match.index;
    if (match[0] === '@') {
      const local = MAIL_LOCAL.exec(text.slice(Math.max(done, at - 64), at))?.[0].replace(/^[.%+-]+/, '');
      MAIL_DOMAIN.lastIndex = at + 1;
      const domain = local && MAIL_DOMAIN.exec(text)?.[0];
      if (!local || !domain) continue;
      const address = `${local}@${domain}`;
      add(at - local.length, at + 1 + domain.length, nofollowLink(`mailto:${address}`, address));
    } else {
      URL_EXTENT.lastIndex = at;
      const url = trimUrl(URL_EXTENT.exec(text)?.[0] ?? '');
      const href = /^www/i.test(url) ? `http://${url}` : url;
      if (url.length > match[0].length) add(at, at + url.length, nofollowLink(href, url));
    }
  }
  LINK_START.lastIndex = 0;
  if (done < text.length) pieces.push({ text: text.slice(done) });
  return pieces;
}

/** Leaves the punctuation of the sentence around an address outside it, and keeps its own brackets. */
function trimUrl(url: string): string {
  let surplus = (url.match(/\)/g)?.length ?? 0) - (url.match(/\(/g)?.length ?? 0);
  let end = url.length;
  for (; end > 0; end--) {
    const last = url[end - 1]!;
    if (last === ')' && surplus > 0) surplus--;
    else if (
      !/[.,:!?…]/.test(last) &&
      !(last === ';' && !/&[#\w]{1,32};$/.test(url.slice(Math.max(0, end - 36), end)))
    )
      break;
  }
  return url.slice(0, end);
}

function nofollowLink(href: string, label: string): string {
  return `<a href="${escapeOnce(href)}" rel="nofollow ugc">${escapeOnce(label)}</a>`;
}
