/** The HTML that other sites put into their pages: a quote with a link, the frame, and what lets the frame grow. */
import { escapeAttribute } from '@sevenfold/text/html';
import { trimEnd } from '@sevenfold/text/trim';
import type { Item } from '../site/find';
import type { Site } from '../site/site';
import { HOST_SCRIPT } from './scripts';

const CLASS = 'site-embedded-content';

interface Frame {
  readonly secret?: string;
  readonly width: number;
  readonly height: number;
}

const embedAddress = (link: string): string => {
  const url = new URL(link);
  // What has no path of its own is asked for by a parameter.
  if (url.search !== '') url.searchParams.set('embed', 'true');
  else url.pathname = `${trimEnd(url.pathname, '/')}/embed/`;
  return url.href;
};

export function embedHtml(item: Item, site: Site, frame: Frame): string {
  const { link, title } = item;
  return (
    `<blockquote class="${CLASS}" data-secret="${frame.secret}"><a href="${escapeAttribute(link)}">${title}</a></blockquote>` +
    `${frameHtml(item, site, frame)}<script>${HOST_SCRIPT}</script>\n`
  );
}

/**
 * Without a secret nobody listens to it, so its links have to lead out of it by themselves: by a click, and no script of the page inside
 * goes anywhere.
 */
export function frameHtml({ link, title }: Item, site: Site, { secret, width, height }: Frame): string {
  const named = `&#8220;${inQuotes(title)}&#8221; &#8212; ${escapeAttribute(site.name)}`;
  const [fragment, data, rights] =
    secret === undefined
      ? ['', '', 'allow-scripts allow-top-navigation-by-user-activation']
      : [`#?secret=${secret}`, ` data-secret="${secret}"`, 'allow-scripts'];
  return (
    `<iframe sandbox="${rights}" security="restricted" src="${escapeAttribute(embedAddress(link))}${fragment}"` +
    ` width="${width}" height="${height}" title="${named}"${data}` +
    ` frameborder="0" marginwidth="0" marginheight="0" scrolling="no" class="${CLASS}"></iframe>`
  );
}

/** HTML as the value of an attribute: its entities stay what they are. */
const inQuotes = (html: string): string => html.replace(/["'<>]/g, (character) => escapeAttribute(character));
