/** The HTML that other sites put into their pages: a quote with a link, the frame, and what lets the frame grow. */
import { decodeEntities, escapeAttribute } from '@sevenfold/text/html';
import type { Item } from '../site/find';
import type { Site } from '../site/site';
import { HOST_SCRIPT } from './scripts';

const CLASS = 'site-embedded-content';

interface Frame {
  readonly secret: string;
  readonly width: number;
  readonly height: number;
}

export const embedAddress = (link: string): string => {
  const url = new URL(link);
  // What has no path of its own is asked for by a parameter.
  if (url.search !== '') url.searchParams.set('embed', 'true');
  else url.pathname = `${url.pathname.replace(/\/*$/, '/')}embed/`;
  return url.href;
};

export function embedHtml({ link, title }: Item, site: Site, { secret, width, height }: Frame): string {
  const quoted = inQuotes(title);
  const named = `&#8220;${quoted}&#8221; &#8212; ${escapeAttribute(decodeEntities(site.name))}`;
  return (
    `<blockquote class="${CLASS}" data-secret="${secret}"><a href="${escapeAttribute(link)}">${title}</a></blockquote>` +
    `<iframe sandbox="allow-scripts" security="restricted" src="${escapeAttribute(embedAddress(link))}#?secret=${secret}"` +
    ` width="${width}" height="${height}" title="${named}" data-secret="${secret}"` +
    ` frameborder="0" marginwidth="0" marginheight="0" scrolling="no" class="${CLASS}"></iframe>` +
    `<script>${HOST_SCRIPT}</script>\n`
  );
}

/** HTML as the value of an attribute: its entities stay what they are. */
const inQuotes = (html: string): string => html.replace(/["'<>]/g, (character) => escapeAttribute(character));
