/** One way through stored text, which writes what is shown of it: all that is rendered is rendered by this, as its options say. */
import { type Allowance, newAllowance, takes, within } from './allowance';
import { BLOCK_DELIMITER } from './blocks';
import { figure } from './figure';
import { decodeEntities, escapeOnce } from './html';
import { splitLinks } from './links';
import { endOfRawElement, isBlockTag, nextMarkup, type Markup } from './markup';
import { paragraphWriter, plainWriter, silentWriter, type Writer } from './paragraphs';
import { playerOf, type FindFiles } from './players';
import { shortcodeFinder, type Shortcode } from './shortcodes';
import { smile } from './smilies';
import { STEP, type Steps, atOnce } from './steps';
import { type Flow, newFlow, typeset, typesetting } from './typography';

/** HTML that shows what an address elsewhere names; undefined where there is none, and a link stands for it. */
export type FindEmbed = (url: string) => string | undefined;

/** What shown text takes from elsewhere. */
export interface Sources {
  /** Whether smilies become pictures. */
  readonly smilies: boolean;
  readonly findEmbed?: FindEmbed;
  /** Without it galleries stay text. */
  readonly findFiles?: FindFiles;
}

export interface Options extends Partial<Sources> {
  paragraphs: boolean;
  /** Known ones are shown, or leave nothing behind. */
  shortcodes?: 'shown' | 'gone';
  autolink?: boolean;
  /** Quotes and dashes stay as they were typed. */
  verbatim?: boolean;
  /** Nothing is written: only what is asked for from elsewhere counts. */
  silent?: boolean;
}

const PLAIN_BREAK = /^<br\s*\/?>$/i;
const BREAKS = /(?:<br\s*\/?>\s*){2,}/iy;
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

export const unixLines = (raw: string): string => raw.replace(/\r\n?/g, '\n');

export const render = (source: string, options: Options): string => atOnce(rendering(source, options));

export function* rendering(source: string, options: Options): Steps<string> {
  const writer = options.silent ? silentWriter : options.paragraphs ? paragraphWriter() : plainWriter();
  const findShortcode = options.shortcodes ? shortcodeFinder(source) : () => undefined;
  const allowance = newAllowance();
  let flow = newFlow();
  let verbatimDepth = 0;
  let linkDepth = 0;
  let afterDelimiter = false;

  /** The rest of the work, where there is much. */
  function writeText(source: string): Steps<void> | undefined {
    if (!source) return undefined;
    // A `<` that begins no tag here must not begin one in the output, where its neighbours may be others.
    const plain = source.replace(/</g, '&lt;');
    const isVerbatim = options.verbatim === true || verbatimDepth > 0;
    const text = options.smilies && !isVerbatim ? smile(plain) : plain;
    if (isVerbatim) {
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
    } else if (text.length > STEP) {
      return writingText(text, flow, writer);
    } else {
      writer.text(typeset(text, flow));
    }
    return undefined;
  }

  function partsOf(text: string): readonly string[] {
    if (options.silent) return [];
    if (!options.paragraphs) return [afterDelimiter && !text.trim() ? '\n' : text];
    return text.includes('\n') ? text.split(BLANK_LINES) : [text];
  }

  function writePart(part: string, isFirst: boolean): Steps<void> | undefined {
    if (!isFirst) {
      writer.blankLine();
      flow = newFlow();
    }
    return writeText(part);
  }

  const writeTextRun = (text: string): Steps<void> => oneByOne(partsOf(text), writePart);

  let at = 0;
  let markup = nextMarkup(source, 0);
  let pauseAt = STEP;
  for (;;) {
    if (at >= pauseAt) {
      yield;
      pauseAt = at + STEP;
    }
    const limit = markup ? markup.start : source.length;
    const shortcode = verbatimDepth === 0 ? findShortcode(at, limit) : undefined;
    if (shortcode) {
      const shown = isCut(source, markup, shortcode.end)
        ? undefined
        : options.shortcodes === 'gone'
          ? goneOf(shortcode)
          : shownBy(shortcode, options, allowance);
      if (!shown) {
        // Text like any other.
        yield* writeTextRun(source.slice(at, shortcode.end));
        at = shortcode.end;
        if (markup && markup.start < at) markup = nextMarkup(source, at);
        continue;
      }
      yield* writeTextRun(source.slice(at, shortcode.start));
      writeShown(shown, writer);
      flow = newFlow();
      if (!('block' in shown)) flow.before = 'x';
      at = shortcode.end;
      if (markup && markup.start < at) markup = nextMarkup(source, at);
      continue;
    }
    yield* writeTextRun(source.slice(at, limit));
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
      // Of an editor's blocks each tag stays as it is.
      if (!options.paragraphs) {
        writer.lineBreak(tag);
        flow.before = '';
        return end;
      }
      BREAKS.lastIndex = found.start;
      if (BREAKS.test(source)) {
        writer.blankLine();
        flow = newFlow();
        return BREAKS.lastIndex;
      }
      writer.lineBreak(PLAIN_BREAK.test(tag) ? '<br />' : tag);
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

/**
 * Not within what renders a text: V8 makes a class for each generator function that comes into being, among what is old, and all that
 * such a function knows, which is the whole text with what was made of it, outlives every young collection.
 */
function* oneByOne(
  parts: readonly string[],
  write: (part: string, isFirst: boolean) => Steps<void> | undefined,
): Steps<void> {
  let written = 0;
  for (const [place, part] of parts.entries()) {
    const rest = write(part, place === 0);
    if (rest) yield* rest;
    // As long as the line ends that the shortest parts stand between.
    written += part.length + 2;
    if (written >= STEP) {
      yield;
      written = 0;
    }
  }
}

function* writingText(text: string, flow: Flow, writer: Writer): Steps<void> {
  writer.text(yield* typesetting(text, flow));
}

/** Whether the place lies within a tag or comment: what ends there would leave that open, and it would take in what follows. */
function isCut(source: string, from: Markup | undefined, end: number): boolean {
  let found = from;
  while (found && found.end <= end) found = nextMarkup(source, found.end);
  return found !== undefined && found.start < end;
}

const isAddress = (text: string): boolean => /^https?:\/\/[^\s<>"']+$/i.test(text);

/** What a shortcode shows: HTML within a line, a block of its own, or text. */
type Shown = { readonly inline: string } | { readonly block: string } | { readonly text: string };

/** Undefined: it is text like any other. */
function shownBy(shortcode: Shortcode, options: Options, allowance: Allowance): Shown | undefined {
  const { name, settings, content } = shortcode;
  const { findEmbed, findFiles } = options;
  const url = content.trim();
  switch (name) {
    case 'escaped':
      return { text: content };
    case 'caption':
      // Nothing in it is shown from elsewhere.
      if (options.silent) return { text: '' };
      return { block: figure(settings, url, (caption) => render(caption, { paragraphs: false })) };
    case 'address':
    case 'embed': {
      const embed = isAddress(url) ? findEmbed?.(decodeEntities(url)) : undefined;
      if (embed !== undefined && takes(allowance, embed))
        return { block: `<div class="embed">${embed}</div>` };
      if (name === 'address') return undefined;
      return isAddress(url) ? { inline: link(url) } : { text: escapeOnce(content) };
    }
    default: {
      const player = playerOf(shortcode, within(allowance, findFiles));
      if (player === undefined || !takes(allowance, player)) return undefined;
      return player === '' ? { text: '' } : { block: player };
    }
  }
}

const goneOf = ({ name, content }: Shortcode): Shown | undefined =>
  name === 'address' ? undefined : name === 'escaped' ? { text: content } : { text: '' };

function writeShown(shown: Shown, writer: Writer): void {
  if ('block' in shown) writer.block(shown.block);
  else if ('inline' in shown) writer.inline(shown.inline, true);
  else writer.text(shown.text);
}

function link(url: string): string {
  const href = escapeOnce(url);
  return `<a href="${href}">${href}</a>`;
}
