/*
 * Turns stored text into the HTML that clients get: paragraphs, line breaks, typography, captions, links.
 * It trusts its input: what may be stored is decided earlier, by the sanitizers in html.ts and the right to
 * unfiltered HTML.
 */

import { attributesOf, endOfRawElement, isBlockTag, nextMarkup, textOf, type Markup } from './markup';
import { decodeEntities, escapeAttribute } from './html';
import { escapeUrl, splitLinks } from './links';
import { paragraphWriter, plainWriter, type Writer } from './paragraphs';
import { truncateWords } from './text';
import { newFlow, typeset } from './typography';

interface Options {
  paragraphs: boolean;
  shortcodes?: boolean;
  autolink?: boolean;
  /** Quotes and dashes stay as they were typed. */
  verbatim?: boolean;
  findEmbed?: FindEmbed;
}

/** HTML that shows what an address elsewhere names; undefined where there is none, and a link stands for it. */
export type FindEmbed = (url: string) => string | undefined;

const EXCERPT_WORDS = 55;

const BLOCK_DELIMITER = /^<!--\s+\/?wp:/;
const BLANK_LINES = /\n[^\S\n]*\n\s*/;

// Elements whose content is not ours to change, and those of them that show nothing by themselves.
const OPAQUE = new Set(
  'pre script style textarea svg math select object audio video picture canvas iframe noscript template'.split(
    ' ',
  ),
);
const INVISIBLE = new Set(['script', 'style', 'noscript', 'template']);
const REPLACED = new Set(['img', 'input', 'embed', 'button']);
const VERBATIM = new Set(['code', 'kbd', 'samp', 'tt']);

/**
 * HTML of a body, ending with a line break; '' if there is nothing to show. Addresses that stand alone on a line, and those
 * in `[embed]`, are shown by what `findEmbed` has for them.
 */
export function renderBody(raw: string, findEmbed?: FindEmbed): string {
  const text = unixLines(raw);
  // A block editor has set the paragraphs itself; blank lines between its blocks mean nothing.
  return render(text, { paragraphs: !/<!--\s+wp:/.test(text), shortcodes: true, findEmbed });
}

/** HTML of a title: typography, no paragraphs. */
export function renderTitle(raw: string): string {
  return render(unixLines(raw), { paragraphs: false }).trim();
}

/**
 * HTML of an excerpt: the stored one, or else the first words of the rendered body (pass '' for a body that
 * must not be seen).
 */
export function renderExcerpt(raw: string, renderedBody: string): string {
  if (raw.trim()) return render(unixLines(raw), { paragraphs: true });
  const words = truncateWords(textOf(renderedBody, ' '), EXCERPT_WORDS, ' [&hellip;]');
  return words && `<p>${words}</p>\n`;
}

/** HTML of a comment: like a body, with bare addresses as links that search engines are told not to follow. */
export function renderCommentBody(raw: string): string {
  return render(unixLines(raw), { paragraphs: true, autolink: true });
}

/** HTML with paragraphs and line breaks, all else as it is: for what surrounds the fields of a form. */
export function renderParagraphs(html: string): string {
  return render(unixLines(html), { paragraphs: true, verbatim: true });
}

function unixLines(raw: string): string {
  return raw.replace(/\r\n?/g, '\n');
}

function render(source: string, options: Options): string {
  const writer = options.paragraphs ? paragraphWriter() : plainWriter();
  const findShortcode = options.shortcodes ? shortcodeFinder(source) : () => undefined;
  let flow = newFlow();
  let verbatimDepth = 0;
  let linkDepth = 0;
  let afterDelimiter = false;

  function writeText(source: string): void {
    if (!source) return;
    // A `<` that begins no tag here must not begin one in the output, where its neighbours may be others.
    const text = source.replace(/</g, '&lt;');
    if (options.verbatim || verbatimDepth > 0) {
      writer.text(text);
      flow.before = text[text.length - 1]!;
    } else if (options.autolink && linkDepth === 0) {
      for (const piece of splitLinks(text)) {
        if (piece.link === undefined) {
          writer.text(typeset(piece.text, flow));
        } else {
          writer.inline(piece.link, true);
          flow.before = 'x';
        }
      }
    } else {
      writer.text(typeset(text, flow));
    }
  }

  function writeTextRun(text: string): void {
    if (!options.paragraphs) {
      writeText(afterDelimiter && !text.trim() ? '\n' : text);
      return;
    }
    text.split(BLANK_LINES).forEach((part, index) => {
      if (index > 0) {
        writer.blankLine();
        flow = newFlow();
      }
      writeText(part);
    });
  }

  let at = 0;
  let markup = nextMarkup(source, 0);
  for (;;) {
    const limit = markup ? markup.start : source.length;
    const shortcode = verbatimDepth === 0 ? findShortcode(at, limit) : undefined;
    if (shortcode) {
      const embed = embedFor(shortcode, options.findEmbed);
      if (shortcode.name === 'address' && embed === undefined) {
        // Text like any other.
        writeTextRun(source.slice(at, shortcode.end));
        at = shortcode.end;
        continue;
      }
      writeTextRun(source.slice(at, shortcode.start));
      writeShortcode(shortcode, writer, embed);
      flow = newFlow();
      if (!shortcode.isBlock) flow.before = 'x';
      at = shortcode.end;
      if (markup && markup.start < at) markup = nextMarkup(source, at);
      continue;
    }
    writeTextRun(source.slice(at, limit));
    if (!markup) return writer.finish();
    at = writeMarkup(markup);
    markup = nextMarkup(source, at);
  }

  /** Writes one tag or comment, or an opaque element as a whole; returns the index behind it. */
  function writeMarkup(found: Markup): number {
    const { name, kind, end } = found;
    const tag = source.slice(found.start, end);
    if (kind === 'comment') {
      afterDelimiter = BLOCK_DELIMITER.test(tag);
      if (!afterDelimiter) writer.inline(tag, false);
      return end;
    }
    afterDelimiter = false;
    if (kind === 'open' && OPAQUE.has(name)) {
      const element = endOfRawElement(source, name, end);
      const html = source.slice(found.start, element.end);
      if (name === 'pre') writer.block(html);
      else writer.inline(html, !INVISIBLE.has(name));
      return element.end;
    }
    if (isBlockTag(name)) {
      if (kind === 'open') writer.openBlock(name, tag);
      else writer.closeBlock(name, tag);
      flow = newFlow();
      return end;
    }
    if (name === 'br') {
      writer.lineBreak(tag);
      flow.before = '';
      return end;
    }
    const step = kind === 'open' ? 1 : -1;
    if (VERBATIM.has(name)) verbatimDepth = Math.max(0, verbatimDepth + step);
    if (name === 'a') linkDepth = Math.max(0, linkDepth + step);
    writer.inline(tag, REPLACED.has(name));
    return end;
  }
}

interface Shortcode {
  /** An address that stands alone on a line, or a shortcode. */
  name: 'caption' | 'embed' | 'address';
  start: number;
  end: number;
  settings: string;
  content: string;
  isBlock: boolean;
}

/**
 * Finds the shortcodes we know, in order: the first complete one that starts in [from, limit). Remembers what
 * it found, so that a text full of brackets is read once.
 */
function shortcodeFinder(source: string): (from: number, limit: number) => Shortcode | undefined {
  const opening =
    /\[(caption|embed)(\s[^[\]]*)?\]|(?:^|(?<=<p>))[ \t]*(https?:\/\/[^\s<>"'[\]]+)(?=[ \t]*$|<\/p>)/gm;
  const unclosed = new Set<string>();
  let next: Shortcode | undefined;
  let searchedTo = -1;

  function search(from: number): Shortcode | undefined {
    opening.lastIndex = from;
    for (let match = opening.exec(source); match; match = opening.exec(source)) {
      const [whole, , , alone] = match;
      if (alone !== undefined) {
        const [start, end] = [match.index, match.index + whole.length];
        return { name: 'address', start, end, settings: '', content: alone, isBlock: false };
      }
      const name = match[1] as Shortcode['name'];
      if (unclosed.has(name)) continue;
      const contentStart = match.index + match[0].length;
      const closer = `[/${name}]`;
      const contentEnd = source.indexOf(closer, contentStart);
      if (contentEnd === -1) {
        unclosed.add(name);
        continue;
      }
      return {
        name,
        start: match.index,
        end: contentEnd + closer.length,
        settings: match[2] ?? '',
        content: source.slice(contentStart, contentEnd),
        isBlock: name === 'caption',
      };
    }
    return undefined;
  }

  return (from, limit) => {
    if (searchedTo === -1 || (next && next.start < from)) {
      next = search(from);
      searchedTo = from;
    }
    return next && next.start < limit ? next : undefined;
  };
}

const isAddress = (text: string): boolean => /^https?:\/\/[^\s<>"']+$/i.test(text);

function embedFor({ name, content }: Shortcode, findEmbed: FindEmbed | undefined): string | undefined {
  const url = content.trim();
  return name !== 'caption' && isAddress(url) ? findEmbed?.(decodeEntities(url)) : undefined;
}

function writeShortcode(
  { name, settings, content }: Shortcode,
  writer: Writer,
  embed: string | undefined,
): void {
  if (name === 'caption') {
    writer.block(figure(settings, content.trim()));
    return;
  }
  const url = content.trim();
  if (embed !== undefined) writer.block(`<div class="embed">${embed}</div>`);
  else if (isAddress(url)) writer.inline(link(url), true);
  else writer.text(escapeAttribute(content));
}

/** A picture with its caption; the picture alone where there is no caption. */
function figure(settings: string, content: string): string {
  const options = new Map(
    attributesOf(`<x${settings}>`, {
      start: 0,
      end: settings.length + 3,
      kind: 'open',
      name: 'x',
    }).map(({ name, value }) => [name, value ?? '']),
  );
  const picture = content.slice(0, pictureEnd(content));
  const caption = render(content.slice(picture.length).trim() || (options.get('caption') ?? ''), {
    paragraphs: false,
  })
    .trim()
    .replace(/\n/g, '<br />\n');
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

function link(url: string): string {
  const href = escapeUrl(url);
  return `<a href="${href}">${href}</a>`;
}
