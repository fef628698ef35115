/* Pictures with captions, as the shortcode for them says. */

import { sanitizeInline } from './html';
import { nextMarkup } from './markup';
import { settingsOf } from './shortcodes';

/** A picture with its caption; the picture alone where there is no caption. */
export function figure(settings: string, content: string, showCaption: (caption: string) => string): string {
  const options = settingsOf(settings);
  const picture = content.slice(0, pictureEnd(content));
  const caption = withBreaks(
    showCaption(content.slice(picture.length).trim() || sanitizeInline(options.get('caption') ?? '')).trim(),
  );
  if (!caption) return picture;
  const id = (options.get('id') ?? '').replace(/[^\w-]/g, '');
  const align = /^align(?:left|right|center|none)$/.exec(options.get('align') ?? '')?.[0] ?? 'alignnone';
  const width = /^\d{1,5}/.exec(options.get('width') ?? '')?.[0];
  const captionId = id && `caption-${id.replace(/_/g, '-')}`;
  return (
    `<figure${id && ` id="${id}" aria-describedby="${captionId}"`}` +
    `${width ? ` style="width: ${Number(width)}px"` : ''} class="wp-caption ${align}">${picture}` +
    `<figcaption${id && ` id="${captionId}"`} class="wp-caption-text">${caption}</figcaption></figure>`
  );
}

/** Line ends of the text as breaks; those inside of a tag are none. */
function withBreaks(html: string): string {
  const out: string[] = [];
  const add = (text: string): void => void out.push(text.replace(/\n/g, '<br />\n'));
  let at = 0;
  for (let tag = nextMarkup(html, 0); tag; tag = nextMarkup(html, at)) {
    add(html.slice(at, tag.start));
    out.push(html.slice(tag.start, tag.end));
    at = tag.end;
  }
  add(html.slice(at));
  return out.join('');
}

/** Where the image, or the link around it, that begins the content ends; 0 if it begins with neither. */
function pictureEnd(content: string): number {
  const first = nextMarkup(content, 0);
  if (first?.start !== 0 || first.kind !== 'open') return 0;
  if (first.name === 'img') return first.end;
  if (first.name !== 'a') return 0;
  const image = nextMarkup(content, first.end);
  const close = image?.name === 'img' ? nextMarkup(content, image.end) : undefined;
  return close?.kind === 'close' && close.name === 'a' ? close.end : 0;
}
