/*
 * Turns stored text into the HTML that clients get: paragraphs, line breaks, typography, captions, links.
 * It trusts its input: what may be stored is decided earlier, by the sanitizers in html.ts and the right to
 * unfiltered HTML.
 */

import { type Allowance, newAllowance, takes, within } from './allowance';
import { endOfRawElement, isBlockTag, nextMarkup, textOf, type Markup } from './markup';
import { decodeEntities, escapeOnce } from './html';
import { figure } from './figure';
import { splitLinks } from './links';
import { paragraphWriter, plainWriter, silentWriter, type Writer } from './paragraphs';
import { playerOf, type FindFiles } from './players';
import { hasShortcodes, shortcodeFinder, type Shortcode } from './shortcodes';
import { smile } from './smilies';
import { STEP, type Steps, atOnce } from './steps';
import { shorten, truncateWords } from './text';
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

interface Options extends Partial<Sources> {
  paragraphs: boolean;
  /** Known ones are shown, or leave nothing behind. */
  shortcodes?: 'shown' | 'gone';
  autolink?: boolean;
  /** Quotes and dashes stay as they were typed. */
  verbatim?: boolean;
  /** Nothing is written: only what is asked for from elsewhere counts. */
  silent?: boolean;
}

const EXCERPT_WORDS = 55;
/** Japanese, Chinese and Thai set no words apart: 55 pieces between spaces may be the whole text. 55 words of other languages are shorter. */
const EXCERPT_LETTERS = 600;
const MORE = ' [&hellip;]';
const REFERENCE = /&#?\w{1,31};/y;
/** In UTF-16 units: most references are as long. Marks without end upon one letter count as several. */
const LONGEST_LETTER = 10;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const BLOCK_DELIMITER = /^<!--\s+\/?wp:/;
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

/**
 * HTML of a body, ending with a line break unless it is one block of an editor; '' if there is nothing to show. Addresses
 * that stand alone on a line, and those in `[embed]`, are shown by what `findEmbed` has for them.
 */
export function renderBody(raw: string, sources: Sources): string {
  return atOnce(renderingBody(raw, sources));
}

/** The same in steps. */
export function renderingBody(raw: string, sources: Sources): Steps<string> {
  return bodyOf(raw, { ...sources, shortcodes: 'shown' });
}

/** Asks `find…` for all that renderBody would ask them for, and maybe for more. */
export function* namedInBody(raw: string, find: Pick<Sources, 'findEmbed' | 'findFiles'>): Steps<void> {
  yield* rendering(unixLines(raw), { ...find, paragraphs: false, shortcodes: 'shown', silent: true });
}

function* bodyOf(raw: string, options: Omit<Options, 'paragraphs'>): Steps<string> {
  const text = unixLines(raw);
  // A block editor has set the paragraphs itself; blank lines between its blocks mean nothing.
  const html = yield* rendering(text, { ...options, paragraphs: !/<!--\s+wp:/.test(text) });
  yield;
  return isOneBlock(text) ? html.trimEnd() : html;
}

/** HTML of a title: typography, no paragraphs. */
export function renderTitle(raw: string): string {
  // Most titles have no tags, and what looks for those takes longer than all the rest.
  const html = raw.includes('<')
    ? render(unixLines(raw), { paragraphs: false })
    : typeset(unixLines(raw), newFlow());
  return html.trim();
}

/** A body whose first words may stand for an excerpt: as it is stored, and rendered. */
export interface Body {
  readonly raw: string;
  readonly html: string;
}

/** HTML of an excerpt: the stored one, or else the first words of the body, without what its shortcodes show. */
export function renderExcerpt(
  raw: string,
  body: Body | undefined,
  { smilies }: Pick<Sources, 'smilies'>,
): string {
  if (raw.trim()) return render(unixLines(raw), { paragraphs: true, smilies });
  if (!body) return '';
  return atOnce(firstWords(body, smilies));
}

/** The same in steps. */
export function* renderingExcerpt(raw: string, body: Body, sources: Pick<Sources, 'smilies'>): Steps<string> {
  return raw.trim() ? renderExcerpt(raw, undefined, sources) : yield* firstWords(body, sources.smilies);
}

function* firstWords(body: Body, smilies: boolean): Steps<string> {
  const html = hasShortcodes(body.raw) ? yield* bodyOf(body.raw, { smilies, shortcodes: 'gone' }) : body.html;
  yield;
  const words = truncateWords(textOf(html, ' ', undefined, EXCERPT_WORDS), EXCERPT_WORDS, MORE);
  return words && `<p>${bounded(words)}</p>\n`;
}

function bounded(words: string): string {
  const all = words.endsWith(MORE) ? words.slice(0, -MORE.length) : words;
  const few = firstLetters(all, EXCERPT_LETTERS);
  return few === all ? words : few + MORE;
}

/** As readers count them: what is one letter together, or one written as a reference, stays whole. */
function firstLetters(html: string, most: number): string {
  if (html.length <= most) return html;
  const near = shorten(html, most * LONGEST_LETTER);
  let letters = 0;
  let at = 0;
  for (const { index } of graphemes.segment(near)) {
    if (index < at) continue;
    if (letters === most) return html.slice(0, index).trimEnd();
    letters += 1;
    REFERENCE.lastIndex = index;
    at = REFERENCE.test(near) ? REFERENCE.lastIndex : index;
  }
  return near === html ? html : near.replace(/&#?\w*$/, '').trimEnd();
}

/** HTML of a comment: like a body, with bare addresses as links that search engines are told not to follow. */
export function renderCommentBody(raw: string, { smilies }: Pick<Sources, 'smilies'>): string {
  return render(unixLines(raw), { paragraphs: true, autolink: true, smilies });
}

/** HTML with paragraphs and line breaks, all else as it is: for what surrounds the fields of a form. */
export function renderParagraphs(html: string): string {
  return render(unixLines(html), { paragraphs: true, verbatim: true });
}

/** Whether the text is one block of the editor, with whatever is in it. */
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

function unixLines(raw: string): string {
  return raw.replace(/\r\n?/g, '\n');
}

const render = (source: string, options: Options): string => atOnce(rendering(source, options));

function* rendering(source: string, options: Options): Steps<string> {
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
